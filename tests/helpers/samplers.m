function list = samplers ()
% list = samplers (): options of attnpath_sample, a cell for each of its methods.

% SPDX-License-Identifier: BSD-3-Clause

list = {{'Method', 'collapsed'}, {'Method', 'langevin'}, {'Method', 'langevin-all'}};
end
