function ax = ap_plot_begin (opt)
%AP_PLOT_BEGIN  The axes of a figure and their margins, cleared unless they are held, when nothing can be refused.
%
%   ax = AP_PLOT_BEGIN (opt)
%   Inputs :  opt, options of attnpath_plot, Size and Font among them, and held, whether hold is on
%   Errors:   attnpath:plot:noGraphics
%   See also attnpath_plot.

% SPDX-License-Identifier: BSD-3-Clause

ap_refuse ('plot', 'noGraphics', exist ('OCTAVE_VERSION', 'builtin') && isempty (available_graphics_toolkits ()), ...
           ['this Octave has nothing to draw with: octave-cli has not, nor has any other without a display. With ' ...
           'gnuplot installed (Debian: gnuplot-nox) it has, and Ctrl-C ends what runs, not Octave. xvfb-run -a ' ...
           'octave --no-gui script.m draws into files too, but Ctrl-C ends it altogether']);
ax = opt.Parent;
if isempty (ax), ax = gca (); end
if ~isempty (opt.Size)
  inches = opt.Size / 2.54;
  fig = ancestor (ax, 'figure');
  corner = get (fig, 'position');
  set (fig, 'paperunits', 'inches', 'papersize', inches, 'paperposition', [0 0 inches], 'units', 'pixels');
  set (fig, 'position', [corner(1:2), round(inches * get (0, 'screenpixelsperinch'))]);
end
size_of_text = get (ax, 'fontsize');                               % this and the place stay
if ~isempty (opt.Font), size_of_text = opt.Font; end
if opt.held, set (ax, 'fontsize', size_of_text); return; end
set (ax, 'nextplot', 'replace');
newplot (ax);                                                      % unlike cla, it keeps a subplot's listeners
set (ax, 'fontsize', size_of_text, 'nextplot', 'add');             % so that imagesc resets nothing
if ~isempty (opt.Size) && isempty (opt.Parent) && strcmp (get (ax, 'units'), 'normalized')
  edges = [4.8, 3.8, 1.5, 2.4] * size_of_text * 1.25 / 72 ./ inches([1 2 1 2]);  % lines of text: the shares of a small
  edges = min (edges, [0.4 0.4 0.2 0.3]);                          % page that Octave leaves are too small for them
  set (ax, 'position', [edges(1:2), 1 - edges(1:2) - edges(3:4)]);
end
end
