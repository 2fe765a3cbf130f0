function keep_whole (file, values)
%KEEP_WHOLE  Write a struct's fields, results of hours, to a MAT file, completely or not at all.
%   keep_whole (file, values)
%   See also expand_draws, study_tune, study_calibration.

% SPDX-License-Identifier: BSD-3-Clause

save ('-v6', [file '.new'], '-struct', 'values');
why = attnpath_rename_mex ([file '.new'], file);
if ~isempty (why), error ('%s cannot be written: %s', file, why); end
end
