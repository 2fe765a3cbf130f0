function bench_learned_draws (which)
% bench_learned_draws: effective draws a second of the posterior over attention, of quantities that do not change where
% heads are exchanged
%   bench_learned_draws ()        all sizes, some ten minutes
%   bench_learned_draws (which)   some of them, rows of the table
% From the folder bench: octave-cli -p ../inst -p ../src --eval bench_learned_draws, with OPENBLAS_NUM_THREADS=1.
% Prints rows of size, unknowns, trajectories of warm-up and draws a chain, seconds, seconds a trajectory of one chain,
% divergences, the largest R-hat, and effective draws a second of the log posterior, of f at probes and of sums over
% heads.

% SPDX-License-Identifier: BSD-3-Clause

copy = @(symbols, tokens, P) attnpath_task_copy ('Symbols', symbols, 'Tokens', tokens, 'P', P, 'Ptest', 2, 'Heads', 1);
markov = @() attnpath_task_markov ('P', 100, 'Ptest', 2, 'Features', 200, 'Tokens', 30);
%        size                                          task              network                      warm-up, draws
rows = {'copy, 8 symbols, 6 tokens, 12 sequences, GP', @() copy(8, 6, 12), {'Limit', 'gp'},             300, 500
        'copy, the same, N = 20, one output of 8',     @() copy(8, 6, 12), {},                          300, 500
        'copy, 16 symbols, 12 tokens, 24 sequences, GP', @() copy(16, 12, 24), {'Limit', 'gp'},         300, 500
        'Markov, 30 tokens, P = 100, 2 x 2 heads, GP', markov,             {'Limit', 'gp'},             20,  40};
if nargin < 1, which = 1:size (rows, 1); end
for row = rows(which,:)'
  [name, make, more, warmup, draws] = row{:};
  task = make ();
  [readout, y, classes] = deal ('all', task.ytrain, {'Classes', true});
  if isempty (strfind (name, 'copy')), [readout, classes] = deal ('last', {}); end
  if isempty (more), [y, classes] = deal (2 * (y == 1) - 1 + 0 * y, {}); end
  net = attnpath_net (task.heads, 'Width', 20, 'Readout', readout, 'Temperature', 0.1);
  clock = tic ();
  post = attnpath_sample (net, task.Xtrain, y, 'Method', 'attention', 'Warmup', warmup, 'Draws', draws, 'Probe', ...
                          task.Xtest(:,:,1:2), 'Display', false, more{:}, classes{:});
  seconds = toc (clock);
  d = post.diagnostics;
  rate = @(g) min ([g.ess_bulk(g.sd(:) > 0); NaN]) / seconds;
  rhat = max ([d.logpost.rhat(:); d.f.rhat(:); d.U.rhat(:)]);
  chains = size (post.logpost, 2);
  fprintf ('| %s | %d | %d + %d | %.0f | %.3f | %d | %.3f | %.3g | %.3g | %.3g |\n', name, ...
           sum (cellfun (@numel, net.heads)), warmup, draws, seconds, seconds / (warmup + draws) / chains, ...
           sum (post.divergences(:)), rhat, rate (d.logpost), rate (d.f), rate (d.U));
end
end
