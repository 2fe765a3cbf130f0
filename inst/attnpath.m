function attnpath ()
%ATTNPATH  Attention paths: a theory of Bayesian learning in deep multi-head self-attention.
%
%   ATTNPATH ()
%
%   Prints a line for every function of the package. The main ones, in the order of use:
%
%     attnpath_net       a network: its heads, widths, prior variances and temperature
%     attnpath_paths     path inputs: your tokens after its attention, or after attention maps that you pass
%     attnpath_solve     the order parameters U, which weigh the attention paths
%     attnpath_predict   mean and variance on new examples
%     attnpath_scores    which heads matter, and attnpath_prune, the network without some of them
%     attnpath_sample    draws from the exact posterior
%     attnpath_plot      figures;  attnpath_demo lists the demos
%
%   Options are name-value pairs or one struct of them. In a pair, the case of a name does not matter, and a unique
%   beginning of the name is enough.
%
%   help attnpath_solve explains that function, example attnpath_solve shows an example and demo attnpath_solve
%   runs it; news attnpath lists the changes, citation attnpath prints the reference to cite.
%
%   Example:
%     >> attnpath
%     attnpath_action ...
%
%
%   References:
%     [1] Tiberi, Mignacco, Irie, Sompolinsky, Dissecting the Interplay of Attention Paths in a
%         Statistical Mechanics Theory of Transformers, NeurIPS 2024, arXiv:2405.15926.
%
%   See also attnpath_demo, attnpath_net, attnpath_solve.

% SPDX-License-Identifier: BSD-3-Clause
% TESTING: demo.tst

folder = fileparts (mfilename ('fullpath'));
found = dir (fullfile (folder, 'attnpath_*.m'));
for k = 1:numel (found)
  [~, name] = fileparts (found(k).name);
  words = regexp (fileread (fullfile (folder, found(k).name)), '(?<=\n%)[A-Z_0-9]+ +([^\n]*)', 'tokens', 'once');
  fprintf ('%-28s%s\n', name, words{1});
end
fprintf ('%-28s%s\n', 'help NAME', 'explains a function');
end

%!test % every function has its line
%! assert (any (strfind (evalc ('attnpath'), 'attnpath_solve ')))
