function ap_plot_fit (ax, opt, h)
%AP_PLOT_FIT  Axes of a figure of a given size fill it, but for their labels.
%
%   AP_PLOT_FIT (ax, opt, h)
%   Inputs :  opt, options of attnpath_plot;  h, struct of handles: text where names stand below the axes, colorbar
%             where there is one, [] before it is made
%   Square axes, and those that have a colour bar, stay where ap_plot_begin has put them.
%   See also attnpath_plot, ap_plot_begin.

% SPDX-License-Identifier: BSD-3-Clause

if isempty (opt.Size) || ~isempty (opt.Parent) || opt.held || ~isempty (ap_field (h, 'colorbar', [])) ...
   || ~strcmp (get (ax, 'units'), 'normalized') || strcmp (get (ax, 'dataaspectratiomode'), 'manual')
  return
end
inset = get (ax, 'tightinset');
if exist ('OCTAVE_VERSION', 'builtin'), inset = inset * get (0, 'screenpixelsperinch') / 72; end  % see ap_plot_labels
edges = inset + 0.5 * get (ax, 'fontsize') / 72 * 2.54 ./ opt.Size([1 2 1 2]);
labels = {'ylabel', 'xlabel'};
for k = 1:2                                        % room for a label that the user may write
  label = get (ax, labels{k});
  if isempty (get (label, 'string')), edges(k) = edges(k) + 1.2 * get (ax, 'fontsize') / 72 * 2.54 / opt.Size(k); end
end
if ~isempty (ap_field (h, 'text', [])), edges(2) = getfield (get (ax, 'position'), {2}); end
if isfield (h, 'colorbar'), edges(3) = 2.2 * get (ax, 'fontsize') / 72 * 2.54 / opt.Size(1); end   % its numbers
set (ax, 'position', [edges(1:2), 1 - edges(1:2) - edges(3:4)]);
end
