function task = recall_task (H, seed, P, Ptest)
% recall_task: associative recall, with two necessary heads
%
%   task = recall_task (H, seed, P, Ptest)
%   Inputs :  H, heads of each layer, 1 to 4;  seed;  P, Ptest, training and test sequences (120, 1000)
%   Outputs:  struct of heads {N0 x N0 x H, N0 x N0 x H}, Xtrain, ytrain, Xtest, ytest; N0 = 83, 11 tokens
%   A sequence has five pairs (key token, value token) and then a query token that repeats one of the keys. The label is
%   the sign of the value behind that key. Two heads are necessary: the first of layer 1 attends from a token to its
%   successor, the first of layer 2 from the query to the matching key. The second head of each layer attends evenly and
%   is useless; the third and fourth (H = 3, 4) attend to other positions or at random.

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 3, P = 120; end
if nargin < 4, Ptest = 1000; end
rand ('twister', 1000 + seed);  randn ('twister', 2000 + seed);
pairs = 5;  d_key = 12;  d_value = 60;  T = 2 * pairs + 1;  N0 = d_key + d_value + T;
beta = 8;  key_noise = 0.5;  value_noise = 0.6;
keys = randn (d_key, 12);
keys = sqrt (d_key) * keys ./ sqrt (sum (keys .^ 2));
direction = randn (d_value, 1);
direction = direction / norm (direction);
n = P + Ptest;
X = zeros (N0, T, n);
y = zeros (n, 1);
for m = 1:n
  chosen = randperm (12, pairs);
  sign_of = 2 * (rand (1, pairs) > 0.5) - 1;
  asked = randi (pairs);
  for j = 1:pairs
    X(1:d_key, 2*j-1, m) = keys(:,chosen(j)) + key_noise * randn (d_key, 1);
    X(d_key+1:d_key+d_value, 2*j, m) = sqrt (2) * direction * sign_of(j) + value_noise * randn (d_value, 1);
  end
  X(1:d_key, T, m) = keys(:,chosen(asked)) + key_noise * randn (d_key, 1);
  y(m) = sign_of(asked);
end
place = d_key+d_value+1:N0;                        % one-hot positions
X(place,:,:) = repmat (eye (T), [1 1 n]);
[next, before, match] = deal (zeros (N0));
next(place,place) = beta * diag (ones (T-1, 1), -1);
before(place,place) = beta * diag (ones (T-1, 1), 1);
match(1:d_key,1:d_key) = eye (d_key) * beta / d_key;
match(place,place) = -2 * beta * eye (T);          % a token does not match itself
even = zeros (N0);
other = {3 * randn(N0) / sqrt(N0), 3 * randn(N0) / sqrt(N0)};
lower = cat (3, next, even, before, other{1});
upper = cat (3, match, even, other{2}, next');
task = struct ('heads', {{lower(:,:,1:H), upper(:,:,1:H)}}, 'Xtrain', X(:,:,1:P), 'ytrain', y(1:P), ...
               'Xtest', X(:,:,P+1:end), 'ytest', y(P+1:end));
end
