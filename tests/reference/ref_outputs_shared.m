function [S, grad, part] = ref_outputs_shared (net, Xi, Y, order)
% REF_OUTPUTS_SHARED  Action of C outputs that share one U, divided by C: the ansatz at the end of section 12.
%   [S, grad, part] = ref_outputs_shared (net, Xi, Y, order): Xi N0 x P x Pi, Y P x C, order {U_1, ..., U_L}.
%   It is (T19) at U_l (x) I_C for every U_l and u_a I_C for U_{L+1}, divided by C: the one-output theory with y y'
%   replaced by Y Y' / C.  u_a is eliminated. It calls the one-output reference for each column of labels.
C = size (Y, 2);
S = 0;
part = struct ('energy', 0, 'entropy', 0, 'ua', 0);
grad = cell (size (order));
for c = 1:C                           % the mean over outputs of the action of each alone at this U
  [Sc, gradc, partc] = ref_action (net, Xi, Y(:,c), order);
  S = S + Sc / C;
  part.energy = part.energy + partc.energy / C;
  for l = 1:numel (order)
    if c == 1, grad{l} = zeros (size (gradc{l})); end
    grad{l} = grad{l} + gradc{l} / C;
  end
end
part.entropy = partc.entropy;         % the same for all
part.ua = partc.ua;
end
