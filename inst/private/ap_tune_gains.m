function info = ap_tune_gains (info, run, best, plan, what)
%AP_TUNE_GAINS  What a search by the gradient of the evidence tells besides: what was gained, and other criteria.
%
%   info = AP_TUNE_GAINS (info, run, best, plan, what)
%   Inputs :  info, from ap_tune_choice;  run, of attnpath_tune;  best, the point chosen;  plan, from ap_tune_plan;
%             what, for ap_tune_point
%   Outputs:  info, with gained and before; leave-one-out and (T25) in chosen; heads that are gone in bounds
%   See also attnpath_tune.

% SPDX-License-Identifier: BSD-3-Clause

found = run.at(:,best);
base = best;
if isfield (run, 'base'), base = run.base; end     % before 'Whole'
info.gained = struct ();
if any (plan.head(:))
  info.gained.heads = cellfun (@(scale) NaN (size (scale)), what.net.headscale, 'UniformOutput', false);
end
for k = 1:numel (found)
  nats = gain (plan.back (run.at(:,base), k), run, base);
  if plan.head(k,1) > 0
    info.gained.heads{plan.head(k,1)}(plan.head(k,2)) = nats;
  else
    info.gained.(plan.words{k}) = nats;
  end
end
info.bounds = [info.bounds, gone(plan.head(isinf (found),:))];
info.chosen = with_others (info.chosen, plan.read (found), run.points(best).order, what);
info.before = with_others (info.chosen, plan.read (plan.own), run.points(best).order, what);
end

function nats = gain (back, run, best)
% By how much the evidence falls at the point where one coordinate is put back
nats = NaN;
if isempty (back), return; end
k = find (max (abs (bsxfun (@minus, run.at, back)), [], 1) <= 1e-9, 1);
if ~isempty (k) && isfinite (run.f(k)), nats = run.f(k) - run.f(best); end
end

function text = gone (heads)
text = {};
if isempty (heads), return; end
named = arrayfun (@(l, h) sprintf ('head %d of layer %d', h, l), heads(:,1)', heads(:,2)', 'UniformOutput', false);
verb = {'has', 'have'};
text = {sprintf('%s %s gone to nothing, scale 0', strjoin (named, ', '), verb{1 + (size (heads, 1) > 1)})};
end

function entry = with_others (entry, at, start, what)
% The entry of a point, with all criteria there that exist
[entry.loo, entry.accuracy, entry.density, entry.evidence, entry.leading] = deal (NaN);
for name = intersect (fieldnames (at), fieldnames (entry))', entry.(name{1}) = at.(name{1}); end
net = ap_tune_net (what.net, at);
entry.variance = net.variance(1);
quiet = cellfun (@(id) warning ('off', ['attnpath:' id]), {'solve:noise', 'solve:padding', 'loo:seen'});
back = onCleanup (@() warning (quiet));
try
  sol = what.solve (net, 'Start', start, 'Certificate', false, 'Display', false);
  if ~sol.converged || attnpath_interrupt_mex ('seen'), return; end
  entry.leading = sol.evidence;
  paths = what.blocks * ap_path_count (net, 1:net.L + (what.blocks > 1));
  if what.blocks == what.outputs && all (net.width(1:numel (paths)) >= paths)
    logp = attnpath_evidence (sol);
    if attnpath_interrupt_mex ('seen'), return; end          % what was cut short is worth nothing
    entry.evidence = logp;
  end
  if ~isfield (sol, 'paths'), return; end
  loo = attnpath_loo (sol, 'Corrected', what.corrected, 'Display', what.display);
  if attnpath_interrupt_mex ('seen'), return; end
  [entry.loo, entry.accuracy, entry.density] = deal (loo.mse, loo.accuracy, loo.elpd);
catch err
  if any (strcmp (regexprep (err.identifier, '.*:', ''), {'tooLarge', 'outOfMemory'})), return; end      % they stay NaN
  ap_tune_excuse (err);
end
end
