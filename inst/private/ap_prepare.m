function data = ap_prepare (fname, net, examples, y, settings)
%AP_PREPARE  A training set made ready for the gateways: fewer examples that stand for it, and stored kernels.
%
%   data = AP_PREPARE (fname, net, Xi, y, settings)
%   data = AP_PREPARE (fname, net, moments, [], settings)
%   Inputs :  fname, stem of the calling function;  Xi and y, path inputs and labels, checked;  moments, from
%             attnpath_moments, checked;  settings, struct of memory, bytes that stored kernels may take, reduce, false
%             where these very examples are wanted, threads of BLAS, 0 for as many as there are, and, if it is there,
%             shared, true where several outputs share one U. Kernels are stored for several calls; a gateway that is
%             called once does so itself
%   Outputs:  struct of Xi, y, P, rest, store, rounding, shared: P examples in all, of which those in Xi and y have path inputs,
%             see ap_moments.c; kernels are stored, and others stand for the examples, where that is cheaper. rounding
%             is that of square moments at the GP limit, relative to the temperature, and 0 for all else
%   Errors:   attnpath:<fname>: tooLarge, badValue, outOfMemory and others of the gateway
%   See also ap_examples, ap_bare, attnpath_moments.

% SPDX-License-Identifier: BSD-3-Clause

if ~isfield (settings, 'shared'), settings.shared = false; end
[N0, P, paths] = size (examples);
if isnumeric (examples) && settings.memory == 0 && (P <= N0 * paths || ~settings.reduce)      % nothing is to be done
  data = struct ('Xi', examples, 'y', y, 'P', P, 'rest', 0, 'store', [], 'rounding', 0, ...
                 'shared', settings.shared);
  return
end
try
  data = attnpath_prepare_mex (ap_bare (net), examples, y, settings);
catch err
  ap_rethrow (fname, err);
end
data.shared = settings.shared;
if isempty (data.Xi)
  data.Xi = examples;
  data.y = y;
end
end
