function study_widths (files, folder, widths, draws)
% study_widths: accuracy of the theory with the attention of trained networks, against its width
%
%   study_widths (files, folder)
%   study_widths (files, folder, widths, draws)
%
% files: networks of study_recipes, a cell of names; folder keeps the cells of the sweep; widths ([10 100 1000 Inf];
% Inf is the GP limit) and draws (2) of 600 training sequences and 1000 sequences of classes never seen, with the
% temperature of the least leave-one-out error, as in the paper's Figure 3. Prints a row for each network and width:
% accuracy in % with its standard error over draws, the temperatures, and the accuracy of the trained network itself.
% With 64 paths a width takes three minutes a draw.

% SPDX-License-Identifier: BSD-3-Clause

if nargin < 3, widths = [10 100 1000 Inf]; end
if nargin < 4, draws = 2; end
here = fileparts (mfilename ('fullpath'));
addpath (genpath (fullfile (here, '..', '..', 'demos')));
put_back = keep_cells (folder);
plan = struct ('P', 600, 'Pvalid', 2, 'Ptest', 1000, 'drawings', 1, 'temperatures', [0.1 0.25 0.5 1], 'pruned', NaN);
fprintf ('| network | N | accuracy | T | trained network |\n|---|--:|--:|--:|--:|\n');
for file = reshape (files, 1, [])
  [~, name] = fileparts (file{1});
  cells = sweep_cells (['widths_' name], @(c) trained_cell (c, plan), ...
                       struct ('width', widths, 'seed', 1:draws, 'network', {file}));
  for w = 1:numel (widths)
    one = cells(w,:);
    texts = percent_text ([[one.accuracy]', [one.trained]']);
    fprintf ('| %s | %g | %s | %s | %s |\n', name, widths(w), texts{1}, mat2str (unique ([one.T])), texts{2});
  end
end
end
