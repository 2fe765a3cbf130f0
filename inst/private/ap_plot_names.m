function names = ap_plot_names (what, names, standard, of)
%AP_PLOT_NAMES  The labels given by the user, or the default ones.
%
%   names = AP_PLOT_NAMES (what, names, standard, of)
%   Inputs :  what, the kind of figure;  names, option Names;  standard, cell of texts, or rows
%             [layer head];  of, what each of them names
%   Errors:   attnpath:plot: badClass, badShape

% SPDX-License-Identifier: BSD-3-Clause

if isnumeric (standard)
  standard = arrayfun (@(l, h) sprintf ('%d.%d', l, h), standard(:,1)', standard(:,2)', 'UniformOutput', false);
end
if isempty (names)
  names = standard;
elseif ~iscellstr (names)
  ap_fail ('plot', 'badClass', 'Names must be a cell of texts, not %s', {names});
end
ap_refuse ('plot', 'badShape', numel (names) ~= numel (standard), ...
           'Names must hold %d texts for ''%s'', one for each %s, not %d', numel (standard), what, of, numel (names));
end
