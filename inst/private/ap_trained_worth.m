function each = ap_trained_worth (gd, X, y, opt)
%AP_TRAINED_WORTH  What each head is worth to a trained network itself, on sequences given.
%
%   each = AP_TRAINED_WORTH (gd, X, y, opt)
%   Inputs :  gd, struct of net and w, from attnpath_train;  X and y, sequences or their path inputs, and labels;  opt,
%             struct of By ('ablation' or 'importance'), Lengths and Display, as attnpath_scores explains them
%   Outputs:  P x sum (H), layer by layer; a head's worth is the mean over the examples
%   With F_p what path p adds to the outputs f (T4), and F_h the sum over the paths through head h:
%     'ablation'    |sqrt (H/(H-1)) (f - F_h) - y|^2 less |f - y|^2, as ap_without_head has it
%     'importance'  |(f - y) . F_h|, half of |d loss / d mask| at a mask of 1, over the norm of its layer's means
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
heads = ap_path_list (net.H, net.skip);
each = zeros (P, size (list, 1));
chunk = max (1, floor (2 ^ 24 / (N0 * count)));
begun = tic ();
told = 0;
for first = 1:chunk:P
  if opt.Display, told = ap_progress_line (told, toc (begun), 'attnpath_scores: %d of %d examples', first - 1, P); end
  part = first:min (P, first + chunk - 1);
  F = added (inputs (part), w, C);
  f = sum (F, 3);
  for k = 1:size (each, 2)
    through = sum (F(:,:,heads(:,list(k,1)) == list(k,2)), 3);
    past = sum (F(:,:,heads(:,list(k,1)) == 0), 3);          % by the layer's skip connection, which stays as it is
    each(part,k) = worth (opt.By, f, through, past, y(part,:), net.H(list(k,1)));
  end
end
for l = (1:net.L) * strcmp (opt.By, 'importance')
  own = list(:,1) == l;
  size_of = norm (mean (each(:,own), 1));
  if size_of > 0, each(:,own) = each(:,own) / size_of; end
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
% P x 1
if strcmp (by, 'importance')
  value = abs (sum ((f - y) .* through, 2));
else
  value = sum (ap_without_head (f, through, past, y, H), 2);
end
end
