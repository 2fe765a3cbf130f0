function [what, given, unit] = ap_tune_data (net, X, y, opt)
%AP_TUNE_DATA  The training set of a search for hyperparameters, and the size of its kernel.
%
%   [what, given, unit] = AP_TUNE_DATA (net, X, y, opt)
%   Inputs :  X, y as in attnpath_tune;  opt, its options
%   Outputs:  what, struct of net, data, examples, blocks, corrected, memory, as for ap_tune_judge: the variance of net
%             is such that the mean diagonal of the GP limit's kernel is unit;  given, what a solution keeps of the
%             training set, as from ap_examples;  unit, of temperatures
%   Errors:   attnpath:tune: badValue, and those of ap_examples
%   See also attnpath_tune, ap_examples, ap_tune_judge.

% SPDX-License-Identifier: BSD-3-Clause

sizes = struct ('memory', 0, 'store', false, 'evaluations', 0, 'threads', 0);
[first, given] = ap_examples ('tune', net, X, y, opt.Lengths, sizes, opt.Classes);           % checked
[N0, ~, paths] = size (first.Xi);
C = size (first.y, 2);
shared = strcmp (opt.Outputs, 'shared');
labels = (first.y(:)' * first.y(:) + first.rest) / (first.P * C);
diagonal = prod (net.variance) / (N0 * paths) * dot (first.Xi(:), first.Xi(:)) / first.P;
if ~(labels > 0) && any (first.y(:))
  ap_fail ('tune', 'badValue', 'labels up to %.3g are too small: their squares are 0', max (abs (first.y(:))));
elseif ~(labels > 0)
  ap_fail ('tune', 'badValue', 'all labels are 0: there is nothing to learn, and no unit for the temperature');
elseif ~(diagonal > 0)
  ap_fail ('tune', 'badValue', 'all path inputs are 0: the kernel has no size');
end
if ~(labels > 1e-250 && labels < 1e250 && diagonal > 1e-250 && diagonal < 1e250)
  ap_fail ('tune', 'badValue', ['y has a mean square of %.3g and the kernel a mean diagonal of %.3g, and from one ' ...
           'to the other numbers overflow: bring the labels and the tokens to a size near 1'], labels, diagonal);
end
unit = diagonal;
if strcmp (opt.Scale, 'data')
  unit = labels;
  net.variance(1) = net.variance(1) * (labels / diagonal);
end
settings = struct ('memory', opt.Memory * 2^30, 'store', true, 'reduce', true, 'evaluations', 10 * opt.MaxPoints, ...
                   'threads', 0, 'shared', shared);
blocks = C;
if shared, blocks = 1; end
what = struct ('net', ap_bare (net), 'examples', [], 'blocks', blocks, 'corrected', opt.Corrected, ...
               'memory', settings.memory);
if isfield (given, 'moments')
  what.data = ap_prepare ('tune', net, given.moments, [], settings);
  return
end
what.data = ap_prepare ('tune', net, given.paths.Xi, given.y, settings);
if what.data.P == size (what.data.y, 1)
  what.examples = what.data;
elseif ~strcmp (opt.By, 'evidence')                % fewer examples stand for all, but cannot be left out
  settings.reduce = false;
  settings.memory = 2^22;                          % for one evaluation stored kernels pay only if they fit a cache
  what.examples = ap_prepare ('tune', net, given.paths.Xi, given.y, settings);
end
end
