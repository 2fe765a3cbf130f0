function group = ap_left_groups (fname, leave, many, noise)
%AP_LEFT_GROUPS  The examples that leave-one-out leaves out together: all tokens of a sequence, unless told otherwise.
%
%   group = AP_LEFT_GROUPS (fname, leave, many, noise)
%   Inputs :  leave, the option 'Leave', '', 'sequence' or 'token';  many, from ap_tokens;  noise, from ap_check_noise
%   Outputs:  [] where each example is left out alone; otherwise a column, of each example of finite noise the number of
%             its sequence, among those that have a labelled token
%   A sequence's other labels tell most of a token's own, so that tokens left out one by one say nothing of new
%   sequences (section 20 of theory.md).
%   Errors:   attnpath:<fname>: badValue; tooFew of what chooses by leave-one-out, where one sequence alone has labels
%   See also ap_tokens, ap_left_data, ap_left_out.

% SPDX-License-Identifier: BSD-3-Clause

group = [];
ap_refuse (fname, 'badValue', ~isstruct (many) && ~isempty (leave), ['Leave is for a net that reads all tokens: of ' ...
           'this one an example is a sequence, and each is left out alone']);
if ~isstruct (many) || strcmp (leave, 'token'), return; end
[~, ~, group] = unique (many.example(ap_used_examples (noise, numel (many.example))));
group = group(:);
chooses = any (strcmp (fname, {'scores', 'prune', 'tune'}));
ap_refuse (fname, 'tooFew', chooses && max (group) == 1, ['one sequence alone has labels, and without it there is ' ...
           'nothing to learn from: give more sequences, or ''Leave'', ''token'', which says nothing of new ones']);
end
