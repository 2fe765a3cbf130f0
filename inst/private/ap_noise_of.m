function noise = ap_noise_of (model)
%AP_NOISE_OF  Variances of the labels' noise that a model remembers, [] if it was given none (T35).
%
%   noise = AP_NOISE_OF (model)     1 x P, as the model holds it
%   Inputs :  model, struct with the field noise or without it
%   See also ap_check_noise, ap_by_noise.

% SPDX-License-Identifier: BSD-3-Clause

noise = [];
if isfield (model, 'noise'), noise = model.noise; end
end
