function score = ref_scores (net, U, by)
% REF_SCORES  Head scores (theory.md sections 8, 16, 17): rows [layer head score], score increasing, the largest 1.
%   score = ref_scores (net, U)             of (l,h): the sum of w(p) |U(p,q)| w(q) over the entries whose path p or q
%                                           uses head h in layer l
%   score = ref_scores (net, U, 'share')    H_l times the sum over the entries whose paths p and q both use it
%   w(p) is the product over layers of the scale of p's head, or, where p goes past the heads, of s_l sqrt (H_l).
if nargin < 3, by = 'order'; end
L = numel (net.H);
[skip, scales] = deal (zeros (1, L), cell (1, L));
if isfield (net, 'skip'), skip = net.skip; end
for l = 1:L, scales{l} = ones (1, net.H(l)); end
if isfield (net, 'headscale'), scales = net.headscale; end
list = ref_pathlist (net.H, skip);
w = ones (size (list, 1), 1);
for p = 1:size (list, 1)
  for l = 1:L
    if list(p,l) == 0
      w(p) = w(p) * skip(l) * sqrt (net.H(l));
    else
      w(p) = w(p) * scales{l}(list(p,l));
    end
  end
end
score = zeros (0, 3);
for l = 1:L
  for h = 1:net.H(l)
    total = 0;
    for p = 1:size (list, 1)
      for q = 1:size (list, 1)
        [uses_p, uses_q] = deal (list(p,l) == h, list(q,l) == h);
        if strcmp (by, 'share') && uses_p && uses_q
          total = total + net.H(l) * w(p) * abs (U(p,q)) * w(q);
        elseif strcmp (by, 'order') && (uses_p || uses_q)
          total = total + w(p) * abs (U(p,q)) * w(q);
        end
      end
    end
    score(end+1,:) = [l, h, total];
  end
end
score = sortrows (score, [3 1 2]);
if score(end,3) > 0, score(:,3) = score(:,3) / score(end,3); end
end
