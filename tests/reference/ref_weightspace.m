function [E, G, mu, s2] = ref_weightspace (net, Xi, y, U, Xi2)
% Energy, its derivative by U_1 and the predictor from sums over examples, (T20) to (T22), U positive definite.
%   Inputs :  Xi, N0 x P x Pi;  y, P x 1;  U, Pi x Pi;  Xi2, N0 x P2 x Pi
%   Outputs:  E;  G, Pi x Pi;  mu and s2, P2 x 1

[N0, P, paths] = size (Xi);
Phi = features (net, Xi);
S = Phi' * Phi;                                    % (T20)
q = Phi' * y;
R = chol (U)';
T = net.temperature;
RI = kron (R, eye (N0));
B = RI' * S * RI;
z = RI' * q;
M = N0 * paths;
Z = inv (T * eye (M) + B);
w = Z * z;
E = (P - M) * log (T) + 2 * sum (log (diag (chol (T * eye (M) + B)))) + (y' * y - z' * Z * z) / T;      % (T21)
inner = zeros (paths);
for a = 1:paths
  for b = 1:paths
    for i = 1:N0
      ia = i + N0 * (a - 1);
      ib = i + N0 * (b - 1);
      inner(a,b) = inner(a,b) + (ia == ib) - T * Z(ia,ib) - w(ia) * w(ib);                             % (T22)
    end
  end
end
G = R' \ inner / R;
F = features (net, Xi2) * RI;
mu = F * w;
s2 = T * sum ((F * Z) .* F, 2);
end

function Phi = features (net, Xi)
[N0, P, paths] = size (Xi);
Phi = zeros (P, N0 * paths);
for mu = 1:P
  for a = 1:paths
    for i = 1:N0
      Phi(mu,i+N0*(a-1)) = sqrt (net.variance(1)) * Xi(i,mu,a) / sqrt (N0 * paths);
    end
  end
end
end
