function task = hops_task (name, seed, P, Ptest)
% hops_task: made tasks with known necessary heads, in one, two and three layers
%
%   task = hops_task (name, seed, P, Ptest)
%   Inputs :  name, see below;  seed;  P, Ptest, training and test sequences
%   Outputs:  struct of heads, Xtrain, ytrain, Xtest, ytest, and necessary, rows [layer head]
%   Tokens have three blocks of features: a key of 12 numbers, one of 24 vectors, with noise; a value along a direction
%   in 40 dimensions, with noise; and a one-hot position. The readout is the last token, the query. Sums of
%   values below 0.5 are drawn again.
%     'one'    heads [5], 10 tokens. Tokens 1 to 9 have keys 1 to 9 in random order, and normal values. The label is the
%              sign of the sum of the values at keys 1 and 2. Heads 1 and 2 attend to key 1 and to key 2: both are
%              necessary. Head 3 attends to key 3, head 4 evenly, head 5 at random
%     'two'    heads [3 3], 11 tokens: five pairs of a key token and a token with a normal value, and a query with one
%              of the keys. The label is the sign of v + w: v is the value behind the token with the same key, w that
%              before the token with key 12, which is never asked (0 if that is the first token). Heads 1 of both layers
%              (to the successor; to the same key) are necessary for v, heads 2 (to the predecessor; to key 12) for w.
%              Heads 3 attend at random and evenly
%     'three'  heads [2 2 2], 13 tokens. Four pairs (key token, link token) in random order, then four value tokens with
%              names. The link behind the key that the query has is the name of a value token: the label is its sign.
%              Heads 1 are necessary: in layer 3 from the query to the same key, in layer 2 to the successor, in layer 1
%              from a link to the token with that name. Heads 2 attend evenly, to the predecessor, at random

% SPDX-License-Identifier: BSD-3-Clause

rand ('twister', 3000 + seed);  randn ('twister', 4000 + seed);
[key, value] = deal (12, 40);
T = struct ('one', 10, 'two', 11, 'three', 13).(name);
n = P + Ptest;
words = randn (key, 24);                           % of keys, and of names
words = sqrt (key) * bsxfun (@rdivide, words, sqrt (sum (words .^ 2)));
direction = randn (value, 1);
direction = direction / norm (direction);
[keys, values] = deal (zeros (T, n));
y = zeros (n, 1);
for m = 1:n
  do, [keys(:,m), values(:,m), y(m)] = feval (['sequence_' name]); until abs (y(m)) > 0.5
end
y = sign (y);
X = zeros (key + value + T, T, n);
for t = 1:T
  named = keys(t,:) > 0;
  X(1:key,t,named) = words(:,keys(t,named)) + 0.5 * randn (key, sum (named));
  shown = values(t,:) ~= 0;
  X(key+(1:value),t,shown) = sqrt (2) * direction * values(t,shown) + 0.3 * randn (value, sum (shown));
end
X(key+value+1:end,:,:) = repmat (eye (T), [1 1 n]);
[task.heads, task.necessary] = maps (name, words, key, value, T);
task.Xtrain = X(:,:,1:P);
task.ytrain = y(1:P);
task.Xtest = X(:,:,P+1:end);
task.ytest = y(P+1:end);
end

function [keys, values, y] = sequence_one ()
keys = [randperm(9)'; 0];
values = [randn(9, 1); 0];
y = values(keys == 1) + values(keys == 2);
end

function [keys, values, y] = sequence_two ()
chosen = randperm (11, 4);
order = [chosen, 12](randperm (5));
asked = chosen(randi (4));
[keys, values] = deal (zeros (11, 1));
keys(1:2:9) = order;
values(2:2:10) = randn (5, 1);
keys(11) = asked;
v = values(2 * find (order == asked));
before = 2 * find (order == 12) - 2;
w = 0;
if before > 0, w = values(before); end
y = v + w;
end

function [keys, values, y] = sequence_three ()
chosen = randperm (12, 4);
names = 12 + randperm (12, 4);
links = names(randperm (4));
[keys, values] = deal (zeros (13, 1));
keys(1:2:7) = chosen;
keys(2:2:8) = links;
keys(9:12) = names;
values(9:12) = sign (rand (4, 1) - 0.5);
asked = randi (4);
keys(13) = chosen(asked);
y = values(8 + find (names == links(asked)));
end

function [heads, necessary] = maps (name, words, key, value, T)
% W: the score of key token s for query token t is x_s' W x_t
beta = 8;
N0 = key + value + T;
place = key + value + 1:N0;
[next, before, match] = deal (zeros (N0));
next(place,place) = beta * diag (ones (T-1, 1), -1);
before(place,place) = beta * diag (ones (T-1, 1), 1);
match(1:key,1:key) = eye (key) * beta / key;
match(place,place) = -2 * beta * eye (T);          % a token does not match itself
even = zeros (N0);
to = @(k) to_word (words(:,k), place, beta / key);
random = @() 3 * randn (N0) / sqrt (N0);
switch name
  case 'one'
    heads = {cat(3, to (1), to (2), to (3), even, random ())};
    necessary = [1 1; 1 2];
  case 'two'
    heads = {cat(3, next, before, random ()), cat(3, match, to (12), even)};
    necessary = [1 1; 1 2; 2 1; 2 2];
  otherwise
    heads = {cat(3, match, even), cat(3, next, before), cat(3, match, random ())};
    necessary = [1 1; 2 1; 3 1];
end
end

function W = to_word (word, place, scale)
% The same scores from every position
W = zeros (place(end));
W(1:numel (word),place) = scale * repmat (word, 1, numel (place));
end
