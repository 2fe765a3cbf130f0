function sample_table (directory, what, widths)
% sample_table: tables from the draws of bench_sample in a directory
%
%   sample_table (directory, 'methods', widths)     effective samples per second of each method
%   sample_table (directory, 'moves', widths)       the same for moves of V_0 with and without friction
%   sample_table (directory, 'agreement', widths)   saddle point, collapsed and Langevin means of U
%
% The draws of a method at a width are in draws_METHOD_WIDTH.bin, format in bench_sample.c; missing runs are omitted.
% R-hat and effective sample sizes (bulk) are those of attnpath_diagnose.

% SPDX-License-Identifier: BSD-3-Clause

feval (str2func (what), directory, widths);
end

function methods (directory, widths)
names = {'collapsed', 'langevin', 'langevin-all', 'plain'
         'collapsed', 'langevin', 'langevin, V_0 moves', 'plain HMC'};
fprintf ('| N | method | unknowns | warm-up (s) | sampling (s) | draws | acceptance | step | gradients a draw ');
fprintf ('| R-hat | ESS of U | ESS of f | ESS per second | peak (MiB) |\n');
fprintf ('|--:|---|%s\n', repmat ('--:|', 1, 12));
for N = widths
  for name = names
    run = read_draws (directory, name{1}, N);
    if isempty (run), continue; end
    if run.draws == 0
      fprintf ('| %d | %s | %d | given up after %.0f |%s %.0f |\n', N, name{2}, run.unknowns, max (run.warmup), ...
               repmat (' |', 1, 9), run.peak);
      continue
    end
    fprintf ('| %d | %s | %d | %.3g | %.3g | %d x %d | %s | %.2g | %.0f | %.3f | %.0f | %.0f | %s | %.0f |\n', N, ...
             name{2}, run.unknowns, sum (run.warmup), sum (run.sampling), run.chains, run.draws, ...
             shares (run.acceptance, run.divergences), mean (run.step), mean (run.gradients), run.d.rhat, run.ess, ...
             per_second (run), run.peak);
  end
end
end

function moves (directory, widths)
names = {'integrated out', 'moves', 'moves, then drawn exactly'
         'out', 'in', 'gibbs'};
fprintf ('| N | V_0 | friction | acceptance | step | gradients a draw | R-hat | ESS of U | ESS of f ');
fprintf ('| ESS per second |\n|--:|---|%s\n', repmat ('--:|', 1, 8));
for N = widths
  for name = names
    for friction = [0, 1]
      run = read_draws (directory, sprintf ('%s-%d', name{2}, friction), N);
      if isempty (run) || run.draws == 0, continue; end
      fprintf ('| %d | %s | %d | %s | %.2g | %.0f | %.3f | %.0f | %.0f | %s |\n', N, name{1}, friction, ...
               shares (run.acceptance, run.divergences), mean (run.step), mean (run.gradients), run.d.rhat, run.ess, ...
               per_second (run));
    end
  end
end
end

function agreement (directory, widths)
entries = {'good, good', 'good, denoising', 'denoising, denoising'
           [1, 1],       [1, 3],            [3, 3]};
fprintf ('| N | entry of U | saddle point | collapsed | Langevin | apart | N (saddle point - collapsed) | ESS |\n');
fprintf ('|--:|---|%s\n', repmat ('--:|', 1, 6));
task = attnpath_task_markov ('P', 100, 'Ptest', 2, 'Seed', 0);            % markov.bin of problems.m
for N = widths
  theory = attnpath_solve (attnpath_net (task.heads, 'Width', N, 'Temperature', 0.01), task.Xtrain, task.ytrain).U;
  collapsed = read_draws (directory, 'collapsed', N);
  langevin = read_draws (directory, 'langevin', N);
  if isempty (collapsed) || isempty (langevin) || min (collapsed.draws, langevin.draws) == 0, continue; end
  for entry = entries
    [i, j] = deal (entry{2}(1), entry{2}(2));
    [m, e] = deal (collapsed.d.U.mean(i,j), collapsed.d.U.mcse(i,j));
    [m2, e2] = deal (langevin.d.U.mean(i,j), langevin.d.U.mcse(i,j));
    fprintf ('| %d | %s | %.4f | %.4f ± %.4f | %.4f ± %.4f | %.1f | %.3g ± %.1g | %.0f, %.0f |\n', N, entry{1}, ...
             theory(i,j), m, e, m2, e2, abs (m - m2) / hypot (e, e2), N * (theory(i,j) - m), N * e, ...
             collapsed.d.U.ess_mean(i,j), langevin.d.U.ess_mean(i,j));
  end
end
end

function text = shares (acceptance, divergences)
text = sprintf ('%.2f', mean (acceptance));
if any (divergences), text = sprintf ('%s (%d diverged)', text, sum (divergences)); end
end

function text = per_second (run)
text = sprintf ('%.3g', min (run.ess) / sum (run.sampling));
if ~(run.d.rhat <= 1.01 && min (run.ess) >= 400), text = ['(' text ')']; end
end

function run = read_draws (directory, method, N)
name = fullfile (directory, sprintf ('draws_%s_%d.bin', method, N));
run = [];
if ~exist (name, 'file'), return; end
file = fopen (name, 'r');
sizes = num2cell (fread (file, 7, 'double')');
[~, run.chains, run.draws, Pi, probes, run.unknowns, run.peak] = deal (sizes{:});
for k = 1:run.chains
  facts = num2cell (fread (file, 6, 'double')');
  [run.warmup(k), run.sampling(k), run.acceptance(k), run.step(k), run.gradients(k), run.divergences(k)] ...
    = deal (facts{:});
  if run.draws == 0, continue; end
  post.U(:,:,:,k) = reshape (fread (file, Pi ^ 2 * run.draws, 'double'), [Pi, Pi, run.draws]);
  post.f(:,:,k) = reshape (fread (file, probes * run.draws, 'double'), [probes, run.draws]);
  post.logpost(:,k) = fread (file, run.draws, 'double');
  post.hamiltonian(:,k) = fread (file, run.draws, 'double');
end
fclose (file);
if run.draws == 0, return; end
run.d = attnpath_diagnose (post);
run.ess = [min(run.d.U.ess_bulk(:)), min(run.d.f.ess_bulk(:))];
end
