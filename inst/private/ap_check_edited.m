function ap_check_edited (fname, name, model)
%AP_CHECK_EDITED  An error where what a model holds contradicts itself: what was changed in it must count everywhere.
%
%   AP_CHECK_EDITED (fname, name, model)
%   Inputs :  name, of the model, for messages;  model, one struct: solution, sample, or one with some of their fields
%   Functions read the network, the training set and the order parameters as the model holds them, and those that need
%   a stationary point refuse any other (notStationary). Order parameters are there twice, some read U, some order{1}.
%   Errors:   attnpath:<fname>: badValue, badShape, notFinite, notReal, sparse, unknownField
%   See also ap_training_set, ap_check_case, ap_check_expansion.

% SPDX-License-Identifier: BSD-3-Clause

ap_check_case (fname, name, model, {'net', 'paths', 'y', 'noise', 'classes', 'moments', 'U', 'order', 'outputs', 'w'});
if ~all (isfield (model, {'U', 'order'})) || ~iscell (model.order) || isempty (model.order), return; end
[U, first] = deal (model.U, model.order{1});
if ~isfloat (U) || ~isfloat (first), return; end
if ndims (U) == ndims (first) && all (size (U) == size (first)) && all (U(:) == first(:)), return; end
what = 'badShape';
if isequal (size (U), size (first)), what = 'badValue'; end
if ~all (isfinite (U(:))), what = 'notFinite'; end
if ~isreal (U), what = 'notReal'; end
if issparse (U), what = 'sparse'; end
ap_refuse (fname, what, ~strcmp (what, 'badValue') || ~ap_same (U, first), ['%s.U differs from %s.order{1}, and ' ...
           'they are the same order parameter: was one of them changed? For fewer draws take them from U, order ' ...
           'and ua alike, or remove the two: rmfield (%s, {''order'', ''ua''}). For another U there is ' ...
           'attnpath_predict (.., ''U'', U)'], name, name, name);
end
