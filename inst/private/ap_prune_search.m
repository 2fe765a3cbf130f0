function [heads, curve] = ap_prune_search (sol, opt)
%AP_PRUNE_SEARCH  Heads removed one at a time, each time the one without which the criterion is best.
%
%   [heads, curve] = AP_PRUNE_SEARCH (sol, opt)
%   Inputs :  sol, solution from attnpath_solve;  opt, struct of By, Left, Checkpoint and Display, as attnpath_prune
%             checks and explains them
%   Outputs:  as those of attnpath_prune
%   A unit of work of ap_run is a head that is tried. The last head of a layer is not tried but counts as tried, so that
%   the number of units is known beforehand. Every trial starts from the solution of the step before, never from that of
%   another trial: results do not depend on how a run is cut.
%   Errors:   attnpath:prune: badClass, missingField, badValue, otherRun, badCheckpoint, inUse
%   See also attnpath_prune, ap_solve_without, ap_run.

% SPDX-License-Identifier: BSD-3-Clause

[model, mark] = checked (sol, opt);
list = ap_head_list (model.net.H);
n = size (list, 1);
if isempty (opt.Left), opt.Left = model.net.L; end
if opt.Left < model.net.L || opt.Left > n
  ap_fail ('prune', 'badValue', 'Left must be from %d, a head for each layer, to %d, all heads, not %d', ...
           model.net.L, n, opt.Left);
end
facts = {model.net.H, model.net.width, model.net.variance, model.net.temperature};
if any (model.net.skip), facts{end+1} = model.net.skip; end
scale = model.net.headscale;
if any ([scale{:}] ~= 1), facts{end+1} = scale; end
problem = {'the criterion', opt.By; 'the network', facts; 'the training set', mark; ...
           'the solution', cellfun(@(U) ap_fingerprint (U), model.order, 'UniformOutput', false)};
clock = tic ();
held = onCleanup (@() attnpath_interrupt_mex ('release'));
attnpath_interrupt_mex ('hold');                   % see ap_run: from here on Ctrl-C ends the run, and loses nothing
[run, claim] = ap_resume ('prune', opt.Checkpoint, problem, {'heads', 'value', 'order', 'tried', 'best'});
if isempty (run)
  run = struct ('problem', {problem}, 'heads', zeros (0, 2), 'value', ap_removal_cost (model, opt.By), ...
                'order', {{model.order}}, 'tried', NaN (n, 0), 'next', 1, 'best', {{Inf, 0, {}}}, 'unsure', 0);
elseif size (run.heads, 1) > n - opt.Left
  ap_fail ('prune', 'otherRun', '%s is of a search that has removed %d heads already, more than Left = %d allows', ...
           opt.Checkpoint, size (run.heads, 1), opt.Left);
end
goal = sum (n:-1:opt.Left + 1);
job = struct ('name', 'prune', 'goal', goal, 'done', @(run) units (run, n, opt.Left), 'overhead', 0, ...
              'advance', @(run, count) try_some (run, count, model, list, opt), ...
              'clock', @() toc (clock), 'file', opt.Checkpoint, 'every', 10, ...
              'pack', @(run) struct ('attnpath_prune_run', run), 'display', opt.Display, ...
              'report', @(run, notes, last) report (run, n, opt, notes));
[run, ending] = ap_run (job, run);
[heads, curve] = result (run, n, opt, ending);
attnpath_interrupt_mex ('forget');
end

function [model, mark] = checked (sol, opt)
% The solution with what a step needs, and the numbers by which its training set is known
[net, given, y, noise] = ap_training_set ('prune', sol, strcmp (opt.By, 'evidence'));
if ~isfield (sol, 'order')
  ap_fail ('prune', 'missingField', 'sol has no field order: it must be a solution from attnpath_solve');
end
C = ap_outputs (given, y);
blocks = ap_output_blocks (net, sol.order, C);
words = {'coupled', 'shared'};
model = struct ('net', net, 'order', {ap_check_order('prune', 'sol.order', sol.order, net, blocks)});
model.more = {'Outputs', words{1 + (blocks < C)}};
model.U = model.order{1};
if isstruct (given)
  model.moments = given;
  mark = ap_fingerprint (given.sums);
  return
end
mark = [ap_fingerprint(given), ap_fingerprint(y)];
model.paths = struct ('Xi', given);
model.y = y;
if ~isempty (noise)
  model.noise = noise;
  mark = [mark, ap_fingerprint(noise)];
end
[N0, P, count] = size (given);
if strcmp (opt.By, 'evidence') && P > N0 * count   % few moments stand for many examples: once, and not at every trial
  model.moments = attnpath_moments (net, model.paths, y, 'Form', 'factor', 'Noise', noise, 'Display', false);
  model = rmfield (model, {'paths', 'y'});
end
end

function done = units (run, n, left)
k = size (run.heads, 1);
done = sum (n:-1:max (n - k, left) + 1);
if n - k > left, done = done + run.next - 1; end
end

function [where, more, notes] = report (run, n, opt, notes)
k = size (run.heads, 1);
where = sprintf ('%d of %d heads removed', k, n - opt.Left);
more = '';
if k > 0
  more = sprintf (', last %d.%d, %s %.4g of %.4g', run.heads(end,:), name_of (opt.By), ...
                  sign_of (opt.By) * run.value([end 1]));
end
end

function text = name_of (by)
text = 'log evidence';
if strcmp (by, 'loo'), text = 'error'; end
end

function s = sign_of (by)
s = 1 - 2 * strcmp (by, 'evidence');
end

function [run, ending, seconds] = try_some (run, count, model, list, opt)
begun = tic ();
ending = '';
n = size (list, 1);
if isnan (run.value(1)), run.value(1) = ap_removal_cost (model, opt.By); end       % cut short when the run began
now = small (model, run, size (run.heads, 1));
for k = 1:count
  if size (run.tried, 2) <= size (run.heads, 1), run.tried(:,end+1) = NaN; end
  left = find (~ismember (list, run.heads, 'rows'));
  head = list(left(run.next),:);
  local = [head(1), sum(list(left(1:run.next),1) == head(1))];     % its number among the heads that are left
  if now.net.H(head(1)) > 1
    [value, order, sure] = without (now, local, opt.By);
    if attnpath_interrupt_mex ('seen')             % a search that was cut short is tried again
      ending = 'interrupted';
      break
    end
    run.unsure = run.unsure + ~sure;
    run.tried(left(run.next),end) = value;
    if value < run.best{1}, run.best = {value, left(run.next), order}; end
  end
  run.next = run.next + 1;
  if run.next > numel (left)
    if run.best{2} == 0
      run.next = run.next - 1;
      ending = 'stuck';
      break
    end
    run.heads(end+1,:) = list(run.best{2},:);
    run.value(end+1,1) = run.best{1};
    run.order{end+1} = run.best{3};
    run.best = {Inf, 0, {}};
    run.next = 1;
    if n - size (run.heads, 1) <= opt.Left, break; end
    now = small (model, run, size (run.heads, 1));
  end
end
seconds = toc (begun);
end

function now = small (model, run, k)
% The solution after k steps
now = model;
if k > 0
  if isfield (model, 'moments')
    [now.net, now.moments] = attnpath_prune (model.net, run.heads(1:k,:), model.moments);
  else
    [now.net, now.paths] = attnpath_prune (model.net, run.heads(1:k,:), model.paths);
  end
  now.order = run.order{k+1};
end
end

function [value, order, sure] = without (now, head, by)
% The criterion without the head, NaN where no minimum is found: from the rest of U, otherwise from the GP limit
value = NaN;
order = {};
saved = warning ('off', 'attnpath:solve:notConverged');
back = onCleanup (@() warning (saved));
for from = {'rest', 'gp'}
  try
    solved = false;
    sol = ap_solve_without (now, head, from{1}, now.more{:});
    solved = true;
    if ~attnpath_interrupt_mex ('seen') && sol.converged
      order = sol.order;
      value = ap_removal_cost (sol, by);
    end
  catch err                                        % temperature 0 and a kernel that has become singular
    if isempty (regexp (err.identifier, ':notPositiveDefinite$', 'once')) && ~attnpath_interrupt_mex ('seen')
      rethrow (err);
    end
  end
  if ~solved || ~isnan (value) || attnpath_interrupt_mex ('seen'), break; end
end
sure = ~isnan (value);
end

function [heads, curve] = result (run, n, opt, ending)
heads = run.heads;
k = size (heads, 1);
s = sign_of (opt.By);
curve = struct ('by', opt.By, 'heads', heads, 'left', n - (0:k)', 'value', s * run.value, 'tried', s * run.tried, ...
                'order', {run.order}, 'complete', n - k <= opt.Left, 'reason', '');
switch ending
  case 'interrupted'
    curve.reason = sprintf ('interrupted when %d of %d heads were removed', k, n - opt.Left);
  case 'stuck'
    curve.reason = sprintf ('no minimum was found without any further head, %d of %d being removed', k, n - opt.Left);
  otherwise
    curve.reason = sprintf ('%d of %d heads removed', k, n);
end
if strcmp (ending, 'interrupted') && ~curve.complete
  warning ('attnpath:prune:interrupted', 'attnpath_prune: %s', curve.reason);
elseif run.unsure > 0
  warning ('attnpath:prune:unreliable', ['attnpath_prune: at %d trials no minimum was found without the head, ' ...
           'which then stayed: NaN in the field tried; %s'], run.unsure, curve.reason);
end
end
