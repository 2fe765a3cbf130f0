function V = ref_noise (net, n)
% REF_NOISE  Covariance of the labels' noise, T diag (t) in place of T I: (T35).
%   V = ref_noise (net, n): n rows, C for each example, the example fastest. t is net.noise, 1 x P, a field that only
%   references use; ones if the net has no such field.
t = ones (1, n);
if isfield (net, 'noise'), t = repmat (net.noise, 1, n / numel (net.noise)); end
V = net.temperature * diag (t);
end
