function [net, given, y, noise, of, many] = ap_training_set (fname, model, moments, marked)
%AP_TRAINING_SET  Training set of a model: its network, and the path inputs and labels, or the moments, that it holds.
%
%   [net, Xi, y] = AP_TRAINING_SET (fname, model)
%   [net, given, y, noise, of] = AP_TRAINING_SET (fname, model, moments, marked)
%   [net, given, y, noise, ~, many] = AP_TRAINING_SET (fname, model)
%   Inputs :  model, struct with net, paths, y and perhaps noise, from attnpath_solve or attnpath_sample; where moments
%             is true, perhaps moments instead of these three;  marked, true: of is returned, false: it is compared
%   Outputs:  given, Xi or moments, y and noise, as ap_prepare takes them;  y, [] with moments;  noise, [] where the
%             model has none;  of, as from ap_check_inputs, [] where it was compared;  many, from ap_tokens:
%             of a network that reads all tokens, y and noise are flat lists, NaN and Inf for tokens without a label
%   Errors:   attnpath:<fname>: badClass, badValue, missingField, and those of ap_check_edited, ap_check_net,
%             ap_check_inputs, ap_labels, ap_check_noise and ap_check_moments
%   See also ap_examples, ap_prepare.

% SPDX-License-Identifier: BSD-3-Clause

moments = nargin > 2 && moments && isfield (model, 'moments');
fields = {'net', 'paths', 'y'};
if moments, fields = {'net'}; end
if numel (model) ~= 1 || ~all (isfield (model, fields)), refuse (fname, model, fields); end
ap_check_edited (fname, 'model', model);
net = ap_check_net (fname, model.net);
[y, noise, of, many] = deal ([]);
if moments
  given = ap_check_moments (fname, 'model.moments', model.moments, net);
else
  if nargin > 3 && marked                          % with path inputs the caller compares it
    [given, of] = ap_check_inputs (fname, 'model.paths', model.paths, net);
  else
    given = ap_check_inputs (fname, 'model.paths', model.paths, net);
  end
  many = ap_tokens (fname, 'model.paths', net, model.paths, size (given, 2));
  y = ap_labels (fname, 'model.y', model.y, many, true);
  noise = ap_check_noise (fname, 'model.noise', ap_field (model, 'noise', []), many, y);
end
end

function refuse (fname, model, fields)
ap_check_fields (fname, 'model', model, {}, 'attnpath_solve');
ap_check_is_model (fname, model);
ap_refuse (fname, 'badValue', ap_is_expansion (model), ['model is an expansion from attnpath_expand, and this ' ...
           'function has no next order: give its solution, model.sol']);
ap_refuse (fname, 'missingField', all (isfield (model, {'net', 'w'})), ['model is a trained network, which holds ' ...
           'no training set: solve the theory on its attention, attnpath_solve (gd.net, X, y)']);
ap_refuse (fname, 'missingField', isfield (model, 'moments'), ['model was made of moments, and this needs the ' ...
           'examples themselves: solve with paths and y, attnpath_solve (net, paths, y)']);
ap_check_edited (fname, 'model', model);           % a field may be there in other letters
missing = fields(~isfield (model, fields));
ap_fail (fname, 'missingField', ['model has no field %s: it must hold its network and training ' ...
         'set, as what attnpath_solve returns does'], missing{1});
end
