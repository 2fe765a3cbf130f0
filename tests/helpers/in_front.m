function [back, folder] = in_front (name, text)
% [back, folder] = in_front (name, text): a function file of this name and text comes before every other function of
% that name, in a folder of its own, until back is cleared.

% SPDX-License-Identifier: BSD-3-Clause

[file, gone] = scratch ([name '.m']);
folder = fileparts (file);
file_bytes (file, text);
warning ('off', 'Octave:shadowed-function', 'local');
addpath (folder);
back = onCleanup (@() away (folder, gone));
end

function away (folder, gone)                              %#ok<INUSD> the folder goes last
rmpath (folder);
end
