function g = ref_gradient (net, Xi, Y, order)
% REF_GRADIENT  Derivatives of the log evidence with respect to all parameters except U, term by term: (T33), (T34).
%   g = ref_gradient (net, Xi, Y, order): Xi N0 x P x Pi, Y P x C, order {U_1, ..., U_L}, for C > 1 {U_1, ..., U_{L+1}}.
%   g.temperature, g.variance (1 x (L+2)), g.heads ({1 x H_l}), g.noise (1 x P), for logarithms; g.paths, N0 x P x Pi.
%   u_a is eliminated.
[N0, P, Pi] = size (Xi);
C = size (Y, 2);  L = net.L;  N = net.width;  sigma2 = net.variance;
U = order;
if C == 1, [~, ~, part] = ref_action (net, Xi, Y, order);  U{L+1} = part.ua; end
at = @(p, c) (p - 1) * C + c;             % rows of U_1: path slowest, output fastest
V = ref_noise (net, P * C);
A = ref_kernel (net, Xi, U{1}, Xi) + V;
b = A \ Y(:);
M = inv (A) - b * b';

g.paths = zeros (N0, P, Pi);              % (T33)
for c = 1:C
  for d = 1:C
    for mu = 1:P
      for nu = 1:P
        for p = 1:Pi
          for q = 1:Pi
            g.paths(:,mu,p) = g.paths(:,mu,p) + 2 * sigma2(1) / (N0 * Pi) * M((c - 1) * P + mu,(d - 1) * P + nu) ...
                              * U{1}(at(p, c),at(q, d)) * Xi(:,nu,q);
          end
        end
      end
    end
  end
end
g.paths = -g.paths / 2;
g.temperature = -trace (V * M) / 2;
g.noise = -sum (reshape (diag (V * M), P, C), 2)' / 2;                           % (T35)

list = ref_pathlist (net.H);              % (T34): a head's scale multiplies the inputs of its paths
for l = 1:L
  for h = 1:net.H(l)
    through = list(:,l) == h;
    g.heads{l}(h) = sum (sum (sum (g.paths(:,:,through) .* Xi(:,:,through))));
  end
end

g.variance(1) = sum (g.paths(:) .* Xi(:)) / 2;
                                          % the entropy's share minus that at the GP point: N_l (Pi_l - tr ..)
above = [U, {1}];
for l = 1:L+1
  ptr = ref_ptr (U{l}, size (U{l}, 1) / size (above{l+1}, 1));
  g.variance(l+1) = -N(l) * (size (U{l}, 1) - trace (above{l+1} \ ptr) / sigma2(l+1)) / 2;
end
end
