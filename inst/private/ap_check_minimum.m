function ap_check_minimum (fname, sol, remedy)
%AP_CHECK_MINIMUM  Refuses a solution that has not converged or, as its certificate has it, is no minimum.
%   AP_CHECK_MINIMUM (fname, sol)
%   AP_CHECK_MINIMUM (fname, sol, remedy)
%   Inputs :  sol, from attnpath_solve, or a struct like it; fields that it lacks are not checked;  remedy, what
%             needs no minimum, as one types it
%   A certificate within its rounding, hessian_doubt, refuses nothing: the caller's own Hessian then decides.
%   Errors:   attnpath:<fname>: badValue, notConverged, saddle, badClass
%   See also ap_warn_minimum.

% SPDX-License-Identifier: BSD-3-Clause

[other, more] = deal ('');
if nargin > 2, [other, more] = deal ([', or ' remedy], sprintf ('; %s needs no minimum', remedy)); end
ap_refuse (fname, 'badValue', isfield (sol, 'logpost'), ...
           'a sample is no solution: take one from attnpath_solve%s', other);
why = '';
if isfield (sol, 'reason') && ischar (sol.reason), why = [': ' sol.reason]; end
ap_refuse (fname, 'notConverged', isfield (sol, 'converged') && ~isequal (sol.converged, true), ...
           'sol has not converged, and results are right at a minimum alone%s%s', why, more);
if ~isfield (sol, 'hessian_min'), return; end
ap_refuse (fname, 'badClass', ~(isreal (sol.hessian_min) && isfloat (sol.hessian_min)), ...
           'sol.hessian_min must be a number, not %s', {sol.hessian_min});
undecided = isfield (sol, 'hessian_doubt') && isnumeric (sol.hessian_doubt) && isscalar (sol.hessian_doubt) ...
            && all (abs (sol.hessian_min) <= sol.hessian_doubt);
ap_refuse (fname, 'saddle', any (sol.hessian_min <= 0) && ~undecided, ['sol is no minimum, the action bends down ' ...
           'with curvature %.3g in some direction: try several ''Starts'' of attnpath_solve%s'], sol.hessian_min, ...
           other);
end
