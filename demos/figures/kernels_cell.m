function out = kernels_cell (c, plan)
%KERNELS_CELL  Path-path kernels of the four-path Markov task, and how well they separate the labels.
%
%   out = kernels_cell (c, plan)
%   Inputs :  c, struct of seed;  plan, struct of width, of the combined kernel
%   Outputs:  struct of separation, 1 x 7: mean entry of equal labels minus mean entry of different labels, divided by
%             the standard deviation of all entries, without the diagonal. The kernels are those along the paths good,
%             denoising, adversarial 1 and 2, the cross kernel of good and denoising, the GP limit, and that at this
%             width; and at seed 1 kernels, P x P x 7, examples sorted by label

% SPDX-License-Identifier: BSD-3-Clause

d = markov_data ('Ptest', 2, 'Seed', c.seed);
net = d.net;
net.width(:) = plan.width;
sol = attnpath_solve (net, d.train, d.ytrain);
C = attnpath_pathkernels (net, d.train);
K = cat (3, C(:,:,1,1), C(:,:,3,3), C(:,:,2,2), C(:,:,4,4), C(:,:,1,3), attnpath_kernel (net, d.train, eye (4)), ...
         attnpath_kernel (net, d.train, sol.U));
y = d.ytrain;
aside = ~eye (numel (y));
equal = y * y' > 0;
for k = 1:7
  Kk = K(:,:,k);
  out.separation(k) = (mean (Kk(aside & equal)) - mean (Kk(~equal))) / std (Kk(aside));
end
out.kernels = [];
if c.seed > 1, return; end
[~, order] = sort (y, 'descend');
out.kernels = K(order,order,:);
end
