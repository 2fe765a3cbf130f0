function trained = oneshot_network (name)
%ONESHOT_NETWORK  A network that was trained on the one-shot task and comes with the demos.
%
%   trained = oneshot_network (name)
%   Inputs :  name, '2x4' (two layers of four heads, the paper's), '3x3' or '2x8', or 'ways' for sequences of
%             five ways; or a file that oneshot_train, oneshot_pack or ways_train wrote
%   Outputs:  struct of net, w and U, in double, for attnpath_predict and the others; embedding, history, accuracy and
%             source, as from oneshot_train
%   A file that oneshot_pack has written has heads in the coordinates of basis, W = basis * head * basis', and w too.
%   See also oneshot_train, oneshot_pack, ways_train.

% SPDX-License-Identifier: BSD-3-Clause

files = {'2x4', 'oneshot_trained'; '3x3', 'oneshot_trained_3x3'; '2x8', 'oneshot_trained_2x8'; 'ways', 'oneshot_ways'};
known = strcmp (name, files(:,1));
if any (known)
  name = fullfile (fileparts (mfilename ('fullpath')), [files{known,2} '.mat']);
end
trained = load (name);
trained.w = double (trained.w);
trained.U = double (trained.U);
if isfield (trained, 'basis')
  basis = double (trained.basis);
  for l = 1:numel (trained.heads)
    packed = double (trained.heads{l});
    trained.heads{l} = zeros (size (basis, 1), size (basis, 1), size (packed, 3));
    for h = 1:size (packed, 3), trained.heads{l}(:,:,h) = basis * packed(:,:,h) * basis'; end
  end
  trained.w = basis * trained.w;
end
if ~isfield (trained, 'readout'), trained.readout = 'mean'; end
trained.net = attnpath_net (trained.heads, 'Width', trained.width, 'Readout', trained.readout);
end
