function draw = ap_plot_trace (post, opt)
%AP_PLOT_TRACE  An entry of U against the draw, a line for each chain.
%
%   draw = AP_PLOT_TRACE (post, opt)
%   Inputs :  post, from attnpath_sample;  opt, options of attnpath_plot
%   Outputs:  draw, @(ax): struct of graphics handles. Errors are raised here, before anything is drawn
%   See also attnpath_plot.

% SPDX-License-Identifier: BSD-3-Clause

if ~isstruct (post) || numel (post) ~= 1 || ~all (isfield (post, {'U', 'logpost'}))
  ap_fail ('plot', 'missingField', '''trace'' needs a sample, from attnpath_sample');
end
[draws, chains] = size (post.logpost);
U = ap_check_array ('plot', 'model.U', post.U, {'Pi', size(post.U, 1), draws, chains});
if isempty (opt.Entry), opt.Entry = [1 1]; end
at = ap_check_value ('plot', 'Entry', opt.Entry, 'row', {2});
for k = at, ap_check_value ('plot', 'Entry (each of them)', k, 'count', [1, size(U, 1)]); end
entry = reshape (U(at(1),at(2),:,:), draws, chains);
draw = @(ax) draw_trace (ax, entry, at);
end

function h = draw_trace (ax, entry, at)
[draws, chains] = size (entry);
shades = interp1 ([0 0.5 1], [0.05 0.14 0.38; 0.20 0.60 0.75; 0.90 0.55 0.15], linspace (0, 1, max (2, chains)));
h.axes = ax;
h.line = zeros (chains, 1);
for c = 1:chains
  h.line(c) = line (1:draws, entry(:,c), 'Parent', h.axes, 'color', shades(c,:), 'linewidth', 0.5);
end
ap_plot_axes (ax, {sprintf('draw, of each of %d chains', chains), sprintf('U(%d,%d)', at)}, 'xlim', [0, draws + 1]);
end
