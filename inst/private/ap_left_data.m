function [data, at] = ap_left_data (fname, net, model, Xi, y, noise, corrected, group)
%AP_LEFT_DATA  Inputs of leave-one-out from a model: its examples, and the order parameters to use.
%
%   [data, at] = AP_LEFT_DATA (fname, net, model, Xi, y, noise, corrected)
%   [data, at] = AP_LEFT_DATA (fname, net, model, Xi, y, noise, corrected, group)
%   Inputs :  model, solution or sample;  Xi, y and noise, its examples;  corrected, true for (T24) of a solution;
%             group, from ap_left_groups, of the examples that are left out together
%   Outputs:  data, as ap_prepare returns it, of these very examples, whatever others might stand for them, and
%             model, for ap_gateway;  at, a cell
%             of order parameters for (T24), otherwise U, Pi x Pi, or Pi x Pi x draws of all chains; Pi C of C coupled
%             outputs
%   Errors:   attnpath:<fname>: missingField, tooFew, and those of ap_check_order, ap_check_draws, ap_check_cold and
%             ap_prepare
%   Warnings: those of ap_warn_minimum
%   See also ap_left_out, attnpath_loo, attnpath_influence.

% SPDX-License-Identifier: BSD-3-Clause

ap_check_fields (fname, 'model', model, {'U'}, 'attnpath_solve or attnpath_sample');
C = size (y, 2);
blocks = ap_output_blocks (net, model.U, C);
n = ap_path_count (net) * blocks;
U = model.U;
if isnumeric (U) && ndims (U) > 2, U = U(:,:,:); end
draws = size (U, 3);
ap_refuse (fname, 'tooFew', draws == 1 && corrected && isfield (model, 'logpost'), ['model is a sample with one ' ...
           'draw of U, which is no solution: leaving examples out takes 25 draws at least']);
ap_refuse (fname, 'tooFew', draws ~= 1 && draws < 25, '%d draws of U are too few: 25 at least', draws);
if draws == 1
  U = ap_check_symmetric (fname, 'model.U', U, n, 'semidefinite');
  ap_warn_minimum (fname, model);
else
  U = ap_check_draws (fname, 'model.U', U, n);
end
at = U;
moves = corrected && draws == 1;
ap_refuse (fname, 'missingField', moves && ~isfield (model, 'order'), ['model has no field order, which the ' ...
           'correction needs: take a solution from attnpath_solve, or ''Corrected'', false, of attnpath_loo']);
if moves, at = ap_check_order (fname, 'model.order', model.order, net, blocks); end
% Kernels are kept for draws, and for (T24), some 15 evaluations, if they fit a cache: for one alone they do not pay
memory = moves * 2^22 + (draws > 15) * 2^31;
data = ap_prepare (fname, net, Xi, y, struct ('memory', memory, 'store', memory > 0, 'reduce', false, 'threads', 0, ...
                                              'evaluations', draws + moves * 15, 'shared', blocks < C), noise, model);
if nargin > 7, data.group = group; end
data.model = model;
for k = 1:draws * (net.temperature == 0), ap_check_cold (fname, net, data, U(:,:,k)); end
end
