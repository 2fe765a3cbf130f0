function text = ap_sampling_needs (net)
%AP_SAMPLING_NEEDS  What attnpath_sample needs and this network lacks, behind advice to use it: '' or a few words.
%
%   text = AP_SAMPLING_NEEDS (net)
%   See also attnpath_sample, attnpath_solve, attnpath_expand.

% SPDX-License-Identifier: BSD-3-Clause

text = '';
if any (fix (net.width) ~= net.width), text = ' of whole widths'; end
if net.temperature == 0, text = [text, ' at temperatures above 0']; end
end
