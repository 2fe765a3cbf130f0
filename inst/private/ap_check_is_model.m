function ap_check_is_model (fname, model)
%AP_CHECK_IS_MODEL  Raises an error if a network is given instead of a model, or a sample of heads, which are many.
%
%   AP_CHECK_IS_MODEL (fname, model)
%   Asked before options are read, which X and y behind a network would be taken for.
%   Errors:   attnpath:<fname>: missingField, learnedHeads
%   See also ap_training_set, ap_check_edited.

% SPDX-License-Identifier: BSD-3-Clause

is_net = isstruct (model) && numel (model) == 1 && all (isfield (model, {'heads', 'width', 'temperature'}));
ap_refuse (fname, 'missingField', is_net, ['the first argument is a network, not a solution: solve first, ' ...
           'sol = attnpath_solve (net, X, y), and give sol']);
ap_refuse (fname, 'learnedHeads', ap_is_learned (model), ['model is a sample of heads (Method ''attention''): each ' ...
           'draw has path inputs of its own, and this function needs those of one network; such a sample is for ' ...
           'attnpath_predict, attnpath_attention, attnpath_weights and attnpath_diagnose']);
end
