function drawn (folder, varargin)
% DRAWN  Fails unless figures of these names are in the folder, as PNG and as PDF, where this Octave can draw.

% SPDX-License-Identifier: BSD-3-Clause

if ~drawable (), return; end
for name = varargin
  for form = {'png', 'pdf'}
    info = dir (fullfile (folder, [name{1} '.' form{1}]));
    assert (numel (info) == 1 && info.bytes > 5000, name{1});
  end
end
end
