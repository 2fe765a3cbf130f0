function p = learnt_probability (mu, s2, y, at, at_s2)
% learnt_probability: probabilities of +1 by the link of attnpath_probability, from outputs instead of a model
%
%   p = learnt_probability (mu, s2, y, at, at_s2)
%   Inputs :  mu, s2, y, P x 1: outputs for new examples, and their labels;  at, at_s2, n x 1: outputs
%   Outputs:  p, n x 1. It calls private functions: the load path must have full names

% SPDX-License-Identifier: BSD-3-Clause

here = cd (fullfile (fileparts (which ('attnpath_probability')), 'private'));
back = onCleanup (@() cd (here));
p = ap_probit (ap_probit_fit (mu, s2, y), at, at_s2);
end
