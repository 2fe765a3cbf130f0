function [net, own] = ref_without (net, i)
% REF_WITHOUT  The net for ref_noise without the noise of example i, and the variance of that noise.
own = net.temperature;
if isfield (net, 'noise')
  own = own * net.noise(i);
  net.noise(i) = [];
end
end
