function c = before_calls (given)
% BEFORE_CALLS  The calls that wrote the files of this folder; tests load and resume the files with the same calls.
%   c = before_calls (given)
%   Inputs :  given, struct of tokens, path inputs, labels and heads, which models.mat has
%   Outputs:  struct of net, coupled, narrow; paths and many, path inputs of 12 and of 24 examples; and functions, which
%             take further options, such as a checkpoint, and return the output of the public function
quiet = {'Display', false};
c.net = attnpath_net (given.heads, 'Width', 10, 'Temperature', 0.1);
c.coupled = attnpath_net (given.heads, 'Width', 30, 'Temperature', 0.1);
c.narrow = attnpath_net (given.heads, 'Width', 4, 'Temperature', 0.1);
c.paths = struct ('Xi', given.Xi);
c.many = struct ('Xi', given.Ximany);
c.probe = struct ('Xi', given.Xitest);
c.solve = @(net, varargin) attnpath_solve (net, c.paths, given.y, quiet{:}, varargin{:});
c.classes = @(net, varargin) attnpath_solve (net, c.paths, given.classes, quiet{:}, varargin{:});
c.sample = @(net, varargin) attnpath_sample (net, c.many, given.ymany, 'Probe', c.probe, 'Chains', 2, 'Warmup', 10, ...
                                             quiet{:}, varargin{:});
c.weights = @(net, varargin) attnpath_sample (net, c.paths, given.y, 'Probe', c.probe, 'Chains', 2, 'Warmup', 10, ...
                                              'Method', 'langevin', 'Weights', true, quiet{:}, varargin{:});
c.source = @(last) @(k) part (given, k, last);
c.moments = @(net, source, form, varargin) attnpath_moments (net, source, 'Form', form, quiet{:}, varargin{:});
c.train = @(varargin) attnpath_train (given.X, given.y, 'Heads', [2 2], 'Width', 6, 'Keys', 2, 'Batch', 4, ...
                                      'Rate', 0.01, 'Evaluate', 5, quiet{:}, varargin{:});
c.tune = @(net, varargin) attnpath_tune (net, c.paths, given.y, 'Tune', {'temperature', 'width'}, ...
                                         'TemperatureRange', [0.01 1], 'WidthRange', [5 50], quiet{:}, varargin{:});
c.prune = @(sol, varargin) attnpath_prune (sol, 'By', 'loo', quiet{:}, varargin{:});
scale = 2;
c.sweep = @(grid, varargin) attnpath_sweep (@(at) before_cell (at, scale), grid, quiet{:}, varargin{:});
end

function part = part (given, k, last)
% Three parts of examples, or the first ones and an error
if k > last && last < 3, error ('there is no more'); end
part = [];
if k > 3, return; end
at = 4*k-3:4*k;
part = struct ('X', given.X(:,:,at), 'y', given.y(at));
end
