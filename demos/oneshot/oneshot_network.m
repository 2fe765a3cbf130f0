function trained = oneshot_network (name)
%ONESHOT_NETWORK  A network that was trained on the one-shot task and comes with the demos.
%
%   trained = oneshot_network (name)
%   Inputs :  name, which consists of recipe, steps and seed; or a file from oneshot_train or studies/ways/ways_train
%               'published_41000_s0'    two layers of four heads, trained as published
%               'cosine_20000_s1'       the same, trained for accuracy
%               '3x3_cosine_12000_s1', '2x8_cosine_12000_s1'   three layers of three heads, two of eight: for accuracy
%               '2x8_published_41000_s0'                       two of eight, trained as published
%   Outputs:  struct of net, w and U, in double, for attnpath_predict and the like; embedding, history, accuracy and
%             source, as from oneshot_train
%   Most files have heads and weights in the coordinates of a basis: W = basis * head * basis', and basis * w.
%   See also oneshot_train, oneshot_pack.

% SPDX-License-Identifier: BSD-3-Clause

file = fullfile (fileparts (mfilename ('fullpath')), ['oneshot_' name '.mat']);
if exist (file, 'file') ~= 2, file = name; end
trained = load (file);
trained.w = double (trained.w);
trained.U = double (trained.U);
if isfield (trained, 'basis')
  basis = double (trained.basis);
  for l = 1:numel (trained.heads)
    packed = double (trained.heads{l});
    if isfield (trained, 'unit'), packed = packed .* double (trained.unit{l}); end
    trained.heads{l} = zeros (size (basis, 1), size (basis, 1), size (packed, 3));
    for h = 1:size (packed, 3), trained.heads{l}(:,:,h) = basis * packed(:,:,h) * basis'; end
  end
  trained.w = basis * trained.w;
end
if ~isfield (trained, 'readout'), trained.readout = 'mean'; end
trained.net = attnpath_net (trained.heads, 'Width', trained.width, 'Readout', trained.readout);
end
