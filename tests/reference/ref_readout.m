function e = ref_readout (net, T, len)
% REF_READOUT  The readout vector e of (T1): T x 1, with the first len tokens real and the rest padding.
%   'last' reads token len, 'first' token 1, 'mean' all real tokens equally, a number that token.
e = zeros (T, 1);
if strcmp (net.readout, 'last')
  e(len) = 1;
elseif strcmp (net.readout, 'first')
  e(1) = 1;
elseif strcmp (net.readout, 'mean')
  e(1:len) = 1 / len;
else
  assert (isnumeric (net.readout) && net.readout <= len);
  e(net.readout) = 1;
end
end
