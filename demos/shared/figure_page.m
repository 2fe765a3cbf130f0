function fig = figure_page (inches)
%FIGURE_PAGE  An invisible, white figure of the size of a page.
%
%   fig = figure_page (inches)
%   Inputs :  inches, [width height]
%   Outputs:  fig, its handle; or [], and the reason is printed, where no graphics toolkit works: the demo has
%             printed its numbers before

% SPDX-License-Identifier: BSD-3-Clause

if exist ('OCTAVE_VERSION', 'builtin'), fflush (stdout); end       % tables are printed whole before a figure is drawn
try
  fig = figure ('visible', 'off', 'color', [1 1 1], 'units', 'pixels', 'position', [50 50 100*inches], ...
                'paperunits', 'inches', 'papersize', inches, 'paperposition', [0 0 inches], ...
                'defaultaxesfontsize', 10, 'defaulttextfontsize', 10);
catch failure
  fprintf ('\nno figure: %s\n', failure.message);
  fig = [];
end
end
