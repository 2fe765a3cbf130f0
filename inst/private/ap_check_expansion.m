function ap_check_expansion (fname, ex)
%AP_CHECK_EXPANSION  An error unless this is as attnpath_expand returned it, and of the solution that it holds.
%
%   AP_CHECK_EXPANSION (fname, ex)
%   Inputs :  ex, for which ap_is_expansion is true
%   Errors:   attnpath:<fname>: missingField, badClass, badValue, and those of ap_check_array
%   See also ap_is_expansion, attnpath_expand.

% SPDX-License-Identifier: BSD-3-Clause

ap_check_fields (fname, 'ex', ex, {'U', 'U_sd', 'worth', 'sol', 'lines'}, 'attnpath_expand');
ap_check_fields (fname, 'ex.worth', ex.worth, {'score', 'largest', 'classes'}, 'attnpath_expand');
ap_check_fields (fname, 'ex.sol', ex.sol, {'U'}, 'attnpath_expand');
ap_check_edited (fname, 'ex.sol', ex.sol);
ap_check_fields (fname, 'ex.lines', ex.lines, {'F', 'root', 'shift', 'step'}, 'attnpath_expand');
U = ap_check_array (fname, 'ex.sol.U', ex.sol.U, {'n', size(ex.sol.U, 1)});
n = size (U, 1);
for name = {'U', 'U_sd'}, ap_check_array (fname, ['ex.' name{1}], ex.(name{1}), {n, n}); end
F = ap_check_array (fname, 'ex.lines.F', ex.lines.F, {n, n});
off = norm (F * F' - U, 'fro') / norm (U, 'fro');
rounded = all ([F(:); U(:)] == double (single ([F(:); U(:)])));
ap_refuse (fname, 'badValue', rounded && off > 1e-14, ...
           ['ex was saved in single precision, as save -float-hdf5 and -float-binary do: its last digits are lost. ' ...
            'Save with -binary, -hdf5 or -v7 instead']);
ap_check_array (fname, 'ex.lines.root', ex.lines.root, {n * (n + 1) / 2, n * (n + 1) / 2});
ap_check_array (fname, 'ex.lines.shift', ex.lines.shift, {n * (n + 1) / 2, 1});
ap_check_value (fname, 'ex.lines.step', ex.lines.step, 'positive');
ap_refuse (fname, 'badValue', off > 1e-8, ...
           'ex.lines are not those of ex.sol, whose U is another: attnpath_expand (ex.sol) expands about that');
end
