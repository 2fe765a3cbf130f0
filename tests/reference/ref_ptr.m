function B = ref_ptr (U, H, skip)
% REF_PTR  Partial trace of U over the heads, its slowest index: the sum of its H diagonal blocks, without a first one of a
% skip connection.
%   B = ref_ptr (U, H), B = ref_ptr (U, H, skip): skip, true or false
if nargin < 3, skip = false; end
n = size (U, 1) / (H + skip);
B = zeros (n);
for h = skip + (0:H-1)
  B = B + U(h*n+(1:n),h*n+(1:n));
end
end
