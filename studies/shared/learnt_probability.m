function p = learnt_probability (mu, s2, y, at, at_s2)
% learnt_probability: probabilities of +1 as attnpath_probability has them, from outputs instead of a model
%
%   p = learnt_probability (mu, s2, y, at, at_s2)
%   Inputs :  mu, s2, y, P x 1: outputs for examples that were not seen, and their labels;  at, at_s2, n x 1: outputs
%   Outputs:  p, n x 1. The functions behind are private: paths must be given by full names

% SPDX-License-Identifier: BSD-3-Clause

here = cd (fullfile (fileparts (which ('attnpath_probability')), 'private'));
back = onCleanup (@() cd (here));
p = ap_link (ap_link_fit (mu, s2, y), at, at_s2);
end
