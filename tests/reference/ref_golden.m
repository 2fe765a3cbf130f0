function [net, gold] = ref_golden (name)
% REF_GOLDEN  A file of golden numbers, which tests/data/README.md describes, in the package's own shapes.
%   [net, gold] = ref_golden ('one_layer_last' | 'two_layer_mean_qk' | 'three_layer_last'):
%   net as for all ref_* functions; gold: X, Xt, y, Xi and Xit (N0 x P x Pi, unscaled), order, probe_order and
%   probe_grad (U_1 first), scores (rows [layer head score]), other fields as in the file.
gold = load (fullfile (fileparts (mfilename ('fullpath')), '..', 'data', [name '.mat']));
net.heads = cell (1, numel (gold.heads));
for l = 1:numel (gold.heads)
  if isfield (gold, 'W')
    net.heads{l} = gold.W{l};
  else
    net.heads{l} = struct ('Q', gold.Q{l}, 'K', gold.K{l});
  end
end
net.H = gold.heads;
net.width = gold.widths;
net.variance = gold.variances;
net.temperature = gold.temperature;
readouts = struct ('average_pooling', 'mean', 'last_token', 'last');
net.readout = readouts.(gold.readout);
net.attention = gold.nonlinearity;
net.causal = false;
unscale = sqrt (size (gold.X, 1) * prod (net.H) / net.variance(1));
gold.Xi = unscale * permute (gold.xi, [1 3 2]);
gold.Xit = unscale * permute (gold.xi_test, [1 3 2]);
gold.order = fliplr (gold.U);
gold.probe_order = fliplr (gold.probe_U);
gold.probe_grad = fliplr (gold.probe_grad);
if isfield (gold, 'head_scores')
  gold.scores = [gold.head_layer(:), gold.head_index(:), gold.head_scores(:)];
end
end
