function task = attnpath_task_copy (varargin)
%ATTNPATH_TASK_COPY  The copy task: the answer at each token is the symbol some tokens before it.
%
%   task = ATTNPATH_TASK_COPY ()
%   task = ATTNPATH_TASK_COPY (Name, Value, ...)
%   task = ATTNPATH_TASK_COPY (settings)
%
%   Symbols are independent and uniform. A token is the one-hot code of its symbol and of its position, and
%   the label at token t is the symbol of token t - Back, for networks with the readout 'all'. The first head
%   of the first layer attends to that token, and those of further layers to the query itself: the path
%   through them has the answer. All other heads are random.
%
%   Inputs : options, by name or as one struct
%     'P'        50      training sequences
%     'Ptest'    200     test sequences
%     'Tokens'   12      T, tokens of a sequence
%     'Symbols'  2       C, number of symbols
%     'Back'     1       the label at token t is the symbol of token t - Back, below T
%     'Heads'    2       heads of each layer, one layer or more
%     'Beta'     10      factor on all heads
%     'Seed'     0       integer. Heads, training set and test set have streams of their own: a larger P
%                        extends the training set
%
%   Outputs: struct with
%     Xtrain     (C+T) x T x P   tokens
%     ytrain     T x P           labels -1 and +1 of two symbols, otherwise 1 to C in double, which need the
%                                option 'Classes', true. NaN for the first Back tokens
%     Xtest, ytest               likewise, of Ptest sequences
%     heads      1 x L cell      bilinear matrices, (C+T) x (C+T) x H_l
%     path_names Pi x 1 cell     'copying', for the path that has the answer, and 'random'
%     settings   struct          all options; attnpath_task_copy (task.settings) gives the same task
%   Without an output a line about the task is printed instead.
%
%   Equation: (T38) of theory.md.
%
%   Example:
%     >> task = attnpath_task_copy ('Symbols', 3, 'Back', 2);
%     >> net = attnpath_net (task.heads, 'Width', 30, 'Readout', 'all');
%     >> sol = attnpath_solve (net, task.Xtrain, task.ytrain, 'Classes', true, 'Display', false);
%     >> [~, ~, symbol] = attnpath_predict (sol, task.Xtest);
%     >> there = ~isnan (task.ytest);
%     >> mean (symbol(there) == task.ytest(there))
%     ans = 1
%
%
%   See also attnpath_task_markov, attnpath_net, attnpath_solve.

% SPDX-License-Identifier: BSD-3-Clause
% TESTING: task_copy.tst   SOURCE: theory.md section 20

table = {'P',       50,  'count',  [1 1e6]
         'Ptest',   200, 'count',  [1 1e6]
         'Tokens',  12,  'count',  [2 1e4]
         'Symbols', 2,   'count',  [2 1e4]
         'Back',    1,   'count',  [1 Inf]
         'Heads',   2,   'row',    {'L', 1, 1000}
         'Beta',    10,  'number', [0 Inf]
         'Seed',    0,   'seed',   []};
opt = ap_options ('task_copy', table, varargin);
[C, T] = deal (opt.Symbols, opt.Tokens);
ap_refuse ('task_copy', 'badValue', opt.Back >= T, 'Back must be below the %d Tokens, not %d', T, opt.Back);
ap_refuse ('task_copy', 'badValue', any (opt.Heads ~= fix (opt.Heads)), 'Heads must be whole numbers, not [%s]', ...
           num2str (opt.Heads));
bytes = 8 * (C + T) * (T * (opt.P + opt.Ptest) + (C + T) * sum (opt.Heads));
ap_refuse ('task_copy', 'tooLarge', bytes > 2^33, ['P = %d and Ptest = %d sequences of %d tokens with %d features ' ...
           'would take %.3g GiB, and 8 are allowed'], opt.P, opt.Ptest, T, C + T, bytes / 2^30);
[task.Xtrain, task.ytrain] = ap_seeded ([opt.Seed, 1], @() sequences (opt, opt.P));
[task.Xtest, task.ytest] = ap_seeded ([opt.Seed, 2], @() sequences (opt, opt.Ptest));
task.heads = ap_seeded ([opt.Seed, 3], @() all_heads (opt));
list = ap_path_list (opt.Heads);
task.path_names = repmat ({'random'}, size (list, 1), 1);
task.path_names{1} = 'copying';
task.settings = opt;
if nargout == 0
  ap_task_told (task);
  clear -regexp ^task$
end
end

function [X, y] = sequences (opt, P)
[C, T] = deal (opt.Symbols, opt.Tokens);
symbol = 1 + floor (C * rand (T, P));
X = zeros (C + T, T * P);
X(symbol(:)' + (C + T) * (0:T*P-1)) = 1;
X = reshape (X, C + T, T, P);
X(C+1:end,:,:) = repmat (eye (T), [1, 1, P]);
y = [NaN(opt.Back, P); symbol(1:T-opt.Back,:)];
if C == 2, y = 2 * y - 3; end
end

function heads = all_heads (opt)
[C, T] = deal (opt.Symbols, opt.Tokens);
heads = arrayfun (@(H) randn (C + T, C + T, H), opt.Heads, 'UniformOutput', false);
for l = 1:numel (heads)
  position = eye (T);                              % key row, query column
  if l == 1, position = diag (ones (1, T - opt.Back), opt.Back); end
  heads{l}(:,:,1) = blkdiag (zeros (C), position);
end
heads = cellfun (@(W) opt.Beta * W, heads, 'UniformOutput', false);
end

%!test % the copying path has the symbol Back tokens before
%! task = attnpath_task_copy ('P', 3, 'Ptest', 1, 'Back', 2, 'Beta', 50);
%! paths = attnpath_paths (attnpath_net (task.heads, 'Readout', 'all'), task.Xtrain);
%! x = reshape (paths.Xi(1:2,:,1), 2, 12, 3);
%! assert (x(:,3:end,:), task.Xtrain(1:2,1:end-2,:), 1e-12);
