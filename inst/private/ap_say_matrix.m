function ap_say_matrix (words, U)
%AP_SAY_MATRIX  Prints a matrix under its name, if it is small enough to be read.
%
%   AP_SAY_MATRIX (words, U)
%   Inputs :  words, the name;  U, the matrix, of which more than eight rows are not printed
%   See also ap_say_diagnosis.

% SPDX-License-Identifier: BSD-3-Clause

if isempty (U) || size (U, 1) > 8, return; end
fprintf ('%s =\n', words);
disp (U);
end
