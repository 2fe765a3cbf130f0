function classes = ap_model_classes (fname, model, y, C)
%AP_MODEL_CLASSES  The classes of a model, or an error if its labels are numbers.
%
%   classes = AP_MODEL_CLASSES (fname, model, y)
%   classes = AP_MODEL_CLASSES (fname, model, [], C)
%   Inputs :  fname, stem of the calling function;  model, solution, sample or trained network;  y, its labels in
%             numbers, [] where it holds none;  C, of its outputs then
%   Outputs:  C x 1: model.classes, where its labels were classes; [-1; 1], where they are -1 and +1; and 1 to C, where
%             they are P x C and each row has one value where its class is, and another one elsewhere. Moments note
%             whether all labels are -1 and +1
%   Errors:   attnpath:<fname>: badValue, badShape
%   See also ap_classes, ap_class_decide.

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 4, C = size (y, 2); end
noise = ap_field (model, 'noise', []);
if numel (noise) == size (y, 1), y = y(ap_used_examples (noise, size (y, 1)),:); end
if any (isnan (y(:))), y = y(~isnan (y(:,1)),:); end           % tokens without a label
if isfield (model, 'classes') && numel (model.classes) > 0
  classes = model.classes;
  ap_refuse (fname, 'badShape', C > 0 && numel (classes) ~= max (2, C), ...
             'model.classes must be %d x 1, as this model has outputs: %d, not %s', max (2, C), C, {classes});
  keys = ap_class_keys (fname, 'model.classes', classes);
  ap_refuse (fname, 'badValue', numel (unique (keys)) < numel (keys), ['model.classes must be %d different ' ...
             'classes, and has %d: was it changed?'], numel (keys), numel (unique (keys)));
elseif isempty (y) && isfield (model, 'moments') && isfield (model.moments, 'signs')
  classes = [-1; 1];
elseif isempty (y)
  ap_fail (fname, 'badValue', ['this model has no list of classes: its labels were numbers, and it ' ...
           'does not hold them. If they were -1 and +1, sign (mu) is the class, where mu is the first output']);
elseif size (y, 2) == 1 && all (abs (y) == 1)
  classes = [-1; 1];
elseif size (y, 2) > 1 && all (sum (y == max (y(:)), 2) == 1) && all (sum (y == min (y(:)), 2) == size (y, 2) - 1)
  classes = (1:size (y, 2))';
else
  ap_fail (fname, 'badValue', ['the labels of this model are numbers, and no classes: learn with ''Classes'', true ' ...
           'if they are']);
end
end
