function r = ref_gradnorm (net, Xi, y, order)
% REF_GRADNORM  Convergence criterion: largest |entry of dS/dU_l| over all l, divided by the largest width.
%   The published criterion of theory.md section 3, on the gradient (T9).
[~, grad] = ref_action (net, Xi, y, order);
r = 0;
for l = 1:numel (grad)
  r = max (r, max (abs (grad{l}(:))) / max (net.width));
end
end
