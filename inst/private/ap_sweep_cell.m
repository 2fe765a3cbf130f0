function [record, stopped] = ap_sweep_cell (plan, k, quiet)
%AP_SWEEP_CELL  Run one cell of a sweep, whatever its function does.
%   [record, stopped] = AP_SWEEP_CELL (plan, k, quiet)
%   Inputs :  plan, from ap_sweep_plan;  k, number of the cell;  quiet, true in a process of a sweep: nothing is shown
%   Outputs:  record, struct of cell (its values), status ('done' or 'failed'), error (the message, or '') and value (a
%             struct of what the function returned);  stopped, whether Ctrl-C ended a run of attnpath in it: the record
%             is then worth nothing
%   Warnings are kept in a field warnings of value, a cell of texts, unless fun returned a field of this name: all where
%   nothing is shown, otherwise the last one, which is as much as lastwarn has.
%   The cell has its own random stream, an error is its result, and the directory is afterwards what it was before. A
%   function that ends the session (exit) cannot be stopped, but a message names its cell.
%   See also ap_seeded, ap_sweep_store.

% SPDX-License-Identifier: BSD-3-Clause

here = pwd ();
record = struct ('cell', ap_sweep_at (plan, k), 'status', 'done', 'error', '', 'value', struct ());
left = onCleanup (@() within (plan, 0));
within (plan, k);
[text, id] = lastwarn ();
lastwarn ('', '');
shown = '';
if quiet
  shown = evalc ('[record, stopped] = tried (plan, k, record);');
else
  [record, stopped] = tried (plan, k, record);
end
within (plan, -k);
if ~isempty (record.error)
  record.status = 'failed';
  record.value = struct ();
end
warned = regexp (shown, '(?mi)^warning: (?!called from)(.*)$', 'tokens', 'dotexceptnewline');
warned = [warned{:}];
if isempty (warned) && ~isempty (lastwarn ()), warned = {lastwarn()}; end
if isempty (lastwarn ()), lastwarn (text, id); end
if ~isempty (warned) && ~isfield (record.value, 'warnings'), record.value.warnings = warned; end
if ~strcmp (pwd (), here), cd (here); end
end

function [record, stopped] = tried (plan, k, record)
stopped = false;
try
  record.value = ap_seeded (plan.seed(k,:), @() plan.fun (record.cell));
  [record.value, record.error] = fields_of (record.value, ~isempty (plan.folder));
catch err
  record.error = err.message;
  if isempty (record.error), record.error = 'an error without a message'; end
  stopped = ~isempty (regexp (err.identifier, '^attnpath:\w+:interrupted$', 'once'));
end
end

function within (plan, k)
% Called with k at the start of a cell, with -k at its end, and with 0 when it is left: if that is before its end, the
% session is ending, or Ctrl-C could not be held
persistent now
if k == 0 && now > 0
  [~, label] = ap_sweep_at (plan, now);
  fprintf ('attnpath_sweep: the cell %s was left by exit, or by Ctrl-C: it is not done\n', label);
end
now = k;
end

function [value, why] = fields_of (value, stored)
% One struct of what the function returned, and what is wrong with it
why = '';
if ~isstruct (value) || numel (value) ~= 1, value = struct ('value', {value}); end
own = {'cell', 'status', 'error'};
taken = own(isfield (value, own));
if ~isempty (taken)
  why = sprintf ('fun returned a field %s, which is one of the fields that results have of their own', taken{1});
elseif stored
  bad = stranger (value);
  if ~isempty (bad), why = sprintf ('fun returned a %s, which no MAT file can hold', bad); end
end
end

function name = stranger (value)
% Looks through value for what is no array, text, cell or struct, and gives its class; or a field with too long a name
name = '';
if isstruct (value)
  fields = fieldnames (value);
  long = fields(cellfun (@numel, fields) > 63);
  if ~isempty (long)
    name = sprintf ('field whose name has %d letters where 63 are allowed, %s', numel (long{1}), long{1});
    return
  end
  value = struct2cell (value);
end
if iscell (value)
  for k = 1:numel (value)
    name = stranger (value{k});
    if ~isempty (name), return; end
  end
elseif ~(isnumeric (value) || ischar (value) || islogical (value))
  name = class (value);
end
end
