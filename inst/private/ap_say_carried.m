function ap_say_carried (y, said, answer, by)
%AP_SAY_CARRIED  Prints what the theory gets right with the maps of a model, beside the model, and what follows.
%
%   AP_SAY_CARRIED (y, said, answer, by)
%   Inputs :  y, P x C labels, or P x 1 classes;  said, the theory's;  answer, the model's own, or [];  by, 'right' for
%             classes, 'explained' for numbers
%   Carried is (theory - base) / (model - base), where base is the share of the most frequent class. Numbers are
%   compared by the explained part of their variance, with a base of 0. The two limits, 0.9 and 0.5, are conventions.
%   See also attnpath_predict.

% SPDX-License-Identifier: BSD-3-Clause

if strcmp (by, 'right')
  [~, ~, which] = unique (y);
  base = max (accumarray (which(:), 1)) / numel (y);
  share = @(other) own_share (double (same (y, other)));
  note = sprintf (', the most frequent class %.3f', base);
else
  base = 0;
  spread = mean (sum (bsxfun (@minus, y, mean (y, 1)) .^ 2, 2));                    % of all outputs
  share = @(other) own_share (1 - sum ((y - other) .^ 2, 2) / spread);
  note = '';
end
theory = share (said);
fprintf ('attnpath_predict: %d examples, %s: the theory with these maps %.3f +- %.3f', size (y, 1), by, theory);
if isempty (answer)
  fprintf (['%s. How the model itself does is unknown: export its answers, answer= of ' ...
            'export_attention.py\n'], note);
  return
end
model = share (answer);
fprintf (', the model %.3f +- %.3f%s\n', model, note);
carried = (theory(1) - base) / (model(1) - base);
if model(1) - base <= 2 * model(2)
  fprintf ('The model itself is hardly better than that: there is nothing to explain\n');
elseif carried >= 0.9
  fprintf (['The maps carry %.0f %% of that: they suffice, and scores say which heads and paths this takes when ' ...
            'all values are learned anew\n'], 100 * min (carried, 1));
elseif carried >= 0.5
  fprintf ('The maps carry %.0f %% of that: scores of heads are about this part\n', 100 * carried);
else
  fprintf ('The maps do not explain this model, they carry %.0f %% of that: scores of its heads mean little\n', ...
           100 * max (carried, 0));
end
end

function yes = same (a, b)
if iscell (a), yes = strcmp (a, b); else, yes = a == b; end
end

function pair = own_share (each)
pair = [mean(each), std(each) / sqrt(numel (each))];
end
