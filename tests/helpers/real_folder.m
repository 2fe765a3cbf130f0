function folder = real_folder ()
% folder = real_folder (): the folder of Omniglot beside the project, '' where it is not.

% SPDX-License-Identifier: BSD-3-Clause

folder = fullfile (fileparts (fileparts (fileparts (mfilename ('fullpath')))), '..', 'shared', 'omniglot');
if ~exist (fullfile (folder, 'data_background_small2.mat'), 'file'), folder = ''; end
end
