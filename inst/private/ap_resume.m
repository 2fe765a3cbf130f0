function [run, claim] = ap_resume (fname, file, problem, fields)
%AP_RESUME  The run that a checkpoint holds, if it is one of this problem; [] if there is no such file, or no name.
%   [run, claim] = AP_RESUME (fname, file, problem, fields)
%   Inputs :  fname, stem of the calling function, whose checkpoints hold attnpath_<fname>_run;  problem, n x 2 cell,
%             name and value of all that decides the result, which run.problem must equal;  fields, those that run
%             must have besides
%   Outputs:  run;  claim, from ap_claim: other processes are kept from the file while the caller holds it
%   Errors:   attnpath:<fname>: badCheckpoint, otherRun, inUse
%   Files of 0.2.0 have no seal, but a checksum of their contents.
%   See also ap_save, ap_load, ap_digest, ap_fingerprint.

% SPDX-License-Identifier: BSD-3-Clause

[run, claim] = deal ([]);
if isempty (file), return; end
claim = ap_claim (fname, file);
if ~isfile (file), return; end                     % dir () reads a backslash and a star as patterns
[found, why, sealed] = deal (struct (), '', false);
try
  [found, sealed] = ap_load (file);
catch err
  why = [' (' err.message ')'];
end
name = ['attnpath_' fname '_run'];
complete = isfield (found, name) && numel (found.(name)) == 1 && all (isfield (found.(name), [{'problem'}, fields]));
ap_refuse (fname, 'badCheckpoint', ~complete, ...
           '%s is no checkpoint of attnpath_%s%s: remove it, or choose another name', file, fname, why);
run = found.(name);
before = run.problem;
if ~iscell (before) || size (before, 2) ~= 2 || ~iscellstr (before(:,1)), before = cell (0, 2); end
named = {'Noise', 'net.skip', 'net.headscale', 'settings.accept'};    % which only runs that have them name
differs = named(xor (ismember (named, before(:,1)), ismember (named, problem(:,1))));
ap_refuse (fname, 'otherRun', isempty (differs) && ~isequal (before(:,1), problem(:,1)), ...
           '%s belongs to another run, or was written by another version of attnpath', file);
if isempty (differs), differs = problem(~cellfun (@same, before(:,2), problem(:,2)),1); end
if ~isempty (differs)
  range = regexp (differs{1}, '^options\.(\w+)Range$', 'tokens', 'once');        % as these options were called
  if ~isempty (range), differs{1} = ['options.Ranges.' lower(range{1})]; end
  ap_fail (fname, 'otherRun', '%s belongs to another run: %s differs; remove the file, or choose another name', ...
           file, differs{1});
elseif ~sealed && (~isfield (found, 'checksum') || ~isequal (found.checksum, ap_digest (rmfield (found, 'checksum'))))
  ap_fail (fname, 'badCheckpoint', ['%s is not what attnpath_%s wrote: it is damaged, or by an earlier version; ' ...
           'remove it, or choose another name'], file, fname);
end
end

function yes = same (a, b)
try
  yes = isequal (a, b);
catch                                              % Octave compares no text of three dimensions
  yes = false;
end
end
