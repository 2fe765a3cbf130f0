function k = ap_khat_limit ()
%AP_KHAT_LIMIT  The largest k-hat of Pareto-smoothed weights with which an estimate is to be trusted.
%
%   k = AP_KHAT_LIMIT ()
%   Reference: Vehtari, Simpson, Gelman, Yao, Gabry, Pareto smoothed importance sampling, arXiv:1507.02646.
%   See also ap_psis, attnpath_loo, attnpath_influence, attnpath_compare.

% SPDX-License-Identifier: BSD-3-Clause

k = 0.7;
end
