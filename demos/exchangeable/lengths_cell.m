function out = lengths_cell (c, plan)
%LENGTHS_CELL  Gap between test and training error of networks trained at one length, against the training sequences.
%
%   out = lengths_cell (c, plan)
%   Inputs :  c, struct of attention ('softmax', 'cme'), tokens and seed;  plan, struct of P, bandwidths, ridges,
%             tested, width and noise
%   Outputs:  struct of gap, excess and parameter, each 1 x numel (P)
%     gap        mean square error at test sequences minus that at training sequences
%     excess     mean square error at test sequences, against the label without noise
%     parameter  bandwidth of the softmax, or ridge of the cme, with the smallest training error
%   The weights of the network of the theory, one layer of one head, are learned at each parameter. Errors are taken
%   less those of a network of as many other sequences as are tested, the same for all P, on the same sequences: its
%   gap has the mean 0, and with it most of the noise of the labels is subtracted.

% SPDX-License-Identifier: BSD-3-Clause

softmax = strcmp (c.attention, 'softmax');
gamma = 1;
if softmax, gamma = plan.bandwidths; end
task = attnpath_task_exchangeable ('Noise', plan.noise, 'Tokens', c.tokens, 'P', plan.P(end), 'Ptest', ...
                                   2 * plan.tested, 'Label', 'masked', 'Seed', c.seed, 'Bandwidth', gamma);
parameters = gamma;
if ~softmax, parameters = plan.ridges; end
other = plan.tested + 1:2 * plan.tested;
tested = 1:plan.tested;
[best, reference] = deal (Inf (1, numel (plan.P)), Inf);
for value = parameters
  net = network_of (task, value, plan);
  train = attnpath_paths (net, task.Xtrain);
  test = attnpath_paths (net, task.Xtest);
  f = predictions (net, test, task.ytest, other, test, train);
  if mean ((f{1}(other) - task.ytest(other)) .^ 2) < reference
    reference = mean ((f{1}(other) - task.ytest(other)) .^ 2);
    known = f;
  end
  for k = 1:numel (plan.P)
    of = 1:plan.P(k);
    f = predictions (net, train, task.ytrain, of, test, train);
    loss = mean ((f{2}(of) - task.ytrain(of)) .^ 2);
    if loss >= best(k), continue; end
    best(k) = loss;
    out.parameter(k) = value;
    own(k,:) = f;
  end
end
square = @(f, y, of) mean ((f(of) - y(of)) .^ 2);
for k = 1:numel (plan.P)
  of = 1:plan.P(k);
  more = @(j, y, of) square (own{k,j}, y, of) - square (known{j}, y, of);
  out.gap(k) = more (1, task.ytest, tested) - more (2, task.ytrain, of);
  out.excess(k) = square (own{k,1}, task.truth.test, tested);
end
end

function net = network_of (task, value, plan)
% Softmax of bandwidth value, or cme of ridge value with the linear kernel, which is the right one
heads = task.heads;
options = {'Width', plan.width, 'Temperature', plan.noise ^ 2};
if numel (task.settings.Bandwidth) > 1
  of = task.settings.Bandwidth == value;
  heads{1} = struct ('Q', heads{1}.Q(:,:,of), 'K', heads{1}.K(:,:,of));
else
  options = [options, {'Attention', 'cme', 'Kernel', 'linear', 'Ridge', value}];
end
net = attnpath_net (heads, options{:});
end

function f = predictions (net, paths, y, of, varargin)
% Of a network that has learned these of the labels, at all examples of the path inputs behind them
sol = attnpath_solve (net, struct ('Xi', paths.Xi(:,of,:)), y(of), 'Certificate', false, 'Display', false);
f = cellfun (@(at) attnpath_predict (sol, struct ('Xi', at.Xi)), varargin, 'UniformOutput', false);
end
