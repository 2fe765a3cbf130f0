function fact = ap_rules (name)
%AP_RULES  The rules from scores to attention, with the properties that .m code uses: see the table in ap_rule.c.
%
%   names = AP_RULES ()         1 x k cell of their names
%   fact = AP_RULES (name)      struct of flags
%   Outputs:  fact.sums_to_one, what a query takes from all its keys sums to 1;  fact.needs_pairs, heads must have
%             queries and keys, bilinear ones will not do;  fact.factors, a factor of the n x n kernel matrix of n keys
%             is computed, which takes memory and time;  fact.slopes, attention changes smoothly with the scores
%   A new rule is one more row here.
%   See also ap_head_options, ap_check_maps, ap_inputs.

% SPDX-License-Identifier: BSD-3-Clause

%        name       sums_to_one  needs_pairs  factors  slopes
table = {'softmax', true,        false,       false,   true
         'hardmax', true,        false,       false,   false
         'cme',     false,       true,        true,    true};
if nargin == 0
  fact = table(:,1)';
else
  known = [find(strcmp (name, table(:,1))); 1];    % of a name that is none the gateways complain
  row = table(known(1),:);
  fact = struct ('sums_to_one', row{2}, 'needs_pairs', row{3}, 'factors', row{4}, 'slopes', row{5});
end
end
