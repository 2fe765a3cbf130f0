function [net, Xi, y] = ap_training_set (fname, model)
%AP_TRAINING_SET  What a model was made of: its network, the path inputs and the labels that it holds.
%
%   [net, Xi, y] = AP_TRAINING_SET (fname, model)
%   Inputs :  model, struct with net, paths and y, from attnpath_solve or attnpath_sample
%   Errors:   attnpath:<fname>: badClass, missingField, and those of ap_check_net, ap_check_inputs and ap_labels
%   See also ap_examples.

% SPDX-License-Identifier: BSD-3-Clause

if ~isstruct (model) || numel (model) ~= 1
  ap_fail (fname, 'badClass', 'model must be one struct, from attnpath_solve, not %s', ap_describe (model));
end
fields = {'net', 'paths', 'y'};
missing = fields(~isfield (model, fields));
if ~isempty (missing)
  ap_fail (fname, 'missingField', 'model has no field %s: it must hold its network and training set', missing{1});
end
net = model.net;
ap_check_net (fname, net);
Xi = ap_check_inputs (fname, 'model.paths', model.paths, net);
y = ap_labels (fname, 'model.y', model.y, size (Xi, 2));
end
