function model = ap_check_removable (fname, sol, by, leave)
%AP_CHECK_REMOVABLE  A solution, checked, from which heads can be removed.
%
%   model = AP_CHECK_REMOVABLE (fname, sol, by, leave)
%   Inputs :  sol, from attnpath_solve;  by, 'loo' or 'evidence', for which it may be one of moments;
%             leave, the option 'Leave'
%   Outputs:  model, struct of net, order, U, outputs, leave, and of paths, y and perhaps noise, or of moments
%   Errors:   attnpath:<fname>: missingField, and those of ap_training_set, ap_left_groups, ap_check_minimum and
%             ap_check_order
%   See also ap_without, attnpath_prune, attnpath_scores.

% SPDX-License-Identifier: BSD-3-Clause

[net, given, y, noise, ~, many] = ap_training_set (fname, sol, strcmp (by, 'evidence'));
ap_check_fields (fname, 'sol', sol, {'order'}, 'attnpath_solve');
if strcmp (by, 'loo'), ap_left_groups (fname, leave, many, noise); end
C = ap_outputs (given, y);
word = ap_either (isfield (sol, 'paths'), '''ablation''', '''share''');
ap_check_minimum (fname, sol, sprintf (ap_either (strcmp (fname, 'scores'), '''By'', %s', ...
                                                  'attnpath_scores (sol, ''By'', %s)'), word));
blocks = ap_output_blocks (net, sol.order, C);
model = struct ('net', net, 'order', {ap_check_order(fname, 'sol.order', sol.order, net, blocks)}, ...
                'outputs', ap_either (blocks < C, 'shared', 'coupled'), 'leave', leave);
model.U = model.order{1};
if isstruct (given)
  model.moments = given;
  return
end
[model.paths, model.y] = deal (struct ('Xi', given, 'brought', ap_is_brought (sol.paths)), ap_to_tokens (many, y));
if isstruct (many)
  [model.paths.example, model.paths.token, model.paths.tokens] = deal (many.example', many.token', many.T);
  noise = ap_to_tokens (many, noise');
end
if ~isempty (noise), model.noise = noise; end
end
