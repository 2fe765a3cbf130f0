function [gain, each] = ref_outputs_gain (net, Xi, Y, U)
% REF_OUTPUTS_GAIN  Mean over examples of sum_c Y_ic f_hc(x_i), with each example left out with all its labels and its
% inverse noise as weight (theory.md sections 12 and 16). gain: one for each head, layer by layer; each: a column for
% each output.
[P, C] = size (Y);
paths = ref_pathlist (net.H);
f = ref_left_out (net, Xi, Y, U);
w = 1 ./ diag (ref_noise (net, P));
w = w / sum (w);
each = zeros (0, C);
for l = 1:numel (net.H)
  for h = 1:net.H(l)
    each(end+1,:) = w' * (Y .* reshape (sum (f(:,paths(:,l) == h,:), 2), P, C));
  end
end
gain = sum (each, 2);
end
