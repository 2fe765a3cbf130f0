function ap_fail (fname, what, format, varargin)
%AP_FAIL  Raise attnpath:<fname>:<what> with the caller's name before the sentence.
%   AP_FAIL (fname, what, format, ...)
%   Inputs :  fname, stem of the calling function;  what, last part of the id;  format, ... as for sprintf
%   Example:  ap_fail ('net', 'badValue', 'width %d is %g, it must be positive', l, width(l));

% SPDX-License-Identifier: BSD-3-Clause

error (['attnpath:' fname ':' what], ['attnpath_%s: ' format], fname, varargin{:});
end
