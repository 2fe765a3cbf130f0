function d = attnpath_diagnose (draws, varargin)
%ATTNPATH_DIAGNOSE  Have the Markov chains converged? R-hat, effective sample sizes and Monte Carlo errors.
%
%   d = ATTNPATH_DIAGNOSE (draws)   or (post)
%   d = ATTNPATH_DIAGNOSE (..., 'Display', false)
%
%   Inputs :
%     draws     draws of one quantity, n x chains: a column is one chain. Or ... x n x chains, with any sizes
%               before the last two, for several quantities. Pass quantities of a single chain one by one:
%               Octave drops a last size of 1
%     post      instead of draws: a posterior from attnpath_sample, or any struct with
%                 U             Pi x Pi x n x chains
%                 f             probes x n x chains (probes may be 0); probes x C x n x chains with labels y
%                               of C outputs
%                 logpost       n x chains
%               These fields are optional:
%                 hamiltonian   n x chains total energies
%                 acceptance    1 x chains mean acceptance probability
%                 moved         1 x chains fraction of trajectories accepted
%                 divergences   1 x chains number of divergences
%               Heads of a layer may exchange places in a sample of heads (Method 'attention'). In place of U
%               it is judged by what such exchanges do not change: traces of U_1 .. U_L, the sum of U_1, u_a,
%               and the mean squares of the entries of a layer's heads
%   Options, by name or as one struct:
%     'Display'  true   print the progress of runs of more than two seconds
%   Chains need at least 4 draws. Each chain is cut in half.
%
%   Outputs, for draws: struct with the following fields, of the sizes of draws before n x chains
%     rhat          R-hat: sqrt (total variance / variance within half chains), 1 if they agree. It is the
%                   larger of two values: that of the ranks, sensitive to different locations of chains, and
%                   that of the folded ranks, sensitive to different widths
%     ess_bulk      effective sample size of the ranks: the number of equivalent independent draws
%     ess_tail      the smaller effective sample size of the draws below the 5 % and below the 95 % quantile
%     mcse          Monte Carlo standard error of the mean, sd / sqrt (ess_mean)
%     mean, sd      of all draws of all chains
%     ess_mean      effective sample size of the draws themselves, for their mean
%   For a constant quantity rhat, mcse and the three ess are NaN. For a quantity that is constant in each half
%   chain, but not the same in all, rhat is Inf and each ess is about the number of chains. ess_tail neglects
%   a quantile that no draw exceeds; if this holds for both, ess_tail is NaN.
%   Outputs, for post: struct with
%     U, f, logpost              the struct above, for Pi x Pi, probes x 1 (probes C x 1) and one quantity
%     rhat, ess, ess_tail        largest rhat, smallest ess_bulk and ess_tail of all quantities not constant
%     worst                      the quantity with ess_bulk = ess: 'U(1,3)', 'f(17)' or 'log posterior', or ''
%                                if all are constant
%     ebfmi                      1 x chains, E-BFMI below; NaN without energies
%     acceptance, divergences    1 x chains as in post, or NaN
%     stuck                      1 x chains, true for a chain in which no quantity ever changes
%     converged                  true if rhat <= 1.01, ess >= 400 and ess_tail >= 400, as [1] recommends, no
%                                chain is stuck, and no trajectory diverged [3]
%     reason                     a sentence on converged and E-BFMI < 0.3
%   Without an output a summary is printed instead.
%
%   Equation: with M half chains of N draws, their mean variance W, and B/N, the variance of their means [1],
%       var = (N - 1)/N W + B/N,   rhat = sqrt (var / W),   ess = M N / tau,
%       rho_t = 1 - (W - mean autocovariance at lag t) / var,
%       tau = -1 + 2 sum of pairs rho_2k + rho_2k+1.
%   Pairs are made monotone, and summed up to the first negative one. Ranks r of all S draws are mapped to
%   the normal quantiles at (r - 3/8) / (S + 1/4). Folded ranks are those of |draw - median|.
%   E-BFMI = sum_n (H_n - H_n-1)^2 / sum_n (H_n - mean)^2 [2], 2 where energies are independent.
%
%   Example:
%     >> noise = mod ((1:4000)' .^ 2 * sqrt ([2 3 5 7]), 1);
%     >> d = attnpath_diagnose (filter (1, [1 -0.8], noise));
%     >> d.rhat
%     ans = 1.0022
%     >> d.ess_mean                              % theory: 16000 (1 - 0.8)/(1 + 0.8) = 1778
%     ans = 1905.1
%
%
%   References:
%     [1] Vehtari, Gelman, Simpson, Carpenter, Buerkner, Rank-normalization, folding, and localization: an
%         improved R-hat for assessing convergence of MCMC, Bayesian Analysis 16 (2021) 667-718,
%         arXiv:1903.08008.
%     [2] Betancourt, Diagnosing suboptimal cotangent disintegrations in Hamiltonian Monte Carlo,
%         arXiv:1604.00695 (2016).
%     [3] Betancourt, A conceptual introduction to Hamiltonian Monte Carlo, arXiv:1701.02434 (2017).
%
%   See also attnpath_sample, attnpath_predict.

% SPDX-License-Identifier: BSD-3-Clause
% TESTING: diagnose.tst   REFERENCE: ref_diagnose.m   SOURCE: [1], [2], [3], theory.md section 7

ap_check_call ('diagnose', nargin >= 1, 'd = attnpath_diagnose (draws) or d = attnpath_diagnose (post)');
table = {'Display', true, 'display', []};
opt = ap_options ('diagnose', table, varargin);
moved = [];
if isstruct (draws)
  [d, moved] = of_posterior (draws, opt.Display);
else
  draws = ap_check_array ('diagnose', 'draws', draws, repmat ({'n'}, 1, ndims (draws)));
  sizes = size (draws);
  check_length ('draws', draws, sizes(end-1));
  d = of_array (reshape (draws, [], sizes(end-1), sizes(end)), sizes(1:end-2), opt.Display);
end
if nargout == 0
  ap_say_diagnosis (d, moved);
  clear -regexp ^d$
end
end

function check_length (name, value, n)
ap_refuse ('diagnose', 'tooFew', n < 4, ['%s has chains of %d, and at least 4 draws are needed: it is %s, with ' ...
           'draws along the last dimension but one and chains along the last'], name, n, {value});
end

function [d, moved] = of_posterior (post, display)
fields = {'U', 'f', 'logpost'};
[list, origin] = deal (@quantities, 'attnpath_sample or the like');
if ap_is_learned (post)
  [list, origin, fields] = deal (@invariants, 'attnpath_sample', [fields, {'order', 'ua', 'headsize'}]);
end
ap_check_fields ('diagnose', 'post', post, fields, origin);
logpost = ap_check_array ('diagnose', 'post.logpost', post.logpost, {'draws', 'chains'});
[n, m] = size (logpost);
check_length ('post.logpost', logpost, n);
[rows, name_of, place, f] = list (post, n, m);
values = {rows, f, reshape(logpost, [1, n, m])};
name = @(k) name_at (k, name_of, size (rows, 1), size (f, 1));
d = struct ('U', of_array (values{1}, size (values{1}, 1), display), ...
            'f', of_array (values{2}, size (values{2}, 1), display), 'logpost', of_array (values{3}, 1, display));
every = cellfun (@(u, f, l) [u; f; l], struct2cell (d.U), struct2cell (d.f), struct2cell (d.logpost), ...
                 'UniformOutput', false);
d.U = structfun (@(v) reshape (v(place), size (place)), d.U, 'UniformOutput', false);
[d.rhat, d.ess, d.ess_tail, d.worst] = deal (NaN, NaN, NaN, '');
H = optional (post, 'hamiltonian', n, m);
H = bsxfun (@minus, H, H(1,:));
d.ebfmi = sum (diff (H, 1, 1) .^ 2, 1) ./ sum (bsxfun (@minus, H, mean (H, 1)) .^ 2, 1);
d.acceptance = optional (post, 'acceptance', 1, m);
d.divergences = optional (post, 'divergences', 1, m);
moved = optional (post, 'moved', 1, m);
d.stuck = true (1, m);
for k = 1:3, d.stuck = d.stuck & reshape (all (all (bsxfun (@eq, values{k}, values{k}(:,1,:)), 1), 2), 1, m); end
d = judge (d, every{1}, every{2}, every{3}, name);
end

function text = name_at (k, name_of, rows, probes)
% Of row k of the quantities of U, then of f, then of the log posterior. name_of: @(k), of the first
text = 'log posterior';
if k <= rows
  text = name_of (k);
elseif k <= rows + probes
  text = sprintf ('f(%d)', k - rows);
end
end

function [all_of, name_of, place, f] = invariants (post, n, m)
% As quantities; of a sample of heads what their order within a layer does not change
ap_refuse ('diagnose', 'badClass', ~iscell (post.order), 'post.order must be a cell of layers, not %s', {post.order});
ap_refuse ('diagnose', 'badShape', ~isfloat (post.f) || mod (numel (post.f), n * m) ~= 0, ...
           'post.f must hold outputs of %d draws x %d chains, not %s', n, m, {post.f});
arrays = [{post.U, 'U'; post.ua, 'ua'}; reshape(post.order, [], 1), repmat({'order'}, numel (post.order), 1)];
for k = 1:size (arrays, 1)
  [values, name] = arrays{k,:};
  ap_refuse ('diagnose', 'badShape', ...
             ~isfloat (values) || mod (sqrt (numel (values) / (n * m)), 1) ~= 0 || isempty (values), ...
             'post.%s must hold square matrices of %d draws x %d chains, not %s', name, n, m, {values});
end
[of_order, names] = deal (cell (numel (post.order), 1));
for l = 1:numel (post.order)
  order = reshape (post.order{l}, [], n, m);
  of_order{l} = sum (order(1:sqrt (size (order, 1)) + 1:end,:,:), 1);
  names{l} = sprintf ('the trace of U_%d', l);
end
all_of = [cat(1, of_order{:}); sum(reshape (post.U, [], n, m), 1)];
names{end+1} = 'the sum of U';
if ndims (post.ua) < 3                             % of C outputs order has the readout's
  all_of(end+1,:,:) = reshape (post.ua, [1, n, m]);
  names{end+1} = 'u_a';
end
for l = 1:size (post.headsize, 1) * (size (post.headsize, 2) == n)            % where all draws have heads
  all_of(end+1,:,:) = post.headsize(l,:,:);
  names{end+1} = sprintf ('the size of heads in layer %d', l);
end
f = reshape (post.f, [], n, m);
name_of = @(k) names{k};
place = (1:size (all_of, 1))';
end

function [U, name_of, place, f] = quantities (post, n, m)
% U:        one triangle of U, rows x draws x chains
% name_of:  @(k), of its row k
% place:    Pi x Pi, the row that holds each entry of U
% f:        probes, rows x draws x chains
Pi = size (post.U, 1);
U = ap_check_array ('diagnose', 'post.U', post.U, {Pi, Pi, n, m});
skew = max (reshape (abs (U - permute (U, [2 1 3 4])), [], 1));
ap_refuse ('diagnose', 'notSymmetric', skew > 1e-10 * max (abs (U(:))), ...
           'post.U must be symmetric in every draw, but two entries differ by %.4g', skew);
f = zeros (0, n, m);
if ~isfloat (post.f) || size (post.f, 1) > 0
  shape = {'probes', outputs_of(post), n, m};
  if shape{2} == 1, shape(2) = []; end
  f = reshape (ap_check_array ('diagnose', 'post.f', post.f, shape), [], n, m);
end
[i, j] = find (triu (ones (Pi)));
at = i + (j - 1) * Pi;
place = zeros (Pi);
place(at) = 1:numel (at);
place = max (place, place');
U = reshape (U, [Pi ^ 2, n, m]);
U = U(at,:,:);
name_of = @(k) sprintf ('U(%d,%d)', i(k), j(k));
end

function C = outputs_of (post)
C = 1;
if isfield (post, 'moments')
  C = ap_outputs (post.moments);
elseif isfield (post, 'y') && isfield (post, 'net') && isfield (post.net, 'readout') && strcmp (post.net.readout, 'all')
  C = size (post.y, 3);
elseif isfield (post, 'y')
  one = isfield (post, 'paths') && isfield (post.paths, 'Xi') && size (post.paths.Xi, 2) == 1;
  C = max (1, size (post.y, 2) * (size (post.y, 1) > 1 || one));       % labels of one output may be a row
end
end

function value = optional (post, field, rows, m)
% A field that may be missing or empty; it is NaN then
value = NaN (rows, m);
if isfield (post, field) && ~(isnumeric (post.(field)) && isempty (post.(field)))
  value = ap_check_array ('diagnose', ['post.' field], post.(field), {rows, m});
end
end

function d = judge (d, rhat, bulk, tail, name)
% The worst cases, the verdict and its sentence. Constant quantities are NaN, which max and min skip. Numbers are
% rounded away from their thresholds: 'R-hat 1.01 exceeds 1.01' would contradict itself.
misses = {};
[d.rhat, at] = max (rhat);
if d.rhat > 1.01, misses{end+1} = sprintf ('R-hat %s of %s exceeds 1.01', rounded (d.rhat), name (at)); end
[d.ess, at] = min (bulk);
if ~isnan (d.ess), d.worst = name (at); end
if d.ess < 400, misses{end+1} = sprintf ('effective sample size %d of %s is below 400', floor (d.ess), name (at)); end
[d.ess_tail, at] = min (tail);
unknown = find (isnan (tail) & ~isnan (bulk), 1);
if ~isempty (unknown)
  d.ess_tail = NaN;
  misses{end+1} = sprintf ('95 of 100 draws of %s are the same, its tail is unknown', name (unknown));
elseif d.ess_tail < 400
  misses{end+1} = sprintf ('effective sample size %d of the tail of %s is below 400', floor (d.ess_tail), name (at));
end
if any (d.stuck)
  list = sprintf (', %d', find (d.stuck));
  misses{end+1} = ['nothing changes in chain ' list(3:end)];
end
count = sum (d.divergences);
if count > 0
  misses{end+1} = sprintf (['%d of the trajectories diverged: there may be too few draws where the energy is ' ...
                            'steep, such as in the tail of U'], count);
end
d.converged = isempty (misses);
parts = misses;
if d.converged
  parts = {sprintf('R-hat %s and smallest effective sample size %d (%s)', rounded (d.rhat), floor (d.ess), d.worst)};
else
  parts{1} = ['not converged: ' parts{1}];
end
[low, at] = min (d.ebfmi);
if low < 0.3, parts{end+1} = sprintf ('E-BFMI %.2g of chain %d is below 0.3', floor (100 * low) / 100, at); end
d.reason = strjoin (parts, '; ');
end

function text = rounded (rhat)
text = sprintf ('%.4g', ceil (1000 * rhat) / 1000);
end

function d = of_array (X, sizes, display)
% The struct of one array X, quantities x draws x chains, with fields of the given sizes. Quantities are processed in
% blocks, to keep temporaries small: this size was slightly the fastest of 2^14 to 2^22 numbers.
[Q, n, m] = size (X);
block = max (1, floor (2 ^ 18 / (n * m)));
found = zeros (7, Q);
told = ap_progress_line ();
for first = 1:block:Q
  told = ap_progress_line (told, any (display == [1 2]), 'attnpath_diagnose: %d of %d quantities', first - 1, Q);
  part = first:min (Q, first + block - 1);
  found(:,part) = numbers (permute (X(part,:,:), [2 3 1]));
end
names = {'rhat', 'ess_bulk', 'ess_tail', 'mcse', 'mean', 'sd', 'ess_mean'};
for k = 1:7, d.(names{k}) = reshape (found(k,:), [sizes 1 1]); end
end

function found = numbers (x)
% x draws x chains x quantities; rows as the names above, a column per quantity
[n, m, q] = size (x);
N = floor (n / 2);
T = n * m;
S = 2 * N * m;
[~, e] = log2 (max (max (abs (x), [], 1), [], 2));
scale = 2 .^ max (e - 1, -1000);                           % exact, and squares neither overflow nor vanish
x = bsxfun (@rdivide, x, scale);
scale = reshape (scale, 1, q);

halves = cat (2, x(1:N,:,:), x(n-N+1:n,:,:));
[ranked, order] = sort (reshape (halves, S, q), 1);
[rhat, bulk] = compare (reshape (normal_scores (ranked, order), N, 2 * m, q));
x = reshape (x, T, q);
sorted = ranked;
if S < T, sorted = sort (x, 1); end
% twice the distance from the median, equal for the two middle draws in spite of rounding. It has two ordered runs, and
% sort merges them
folded = abs (bsxfun (@minus, ranked, sorted(floor ((T + 1) / 2),:)) ...
              + bsxfun (@minus, ranked, sorted(floor (T / 2) + 1,:)));
[folded, again] = sort (folded, 1);
order = order(bsxfun (@plus, again, S * (0:q-1)));
rhat = max (rhat, compare (reshape (normal_scores (folded, order), N, 2 * m, q)));

% a quantile between two draws separates the same draws as the lower of the two does
below = @(k) double (bsxfun (@le, halves, reshape (sorted(k,:), 1, 1, q)));
[~, low] = compare (below (1 + floor ((T - 1) / 20)));
[~, high] = compare (below (1 + floor (19 * (T - 1) / 20)));
[~, ess] = compare (halves);

average = mean (x, 1);
sd = sqrt (sum (bsxfun (@minus, x, average) .^ 2, 1) / (T - 1));
constant = sorted(1,:) == sorted(end,:);                   % exactly: results must not depend on rounding
average(constant) = sorted(1,constant);
sd(constant) = 0;
sd = sd .* scale;
found = [rhat; bulk; min(low, high); sd ./ sqrt(ess); average .* scale; sd; ess];
end

function z = normal_scores (sorted, order)
% Ranks, averaged over ties, mapped to the normal distribution, a column at a time. Twice a rank is an integer
[S, q] = size (sorted);
twice = repmat (2 * (1:S)', 1, q);
ties = sorted(2:end,:) == sorted(1:end-1,:);
if any (ties(:))
  starts = [true(1, q); ~ties];
  first = find (starts(:));
  twice = first + [first(2:end) - 1; S * q] - 2 * S * floor ((first - 1) / S);
  twice = twice(cumsum (starts(:)));
end
score = sqrt (2) * erfinv (2 * ((2:2*S)' / 2 - 3/8) / (S + 1/4) - 1);
z = zeros (S, q);
z(bsxfun (@plus, order, S * (0:q-1))) = score(twice - 1);
end

function [rhat, ess] = compare (x)
% x draws x half chains x quantities. Everything is relative to a first draw, so that constants leave exact zeros.
[N, M, q] = size (x);
first = x(1,:,:);
x = bsxfun (@minus, x, first);
shift = mean (x, 1);
x = bsxfun (@minus, x, shift);
within = reshape (mean (sum (x .* x, 1), 2), 1, q) / (N - 1);
between = reshape (var (bsxfun (@minus, first, first(1,1,:)) + shift, 0, 2), 1, q);
total = (N - 1) / N * within + between;
rhat = sqrt (total ./ within);
if nargout < 2, return; end

% two half chains form a complex one: the real part of its autocovariance is the sum of theirs
F = fft (complex (x(:,1:2:M,:), x(:,2:2:M,:)), 2 ^ nextpow2 (2 * N - 1), 1);
re = real (F);
im = imag (F);
a = real (ifft (reshape (sum (re .* re + im .* im, 2), [], q), [], 1)) / (N * M);
last = max (1, floor (N / 2) - 2);                         % the last pair of lags, without its odd lag
a = [a(1:min (N, 2 * last + 2),:); zeros(max (0, 2 * last + 2 - N), q)];
rho = 1 - bsxfun (@rdivide, bsxfun (@minus, within, a), total);
rho(1,:) = 1;
pairs = rho(1:2:end,:) + rho(2:2:end,:);
kept = [ones(1, q); cumprod(double (pairs(2:end,:) > 0), 1)];
kept(end,:) = 0;
even = rho(2 * sum (kept, 1) + 1 + (0:q-1) * size (rho, 1));
tau = 2 * sum (kept .* cummin (pairs, 1), 1) - 1 + max (even, 0);
ess = N * M ./ max (tau, 1 / log10 (N * M));
ess(total == 0) = NaN;
end

%!test % two chains in different places
%! d = attnpath_diagnose ([0 1 0 1 0 1; 9 8 9 8 9 8]');
%! assert (d.rhat > 1.5 && d.ess_bulk < 12);
%! assert (d.mean, 4.5, 1e-15);
