function [value, each] = ref_head_ablation (net, Xi, Y, U)
% REF_HEAD_ABLATION  Increase of the squared leave-one-out error of each example when a head's paths are zero and those
% of the layer's other heads are multiplied by sqrt (H / (H - 1)) (theory.md section 16). value: means weighted by the
% inverse noise, a row for each head, layer by layer, and a column for each output; each: P x heads, of all outputs.
[P, C] = size (Y);
paths = ref_pathlist (net.H);
f = ref_left_out (net, Xi, Y, U);
w = 1 ./ diag (ref_noise (net, P));
w = w / sum (w);
[value, each] = deal (zeros (0, C), zeros (P, 0));
for l = 1:numel (net.H)
  for h = 1:net.H(l)
    factor = 0;
    if net.H(l) > 1, factor = sqrt (net.H(l) / (net.H(l) - 1)); end
    without = reshape (sum (f(:,paths(:,l) != h,:), 2), P, C) * factor;
    growth = (without - Y) .^ 2 - (reshape (sum (f, 2), P, C) - Y) .^ 2;
    value(end+1,:) = w' * growth;
    each(:,end+1) = sum (growth, 2);
  end
end
end
