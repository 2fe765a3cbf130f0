function ax = ap_plot_begin (opt)
%AP_PLOT_BEGIN  The axes of a figure, cleared unless they are held: called when nothing can be refused any more.
%
%   ax = AP_PLOT_BEGIN (opt)
%   Inputs :  opt, options of attnpath_plot, and held, whether hold is on
%   Errors:   attnpath:plot:noGraphics
%   See also attnpath_plot.

% SPDX-License-Identifier: BSD-3-Clause

ap_refuse ('plot', 'noGraphics', exist ('OCTAVE_VERSION', 'builtin') && isempty (available_graphics_toolkits ()), ...
           ['this Octave has nothing to draw with: octave-cli has not, nor has any other without a display. With ' ...
           'gnuplot installed (Debian: gnuplot-nox) it has, and Ctrl-C ends what runs, not Octave. xvfb-run -a ' ...
           'octave --no-gui script.m draws into files too, but Ctrl-C ends it altogether']);
ax = opt.Parent;
if isempty (ax), ax = gca (); end
if opt.held, return; end
size_of_text = get (ax, 'fontsize');                               % this and the place stay
set (ax, 'nextplot', 'replace');
newplot (ax);                                                      % unlike cla, it keeps a subplot's listeners
set (ax, 'fontsize', size_of_text, 'nextplot', 'add');             % so that imagesc resets nothing
end
