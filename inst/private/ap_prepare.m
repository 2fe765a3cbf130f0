function data = ap_prepare (fname, net, examples, y, settings, noise, model)
%AP_PREPARE  A training set made ready for the gateways: fewer examples that stand for it, and stored kernels.
%
%   data = AP_PREPARE (fname, net, Xi, y, settings)
%   data = AP_PREPARE (fname, net, Xi, y, settings, noise)
%   data = AP_PREPARE (fname, net, Xi, y, settings, noise, model)
%   data = AP_PREPARE (fname, net, moments, [], settings)
%   Inputs :  fname, stem of the calling function;  Xi and y, path inputs and labels, checked;  moments, from
%             attnpath_moments, checked;  settings, struct of memory, bytes that stored kernels may take, store, true
%             where they are stored now, for several calls (a gateway that is called once does so itself), reduce, false
%             where these very examples are wanted, evaluations of the energy that will follow, about, or 0 where path
%             inputs must stay as they are, threads of BLAS, 0 for as many as suit, and, if they are there, shared,
%             true where several outputs share one U, of, marks that those of net are to be compared with, and once,
%             true where one gateway is called, once, which follows the settings itself;  noise, from ap_check_noise:
%             examples then come in units of it;  model, solution or a struct like it, whose gradrel need not be there
%   Outputs:  struct of Xi, basis, y, P, rest, store, N0, rounding, shared, noise, lognoise: P examples in all, of which
%             those in Xi and y have path inputs, see ap_moments.c; kernels are stored, others stand for the examples,
%             and their path inputs are basis times Xi, see ap_span.c, where that is cheaper. basis is [] where they
%             are Xi. N0, features of a token; rounding is that of square moments at the GP limit, relative to the
%             temperature; 0 for all else; noise, a column of the variances that Xi and y were divided by the roots of,
%             or [];  lognoise, the sum of their logarithms, also of those in moments;  of, marks that the gateway is
%             still to compare, for which ap_without_heads keeps heads, or []. With once: Xi, or moments, and y as they
%             are, P, N0, settings, of, shared, noise, lognoise. gradrel, which gateways refuse to see exceeded at the order
%             parameters of a solution: network or labels were then changed after it was found. It is ten times that at
%             the end of the search for model or of the U that it stored, 1e-5 at least, as rounding differs from one
%             form of the examples to another, and 1e-4 without model or where it lacks both. The wider a network, the
%             less a change shows: labels times 1.01 give 2e-3 at width 100, and 1.5e-5 at 10000
%   Errors:   attnpath:<fname>: tooLarge, badValue, outOfMemory and others of the gateway
%   See also ap_examples, ap_without_heads, attnpath_moments.

% SPDX-License-Identifier: BSD-3-Clause

if ~isfield (settings, 'shared'), settings.shared = false; end
if ~isfield (settings, 'of'), settings.of = []; end
once = isfield (settings, 'once') && settings.once && net.temperature > 0;
if net.temperature == 0, settings.evaluations = 0; end       % where rounding can tell a singular kernel
if nargin < 6, noise = []; end
lognoise = 0;
if ~isempty (noise)
  [examples, y, noise] = ap_by_noise (examples, y, noise);
  lognoise = sum (log (noise));
elseif isstruct (examples) && isfield (examples, 'lognoise')
  lognoise = examples.lognoise;
end
[N0, P, paths] = size (examples);
few = settings.reduce && P > N0 * paths;
if isnumeric (examples) && ~settings.store && ~few && settings.evaluations == 0
  data = struct ('Xi', examples, 'basis', [], 'y', y, 'P', P, 'rest', 0, 'store', [], 'N0', N0, 'rounding', 0, ...
                 'of', settings.of);
else
  if isstruct (examples), [N0, P] = deal (examples.N0, examples.P); end
  data = struct ('Xi', examples, 'y', y, 'P', P, 'N0', N0, 'settings', settings, 'of', settings.of);
  if ~once, data = ap_gateway (fname, @attnpath_prepare_mex, ap_without_heads (net, data), examples, y, settings); end
  if isempty (data.Xi), data.Xi = examples; end
  if isempty (data.y), data.y = y; end
  if ~once, data.of = []; end                                % they were compared
end
data.shared = settings.shared;
data.noise = noise;
data.lognoise = lognoise;
data.gradrel = 1e-4;
if nargin < 7, return; end
found = [number_of(model, 'gradrel'), number_of(model, 'gradrel_rounding')];
if ~isempty (found), data.gradrel = max (1e-5, 10 * max (found)); end
end

function x = number_of (model, name)
x = ap_field (model, name, []);
if ~(isnumeric (x) && numel (x) == 1 && x >= 0), x = []; end
x = double (x);
end
