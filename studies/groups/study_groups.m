function study_groups (draws, folder, kept)
% study_groups: does leaving out all sequences of a class together predict the error on new classes?
%
%   study_groups (5, folder, kept)
%
% Uses the one-shot solutions that study_tune ('oneshot', 5, folder, kept) has written into the folder kept. Training
% sequences are left out in three ways:
%   corrected   attnpath_loo: one at a time, the order parameters corrected (T24)
%   plain       one at a time at fixed order parameters (T23)
%   groups      each sequence i with the set g of those that share one of its two classes, at fixed order parameters:
%               y_i - mu_i = ([A^-1]_gg^-1 (A^-1 y)_g)_i,  variance ([A^-1]_gg^-1)_ii - T
% Columns: the squared error of each way, and that on 2000 test sequences of new classes; the RMS calibration error,
% debiased (root mean square in bins of 0.1, their noise subtracted), of probabilities learnt in each way, on 10 000
% further sequences of the training classes and on those 2000.
% With inst, the folders of demos and studies, and the built gateways on the path, by full names,
% OPENBLAS_NUM_THREADS=1.

% SPDX-License-Identifier: BSD-3-Clause

widths = [10 50 200 1000];
for d = 1:draws
  data = tune_oneshot_data (d, folder);
  choice = load (fullfile (kept, sprintf ('tune_oneshot_%d.mat', d)));
  for n = 1:numel (widths)
    sol = setfield (choice.sol{n}, 'paths', data.train);
    loo = attnpath_loo (sol);
    A = attnpath_kernel (sol.net, sol.paths, sol.U) + sol.net.temperature * eye (numel (data.y));
    [mu, s2] = deal (cell (1, 3));
    [mu{1}, s2{1}] = deal (loo.mean, loo.variance);
    [mu{2}, s2{2}] = left_out (A, data.y, eye (numel (data.y)), sol.net.temperature);
    [mu{3}, s2{3}] = left_out (A, data.y, shared (data.class), sol.net.temperature);
    [f, v] = attnpath_predict (sol, data.test);
    [fa, va] = attnpath_predict (sol, data.asked);
    off(d,n,4) = mean ((f - data.ytest) .^ 2);
    for k = 1:3
      off(d,n,k) = mean ((mu{k} - data.y) .^ 2);
      known(d,n,k) = calibration_error (learnt_probability (mu{k}, s2{k}, data.y, fa, va), data.yasked);
      new(d,n,k) = calibration_error (learnt_probability (mu{k}, s2{k}, data.y, f, v), data.ytest);
    end
  end
  fprintf ('\n%d draws, sequences of a group: %.1f\n', d, mean (sum (shared (data.class), 2)));
  fprintf (['| N | error: corrected | plain | groups | test, new classes | calibration, training classes: ' ...
            'corrected | plain | groups | new classes: corrected | plain | groups |\n|--:|%s\n'], ...
           repmat ('--:|', 1, 10));
  for n = 1:numel (widths)
    fprintf ('| %d |%s%s%s\n', widths(n), sprintf (' %.3f |', mean (off(:,n,:), 1)), ...
             sprintf (' %.3f |', mean (known(:,n,:), 1)), sprintf (' %.3f |', mean (new(:,n,:), 1)));
  end
  fflush (stdout);
end
end

function g = shared (class)
% P x P: pairs of sequences with a common class
P = size (class, 2);
g = false (P);
for a = 1:3
  for b = 1:3, g = g | bsxfun (@eq, class(a,:)', class(b,:)); end
end
end

function [mu, s2] = left_out (A, y, with, T)
R = inv (A);
b = R * y;
[mu, s2] = deal (zeros (size (y)));
for i = 1:numel (y)
  g = find (with(:,i));
  block = inv (R(g,g));
  at = find (g == i);
  mu(i) = y(i) - block(at,:) * b(g);
  s2(i) = block(at,at) - T;
end
end
