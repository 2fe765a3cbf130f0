function [info, best] = ap_tune_choice (run, plan, y, noise, judge)
%AP_TUNE_CHOICE  The best point of a search by each criterion, their agreement, and the gains.
%
%   [info, best] = AP_TUNE_CHOICE (run, plan, y, noise, judge)
%   Inputs :  run, struct of at, f, points, how;  plan, from attnpath_tune;  y, labels, [] of moments;  noise, from
%             ap_check_noise;  judge, @(at, start): a point of a search with derivatives with all of its criteria
%   Outputs:  info, as attnpath_tune returns it;  best, the point chosen, [] if none
%   See also attnpath_tune.

% SPDX-License-Identifier: BSD-3-Clause

criteria = {'leave-one-out error',     'loo',      -1
            'leave-one-out density',   'density',  1
            'evidence',                'evidence', 1
            'evidence, leading order', 'leading',  1};
all_of = arrayfun (@(k) entry_of (plan.read (run.at(:,k)), run.points(k), plan), 1:numel (run.f));
within = all (bsxfun (@ge, run.at, plan.low - 1e-9) & bsxfun (@le, run.at, plan.high + 1e-9), 1);
[low, best] = min (run.f + (1 ./ within - 1));     % what is put back may be out of its range
bad = isinf (run.f);
why = [{run.points(bad).why}, {''}];
info = struct ('chosen', [], 'tried', columns (all_of), 'by', plan.by, 'reason', run.how, 'bounds', {{}}, ...
               'failed', sum (bad), 'failure', why{1}, 'interrupted', false, 'disagree', '');
if isinf (low)
  best = [];
  return
end
if isfield (run, 'final'), best = run.final; end   % whole widths are to be
info.bounds = at_bounds (run.at(:,best), plan);
ours = strcmp (criteria(:,2), plan.key);
picks = [];
for row = [find(ours), find(~ours)']
  [top, pick] = max (criteria{row,3} * [all_of.(criteria{row,2})]);
  if isempty (picks), pick = best; elseif isnan (top), continue; end
  all_of(pick).criterion = criteria{row,1};
  info.chosen = [info.chosen, all_of(pick)];
  picks(end+1) = pick;
end
left = ap_learned (noise, size (y, 1));
if ~isempty (noise), [y, noise] = deal (y(left,:), noise(left)'); end
info.disagree = dispute (info.chosen, run.points(picks), y, noise);
if plan.slopes, info = with_gains (info, run, best, plan, judge); end
end

function entry = entry_of (at, point, plan)
entry = struct ('criterion', '', 'temperature', at.temperature, 'width', point.width, ...
                'variance', plan.variance * at.scale, 'scale', at.scale);
for name = {'loo', 'accuracy', 'density', 'evidence', 'leading'}, entry.(name{1}) = point.(name{1}); end
for name = intersect (fieldnames (at), {'bandwidth', 'ridge', 'headscale'})', entry.(name{1}) = at.(name{1}); end
end

function tried = columns (entries)
for name = fieldnames (rmfield (entries, {'criterion', 'variance'}))'
  tried.(name{1}) = vertcat (entries.(name{1}));
end
tried.width = max (tried.width, [], 2);
if isfield (tried, 'headscale'), tried.headscale = cell2mat (tried.headscale); end
end

function text = at_bounds (at, plan)
ends = {'lower', 'upper'};
[there, side] = max (abs ([at - plan.low, at - plan.high]) < 1e-9, [], 2);
text = arrayfun (@(k) sprintf ('the best %s is at the %s bound of its range, %.4g', plan.names{k}, ends{side(k)}, ...
                               exp (at(k))), find (there)', 'UniformOutput', false);
end

function text = dispute (chosen, points, y, noise)
% Squared errors of examples left out, at two choices: the difference's mean against its standard error
text = '';
[worst, a] = deal (0, chosen(1));
for k = 2:numel (chosen)
  if isempty (points(k).mean) || isempty (points(1).mean), continue; end
  d = mean ((points(k).mean - y) .^ 2 - (points(1).mean - y) .^ 2, 2);         % of an example, over its outputs
  if ~isempty (noise), d = d ./ noise / mean (1 ./ noise); end
  apart = abs (mean (d));
  if apart > max ([worst, 0.1 * min(chosen(k).loo, a.loo), 2 * std(d) / sqrt(numel (d))])
    [worst, b] = deal (apart, chosen(k));
  end
end
if worst == 0, return; end
text = sprintf (['%s chooses T = %.3g, N = %.4g with a leave-one-out error of %.3g, and %s T = %.3g, N = %.4g with ' ...
                 '%.3g. The error measures means, density and evidence the variances too. Compare them on ' ...
                 'held-out examples: info.chosen has both; ''By'', ''density'' or ''evidence'' takes the other'], ...
                a.criterion, a.temperature, max (a.width), a.loo, b.criterion, b.temperature, max (b.width), b.loo);
end

function info = with_gains (info, run, best, plan, judge)
% The gain of each coordinate, other criteria at the choice and at the given network, and removed heads
[base, start] = deal (best, run.points(best).order);
if isfield (run, 'base'), base = run.base; end     % before 'Whole'
info.gained = struct ();
if any (plan.head(:))
  info.gained.heads = cellfun (@(scale) NaN (size (scale)), plan.net.headscale, 'UniformOutput', false);
end
for k = 1:size (plan.head, 1)
  nats = gain (plan.back (run.at(:,base), k), run, base);
  [l, h] = deal (plan.head(k,1), plan.head(k,2));
  if l > 0, info.gained.heads{l}(h) = nats; else, info.gained.(plan.words{k}) = nats; end
end
at = plan.read (run.at(:,best));
at.width = run.points(best).width;
own = plan.read (plan.own);
info.before = entry_of (own, judge (own, start), plan);
criterion = info.chosen.criterion;
info.chosen = entry_of (at, judge (at, start), plan);
[info.chosen.criterion, info.before.criterion] = deal (criterion);
gone = plan.head(isinf (run.at(:,best)),[2 1]);
if isempty (gone), return; end
named = sprintf (', head %d of layer %d', gone');
info.bounds{end+1} = sprintf ('%s %s scale 0', named(3:end), ap_either (size (gone, 1) > 1, 'have', 'has'));
end

function nats = gain (back, run, best)
% By how much the evidence falls at the point where one coordinate is put back
nats = NaN;
if isempty (back), return; end
k = find (max (abs (bsxfun (@minus, run.at, back)), [], 1) <= 1e-9, 1);
if ~isempty (k) && isfinite (run.f(k)), nats = run.f(k) - run.f(best); end
end
