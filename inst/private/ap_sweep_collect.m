function result = ap_sweep_collect (plan, record, there)
%AP_SWEEP_COLLECT  Records of a sweep as one struct array in the shape of the grid.
%   result = AP_SWEEP_COLLECT (plan, record, there)
%   Inputs :  plan, from ap_sweep_plan;  record, 1 x cells cell, empty where the record is in the folder or nowhere;
%             there, 1 x cells, whether the folder has it
%   Outputs:  result, as attnpath_sweep returns it: the fields cell, status and error, and all that the function
%             returned in any cell, in the order in which they first come up
%   A file that cannot be read, or is of another cell, is a failed cell whose message says so.
%   See also ap_sweep_plan, ap_sweep_store.

% SPDX-License-Identifier: BSD-3-Clause

total = numel (plan.file);
names = {'cell', 'status', 'error'};
columns = cell (total, 3);
last = cell (0, 1);
place = [];
for k = 1:total
  one = record{k};
  if isempty (one), one = read (plan, k, there(k)); end
  columns(k,1:3) = {one.cell, one.status, one.error};
  fields = fieldnames (one.value);
  if numel (fields) ~= numel (last) || ~all (strcmp (fields, last))
    names = [names, fields(~ismember (fields, names))'];
    [~, place] = ismember (fields, names);
    last = fields;
    columns(:,end+1:numel (names)) = {[]};
  end
  columns(k,place) = struct2cell (one.value);
end
result = reshape (cell2struct (columns, names, 2), plan.shape);
end

function record = read (plan, k, there)
record = struct ('cell', [], 'status', 'missing', 'error', '', 'value', struct ());
file = [plan.folder filesep() plan.file{k}];
if there
  try
    found = load (file, '-mat');
    why = 'it is of another cell';
    if ~ap_sweep_is_cell (found)
      why = 'it is no cell of a sweep';
    elseif strcmp (found.file, plan.file{k})
      record = rmfield (found, 'file');
      return
    end
  catch err
    why = err.message;
  end
  record.status = 'failed';
  record.error = sprintf ('%s cannot be used, remove it: %s', file, why);
end
record.cell = ap_sweep_at (plan, k);
end
