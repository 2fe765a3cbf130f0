function ap_warn_seen (fname, paths, y, mse, accuracy)
%AP_WARN_SEEN  Warns if leave-one-out predictions are so good that a transformer may have memorised the examples.
%
%   AP_WARN_SEEN (fname, paths, y, mse, accuracy)
%   Inputs :  paths, of the training examples, y, their labels;  mse and accuracy of leave-one-out
%   Warnings: attnpath:<fname>:seen
%   It warns only with attention maps from the user: heads of a net process each example alone, and leaving one out
%   is valid. A transformer that was trained on these very examples has their answers in its maps and tokens,
%   and leaving one out does not remove them. Thresholds are a choice between measured values, errors as shares of the
%   labels' mean square (study_heads, and Markov tasks of P = 100 and 300):
%     memorised           0.09 to 0.13, and 97 to 99 % right: package descriptions, whose test has 87 to 90 %
%     fresh               0.27 to 0.30, and 91 to 94 % right: package descriptions and digits
%     the Markov task     0.15 to 0.34, and 90 to 99 % right
%   Memorised digits could not be distinguished from fresh ones, 0.27 and 94 %: the test is as good. A
%   model correct on nearly all fresh examples cannot be distinguished from one that memorised: the warning comes once
%   for a training set, in this session, and may still come where it was turned off.
%   See also attnpath_loo, attnpath_tune, attnpath_probability.

% SPDX-License-Identifier: BSD-3-Clause

persistent warned
P = size (y, 1);
share = mse / mean (y(:) .^ 2);
if P < 30 || ~ap_is_brought (paths) || ~(accuracy >= 0.95) || ~(share < 0.15), return; end
mark = ap_fingerprint (double ([y(:); reshape(paths.Xi(:,1,:), [], 1)]));
if ~isempty (warned) && ismember (mark, warned, 'rows'), return; end
id = ['attnpath:' fname ':seen'];
if strcmp (getfield (warning ('query', id), 'state'), 'off'), return; end
warning (id, ['attnpath_%s: %.4g %% of %d examples are right when they are left out, with ' ...
         'an error of %.2g of their labels'' mean square. Either your transformer is that good, or it was trained ' ...
         'on these very examples, and numbers cannot decide which: unless it has never seen them, export others. ' ...
         'This warning comes once for these examples'], fname, 100 * accuracy, P, share);
warned = [warned(max (1, end - 98):end,:); mark];
end
