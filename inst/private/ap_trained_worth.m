function values = ap_trained_worth (gd, X, y, opt)
%AP_TRAINED_WORTH  What each head is worth to a trained network itself, on sequences given.
%
%   values = AP_TRAINED_WORTH (gd, X, y, opt)
%   Inputs :  gd, struct of net and w, from attnpath_train;  X and y, sequences or their path inputs, and labels;  opt,
%             struct of By ('ablation' or 'importance'), Lengths and Display, as attnpath_scores explains them
%   Outputs:  sum (H) x 1, layer by layer
%   With F_p what path p adds to the outputs f (T4), and F_h the sum over the paths through head h:
%     'ablation'    mean of |sqrt (H/(H-1)) (f - F_h) - y|^2 less that of |f - y|^2. A layer's only head leaves no
%                   output, or what its skip connection passes on, which is not rescaled
%     'importance'  mean of |(f - y) . F_h|, half of |d loss / d mask| at a mask of 1, over the norm of its layer's
%   Errors:   attnpath:scores: those of ap_check_weights, ap_check_inputs, ap_inputs, ap_classes and ap_labels
%   See also attnpath_scores.

% SPDX-License-Identifier: BSD-3-Clause

net = gd.net;
[w, C] = ap_check_weights ('scores', 'model.w', gd.w, net);
[N0, columns] = size (w);
count = columns / C;
if isstruct (X)
  Xi = ap_check_inputs ('scores', 'X', X, net, N0, opt.Lengths);
  P = size (Xi, 2);
  inputs = @(part) Xi(:,part,:);
else
  X = ap_check_array ('scores', 'X', X, {N0, 'T', 'P'});
  P = size (X, 3);
  lengths = ap_check_lengths ('scores', opt.Lengths, size (X, 1), size (X, 2), P);
  inputs = @(part) of_tokens (net, X, lengths, part);
end
if isfield (gd, 'classes'), y = ap_classes ('scores', 'y', y, gd.classes, false); end
y = ap_labels ('scores', 'y', y, P, true);
if size (y, 2) ~= C
  ap_fail ('scores', 'badShape', 'y must have %d labels an example, as many as model.w has outputs, not %d', C, ...
           size (y, 2));
end
list = ap_head_list (net.H);
heads = ap_path_list (net.H, ap_skips (net));
values = zeros (size (list, 1), 1);
chunk = max (1, floor (2 ^ 24 / (N0 * count)));
begun = tic ();
told = 0;
for first = 1:chunk:P
  if opt.Display, told = ap_progress_line (told, toc (begun), 'attnpath_scores: %d of %d examples', first - 1, P); end
  part = first:min (P, first + chunk - 1);
  F = added (inputs (part), w, C);
  f = sum (F, 3);
  for k = 1:numel (values)
    through = sum (F(:,:,heads(:,list(k,1)) == list(k,2)), 3);
    past = sum (F(:,:,heads(:,list(k,1)) == 0), 3);          % by the layer's skip connection, which stays as it is
    values(k) = values(k) + worth (opt.By, f, through, past, y(part,:), net.H(list(k,1))) / P;
  end
end
for l = (1:net.L) * strcmp (opt.By, 'importance')
  own = list(:,1) == l;
  if any (values(own)), values(own) = values(own) / norm (values(own)); end
end
end

function Xi = of_tokens (net, X, lengths, part)
if ~isempty (lengths), lengths = lengths(part); end
Xi = ap_inputs ('scores', net, X(:,:,part), lengths, []);
end

function F = added (Xi, w, C)
% P x C x Pi: what each path adds to each output
[N0, P, count] = size (Xi);
F = zeros (P, C, count);
for p = 1:count, F(:,:,p) = Xi(:,:,p)' * w(:,C * (p - 1) + (1:C)) / sqrt (N0 * count); end
end

function value = worth (by, f, through, past, y, H)
% Summed over the examples
if strcmp (by, 'importance')
  value = sum (abs (sum ((f - y) .* through, 2)));
else
  less = past;
  if H > 1, less = less + (f - past - through) * sqrt (H / (H - 1)); end
  value = sum (sum ((less - y) .^ 2)) - sum (sum ((f - y) .^ 2));
end
end
