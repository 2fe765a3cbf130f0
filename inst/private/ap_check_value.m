function value = ap_check_value (fname, name, value, kind, range)
%AP_CHECK_VALUE  A number, a flag, a word or the like as it is used, checked; an error reports what is wrong.
%
%   value = AP_CHECK_VALUE (fname, name, value, kind)
%   value = AP_CHECK_VALUE (fname, name, value, kind, range)
%   Inputs :  fname, stem of the calling function;  name, of the argument or option, for the message;  kind, range, of
%             the table
%
%   kind        range         what is allowed                                      what comes back
%   'number'    [lo hi]       one finite real number from lo to hi                 double
%   'positive'                one finite real number above 0                       double
%   'count'     [lo hi]       one integer from lo to hi, [1 Inf] without a range   double
%   'seed'                    one integer from 0 to 2^32 - 1                       double
%   'flag'                    true or false, or 1 or 0                             logical
%   'display'                 a flag, or 'off', 'none', 'final' or 'iter'          a level, below
%   'word'      {word, ..}    one of these words, whatever their case              the word as it is in range
%   'text'                    one line of text, or ''
%   'file'                    name of a file that can be written, or ''
%   'row'       {n, lo, hi}   n numbers from lo to hi, as row or column; n may     double, 1 x n
%                             be a letter, and {n} allows any numbers
%   'counts'    {n, lo, hi}   likewise, of integers; hi may be one for each        double, 1 x n
%   'array'     {size, ..}    array of these sizes, as for ap_check_array          double
%   'any'                     anything
%
%   Levels of 'display' are 0, 'off' or 'none' or false: nothing;  1, true: progress, in runs of more than two seconds;
%   2, 'iter': a line for each step, or chunk of work;  3, 'final': a line at the end. A level may also be given.
%   Errors:   attnpath:<fname>: badClass, sparse, notReal, empty, badShape, notFinite, badValue, file
%   Example:  chain = ap_check_value ('weights', 'chain', chain, 'count', [1 4]);
%   See also ap_check_array, ap_options.

% SPDX-License-Identifier: BSD-3-Clause

switch kind
  case 'number',    value = number (fname, name, value, range);
  case 'positive',  value = number (fname, name, value, [eps(0) Inf]);        % eps (0) is the smallest number above 0
  case 'count'
    if nargin < 5, range = [1 Inf]; end
    value = count (fname, name, value, range);
  case 'seed',      value = count (fname, name, value, [0, 2^32 - 1]);
  case 'flag',      value = flag (fname, name, value);
  case 'display',   value = level (fname, name, value);
  case 'word',      value = word (fname, name, value, range);
  case 'text',      check_text (fname, name, value);
  case 'file',      check_file (fname, name, value);
  case 'row',       value = row (fname, name, value, range{:});
  case 'counts'
    value = row (fname, name, value, range{:});
    bad = find (value ~= fix (value), 1);
    if ~isempty (bad)
      ap_fail (fname, 'badValue', '%s must be integers, but number %d is %.10g', name, bad, value(bad));
    end
  case 'array',     value = ap_check_array (fname, name, value, range);
end
end

% ---- numbers ---------------------------------------------------------------------------------------------

function value = number (fname, name, value, range)
if ~(isfloat (value) && numel (value) == 1 && isreal (value) && ~issparse (value) && isfinite (value))
  what = ap_fault (value, isfloat (value), numel (value) == 1);
  if isempty (what), what = 'notFinite'; end
  ap_fail (fname, what, '%s must be one finite real number, not %s', name, {value});
end
value = double (value);
if value >= range(1) && value <= range(2), return; end
ap_fail (fname, 'badValue', '%s must be %s, not %s', name, range_text (range), {value});
end

function text = range_text (range)
if range(1) == eps (0) && range(2) == Inf
  text = 'positive';
elseif range(1) == eps (0)
  text = sprintf ('positive and at most %.10g', range(2));
elseif range(2) == Inf
  text = sprintf ('at least %.10g', range(1));
elseif range(1) == -Inf
  text = sprintf ('at most %.10g', range(2));
else
  text = sprintf ('between %.10g and %.10g', range);
end
end

function value = count (fname, name, value, range)
value = number (fname, name, value, [-Inf Inf]);
if value ~= fix (value)
  ap_fail (fname, 'badValue', '%s must be an integer, not %s', name, {value});
end
value = number (fname, name, value, range);
end

function value = row (fname, name, value, n, lo, hi)
if isnumeric (value) && iscolumn (value), value = value.'; end
value = ap_check_array (fname, name, value, {1, n});
if nargin < 5, return; end
bad = find (value < lo | value > hi, 1);
if ~isempty (bad)
  range = [lo, hi(min (bad, end))];
  ap_fail (fname, 'badValue', '%s must be %s, but number %d is %.10g', name, range_text (range), bad, value(bad));
end
end

% ---- flags and words -------------------------------------------------------------------------------------

function value = flag (fname, name, value)
if ~(islogical (value) || isnumeric (value))
  what = 'badClass';
elseif isempty (value)
  what = 'empty';
elseif numel (value) ~= 1
  what = 'badShape';
elseif ~(value == 0 || value == 1)
  what = 'badValue';
else
  value = full (logical (value));
  return
end
ap_fail (fname, what, '%s must be true or false, not %s', name, {value});
end

function value = level (fname, name, value)
if ischar (value)
  words = {'off', 'none', 'iter', 'final'};
  levels = [0 0 2 3];
  given = value;
  value = levels(strcmpi (words, given));
  ap_refuse (fname, 'badValue', isempty (value), '%s must be true, false, ''off'', ''final'' or ''iter'', not %s', ...
             name, {given});
elseif isnumeric (value) && numel (value) == 1 && (value == 2 || value == 3)
  value = double (value);
else
  value = double (flag (fname, name, value));
end
end

function value = word (fname, name, value, choices)
what = 'badClass';
match = [];
if ischar (value)
  what = 'badValue';
  if size (value, 1) == 1, match = find (strcmpi (value, choices)); end
end
if isempty (match)
  choices = reshape (choices(~cellfun (@isempty, choices)), 1, []);
  ap_fail (fname, what, '%s must be one of %s, not %s', name, strjoin (choices, ', '), {value});
end
value = choices{match};
end

% ---- text and files --------------------------------------------------------------------------------------

function check_text (fname, name, value)
if ~ischar (value) || size (value, 1) > 1
  what = ap_either (ischar (value), 'badShape', 'badClass');
  ap_fail (fname, what, '%s must be text, not %s', name, {value});
elseif any (value == 0)
  ap_fail (fname, 'badValue', '%s must be text, and has a character of number 0 at place %d', name, ...
           find (value == 0, 1));
end
end

function check_file (fname, name, value)
ap_refuse (fname, 'badClass', ~(ischar (value) && (isempty (value) || size (value, 1) == 1)), ...
           '%s must be the name of a file, not %s', name, {value});
if isempty (value), return; end
[folder, first, last] = fileparts (value);
refuse = @(wrong, varargin) ap_refuse (fname, 'file', wrong, varargin{:});
refuse (any (value == 0), '%s must be the name of a file, and has a character of number 0 at place %d', name, ...
        find (value == 0, 1));
refuse (numel ([first, last]) > 220, ...
        '%s has a name of %d letters, and 220 are the most: files beside it have longer ones', name, ...
        numel ([first, last]));
refuse (isfolder (value), '%s must be a file, and %s is a folder', name, value);
refuse (~isempty (folder) && ~isfolder (folder), '%s %s is to be in a folder that does not exist', name, value);
refuse (is_special (value), '%s must be a file, and %s is a device or the like', name, value);
if isempty (folder), folder = pwd (); end
trial = tempname (folder);                         % better known now than at the first checkpoint
[file, why] = fopen (trial, 'w');
refuse (file < 0, '%s %s cannot be written: %s', name, value, why);
fclose (file);
ap_delete (trial);
end

function yes = is_special (value)
% exist () would find functions of this name as well
yes = false;
if exist ('OCTAVE_VERSION', 'builtin')
  [info, failed] = stat (value);
  yes = failed == 0 && ~S_ISREG (info.mode);
end
end
