% python_shapes.m: shapes.mat with models of one path, probe, draw, chain, layer, output or more, and a sweep, for
% python_shapes.py, which reads them as doc/python.md does.
warning ('off', 'attnpath:sample:notConverged');
randn ('twister', 1);
cases = {};
for c = {1, 1, 1, 1, 5; 2, 1, 1, 4, 5; [2 1], 1, 3, 1, 1; [1 2], 3, 1, 1, 50; [2 2], 3, 2, 4, 50}'
  [H, C, probes, chains, draws] = c{:};
  net = attnpath_net (H, 'Width', 20);
  paths = @(P) struct ('Xi', randn (5, P, prod (H)));
  [x, y] = deal (paths (12), randn (12, C));
  sol = attnpath_solve (net, x, y, 'Display', false);
  post = attnpath_sample (net, x, y, 'Draws', draws, 'Chains', chains, 'Probe', paths (probes), 'Display', false);
  [first, last] = deal (post.U(:,:,1,1), post.U(:,:,draws,chains));
  cases{end+1} = struct ('sol', sol, 'post', post, 'sizes', [prod(H) * C, C, probes, draws, chains, numel(sol.order)], ...
                         'first', first, 'last', last, 'f', reshape (post.f, probes, C, draws, chains)(end,end,end,end));
end
sweep = attnpath_sweep (@(c) struct ('x', c.a + 10 * c.b), struct ('a', 1:2, 'b', 1, 'c', 1:3, 'd', 1:2), 'Display', false);
save ('-v7', 'shapes.mat', 'cases', 'sweep');
