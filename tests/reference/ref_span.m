function [B, inner] = ref_span (Xi)
% REF_SPAN  A basis of the span of the path inputs, and their coordinates: end of section 13.
%   [B, inner] = ref_span (Xi): Xi N0 x P x Pi, B N0 x r with orthonormal columns, inner r x P x Pi with Xi = B inner.
[N0, P, paths] = size (Xi);
[Q, S, V] = svd (reshape (Xi, N0, P * paths));
s = diag (S);
B = Q(:,s > 1e-7 * s(1));
inner = reshape (B' * reshape (Xi, N0, P * paths), [], P, paths);
end
