function [model, C] = ap_plot_model (what, model, training)
%AP_PLOT_MODEL  A model as a figure needs it, checked.
%
%   model = AP_PLOT_MODEL (what, model, false)                    net and U; of several U the mean
%   [model, C] = AP_PLOT_MODEL (what, model, true)                the training examples besides
%   AP_PLOT_MODEL (what, model)                                   any struct will do
%   Inputs :  what, the kind of figure, for messages
%   Outputs:  model with y, coded, left, which examples are learned, and many, from ap_tokens: of a net that reads all
%             tokens y and left are flat lists;  C, outputs that have an index in U. An expansion gives its solution,
%             with the expansion as a field
%   Errors:   attnpath:plot: badClass, missingField, and those of the functions called
%   See also attnpath_plot.

% SPDX-License-Identifier: BSD-3-Clause

ap_check_fields ('plot', 'model', model, {}, 'attnpath_solve');
ap_check_is_model ('plot', model);
if nargin < 3, return; end
if ap_is_expansion (model)
  ex = model;
  ap_check_expansion ('plot', ex);
  [model, C] = ap_plot_model (what, model.sol, training);
  model.expansion = ex;
  return
end
needs = {'net', 'U', 'paths', 'y'};
if ~training, needs = needs(1:2); end
missing = find (~isfield (model, needs), 1);
ap_refuse ('plot', 'missingField', ~isempty (missing), '''%s'' needs a model with a field %s', what, needs{missing});
ap_check_edited ('plot', 'model', model);
model.net = ap_check_net ('plot', model.net);
if isfloat (model.U) && ~issparse (model.U) && ~isempty (model.U), model.U = mean (model.U(:,:,:), 3); end
[model.U, C] = ap_check_blocks ('plot', 'model.U', model.U, model.net, ap_either (training, 'semidefinite', 'any'));
if ~training, return; end
Xi = ap_check_inputs ('plot', 'model.paths', model.paths, model.net);
P = size (Xi, 2);
model.many = ap_tokens ('plot', 'model.paths', model.net, model.paths, P);
model.y = ap_labels ('plot', 'model.y', model.y, model.many, true);
noise = ap_check_noise ('plot', 'model.noise', ap_field (model, 'noise', []), model.many, model.y);
model.left = ap_used_examples (noise, P);
if ~strcmp (what, 'kernel') || all (model.left), return; end
[model.paths, model.y] = deal (struct ('Xi', Xi(:,model.left,:)), model.y(model.left,:));  % no others are in the figure
end
