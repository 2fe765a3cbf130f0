function ap_sweep_folder (plan, seed, reading)
%AP_SWEEP_FOLDER  Open the folder of a sweep, make it if need be.
%   AP_SWEEP_FOLDER (plan, seed, reading)
%   Inputs :  plan, from ap_sweep_plan;  seed, of the sweep;  reading, true where nothing may be written
%   Errors:   attnpath:sweep: noFile, file, badFile, otherRun
%   The folder's own file, sweep.mat, says whose cells these are: the text of the function, without blanks, as versions
%   of Octave set them differently, what an anonymous function has captured, as fingerprints, the fields of the grid,
%   and the seed. Values of the grid are not among it.
%   See also ap_sweep_there, ap_sweep_store.

% SPDX-License-Identifier: BSD-3-Clause

f = 'sweep';
if exist (plan.folder, 'dir') ~= 7
  if reading, ap_fail (f, 'noFile', 'there is no folder %s to collect from', plan.folder); end
  [ok, why] = mkdir (plan.folder);
  if ~ok, ap_fail (f, 'file', 'the folder %s cannot be made: %s', plan.folder, why); end
end
own = struct ('fun', func2str (plan.fun), 'captured', {captured(plan.fun)}, 'fields', {sort(plan.names)}, ...
              'seed', seed);
file = fullfile (plan.folder, 'sweep.mat');
if isfile (file)
  compare (file, own);
elseif reading
  ap_fail (f, 'noFile', '%s holds no sweep: sweep.mat is not there', plan.folder);
else
  ap_save (file, f, own, ap_process ());
  compare (file, own);                             % another sweep may have begun here at the same time
end
if ~reading, clear_up (plan); end
end

function compare (file, own)
f = 'sweep';
try
  found = ap_load (file);
  complete = all (isfield (found, fieldnames (own))) && ischar (found.fun) && iscellstr (found.captured) ...
             && size (found.captured, 2) == 2 && iscellstr (found.fields) && isnumeric (found.seed) ...
             && numel (found.seed) == 1;
catch
  complete = false;
end
if ~complete, ap_fail (f, 'badFile', '%s is damaged, or was written by another program', file); end
where = ['the folder of ' file];
if ~strcmp (ap_without_blanks (found.fun), ap_without_blanks (own.fun))
  ap_fail (f, 'otherRun', '%s belongs to another sweep: its fun is %s, not %s', where, found.fun, own.fun);
elseif ~isequal (found.captured(:,1), own.captured(:,1))
  ap_fail (f, 'otherRun', '%s belongs to another sweep: its fun captured the variables %s, not %s', where, ...
           strjoin (found.captured(:,1)', ', '), strjoin (own.captured(:,1)', ', '));
end
for k = 1:size (own.captured, 1)
  if ~strcmp (found.captured{k,2}, own.captured{k,2})
    ap_fail (f, 'otherRun', '%s belongs to another sweep: the variable %s that fun captured has another value', ...
             where, own.captured{k,1});
  end
end
if ~isequal (found.fields, own.fields)
  ap_fail (f, 'otherRun', '%s belongs to another sweep: the fields of its grid are %s, not %s', where, ...
           strjoin (found.fields, ', '), strjoin (own.fields, ', '));
elseif found.seed ~= own.seed
  ap_fail (f, 'otherRun', '%s belongs to another sweep: its Seed is %.10g, not %.10g', where, found.seed, own.seed);
end
end

function pairs = captured (fun)
% n x 2: name and fingerprint of each variable that an anonymous function holds
pairs = cell (0, 2);
facts = functions (fun);
if isfield (facts, 'workspace') && ~isempty (facts.workspace)
  held = facts.workspace{1};
  names = sort (fieldnames (held));
  pairs = [names, cellfun(@(name) ap_digest (held.(name)), names, 'UniformOutput', false)];
end
end

function clear_up (plan)
% What killed processes have left: half-written files of processes of this host that are no more. While Octave 9 saves
% a file, its name ends in .saving_in_progress
if ~exist ('OCTAVE_VERSION', 'builtin') || ispc (), return; end
[~, names] = ap_sweep_there (plan);
[~, host] = ap_process ();
names = names(strncmp (names, 'cell_', 5));          % others may be no UTF-8, which regexp wants
found = regexp (names, '\.mat\.(.*)-(\d+)\.new(?:\.saving_in_progress)?$', 'tokens', 'once');
for k = find (~cellfun (@isempty, found))
  if strcmp (found{k}{1}, host) && ~ap_alive (str2double (found{k}{2}))
    ap_delete (fullfile (plan.folder, names{k}));
  end
end
end
