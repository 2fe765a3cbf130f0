function score = ref_scores (net, U)
% REF_SCORES  Head scores (theory.md section 8): rows [layer head score], score increasing, the largest 1.
%   The score of (l,h) is the sum of |U(p,q)| over the entries whose path p or q uses head h in layer l.
list = ref_pathlist (net.H);
score = zeros (0, 3);
for l = 1:numel (net.H)
  for h = 1:net.H(l)
    total = 0;
    for p = 1:size (list, 1)
      for q = 1:size (list, 1)
        if list(p,l) == h || list(q,l) == h
          total = total + abs (U(p,q));
        end
      end
    end
    score(end+1,:) = [l, h, total];
  end
end
score = sortrows (score, [3 1 2]);
score(:,3) = score(:,3) / score(end,3);
end
