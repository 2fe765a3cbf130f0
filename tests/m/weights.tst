% weights.tst: attnpath_weights, and the weights that attnpath_sample draws: they are a network whose order parameter and
% outputs are those of the same draw, and they have the posterior's law. The network is run token by token, with
% attention of its own.

%!function reproduces (net, X, y, lengths, Xprobe)
%!  % Sums of a few hundred products: 1e-10 of the largest number is 1e4 roundings, room for U near singular
%!  A = ref_attention (net, Xprobe, []);
%!  Xi = ref_paths (net, Xprobe, A, []);
%!  own = ref_paths (net, X, ref_attention (net, X, lengths), lengths);
%!  for m = samplers ()
%!    post = sampled (net, X, y, m{1}{:}, "Lengths", lengths, "Probe", Xprobe, "Weights", true, "Chains", 2, "Draws", 3, ...
%!                   "Warmup", 30);
%!    assert (post.paths.Xi, own, 1e-12 * max (abs (own(:))));
%!    for j = 1:6
%!      [draw, chain] = ind2sub ([3 2], j);
%!      w = attnpath_weights (post, draw, chain);
%!      assert (fieldnames (w), {"V0"; "V"; "a"});
%!      assert (size (w.V0), [net.width(1), rows(X)]);
%!      for l = 1:net.L
%!        assert ([size(w.V{l}, 1), size(w.V{l}, 2), size(w.V{l}, 3)], [net.width(l+1), net.width(l), net.H(l)]);
%!      endfor
%!      assert (size (w.a), [net.width(end), 1]);
%!      U = post.U(:,:,draw,chain);
%!      assert (ref_order (net, w), U, 1e-10 * max (abs (U(:))));
%!      f = post.f(:,draw,chain);
%!      scale = max (1, max (abs (f)));
%!      assert (ref_network (net, w, Xprobe, A, []), f, 1e-10 * scale);
%!      effective = ref_effective (net, w);
%!      direct = zeros (size (f));
%!      for p = 1:size (Xi, 3)
%!        direct = direct + Xi(:,:,p)' * effective(:,p) / sqrt (rows (X) * size (Xi, 3));
%!      endfor
%!      assert (direct, f, 1e-10 * scale);
%!    endfor
%!  endfor
%!endfunction

%!testif ; thorough ()
%! % the network of a draw has its U and its f: one to three layers, any widths, N >= Pi and N < Pi
%! randn ("twister", 1);
%! bilinear = @(N0, H) randn (N0, N0, H);
%! product = @(N0, H) struct ("Q", randn (3, N0, H), "K", randn (3, N0, H));
%! cases = {{bilinear(5, 1)},                                  1
%!          {bilinear(5, 1)},                                  [1 1]
%!          {product(5, 3)},                                   [7 4]
%!          {product(5, 3)},                                   [2 4]
%!          {bilinear(5, 2), product(5, 2)},                   [6 9 4]
%!          {bilinear(5, 2), product(5, 2)},                   [3 1 2]
%!          {bilinear(5, 2), product(5, 3)},                   [6 2 1]
%!          {product(5, 2), bilinear(5, 1), bilinear(5, 2)},   [5 4 3 6]
%!          {product(5, 2), bilinear(5, 2), bilinear(5, 2)},   [9 3 2 4]
%!          {product(5, 2), bilinear(5, 2), bilinear(5, 2)},   [3 4 2 1]}';
%! X = randn (5, 4, 9);
%! y = randn (6, 1);
%! for c = cases
%!   L = numel (c{1});
%!   net = attnpath_net (c{1}, "Width", c{2}, "Variance", 0.5 + (1:L+2) / 3, "Temperature", 0.1);
%!   reproduces (net, X(:,:,1:6), y, [], X(:,:,7:9));
%! endfor

%!function [x, odd] = invariants (net, N0, w)
%!  % What rotations leave alone, and a few single entries, which are odd under a change of sign that the posterior does
%!  % not see. All draws at once: quantities x draws x chains
%!  [~, n, m] = size (w);
%!  N = net.width;
%!  w = w(:,:);
%!  V0 = reshape (w(1:N(1)*N0,:), N(1), N0, []);
%!  first = N(1) * N0;
%!  for l = 1:net.L
%!    count = N(l+1) * N(l) * net.H(l);
%!    V{l} = reshape (w(first+1:first+count,:), N(l+1), N(l), net.H(l), []);
%!    first = first + count;
%!  endfor
%!  a = w(first+1:end,:);
%!  x = [sum(a .^ 2, 1) / N(end); a(1,:)];
%!  odd = 2;
%!  for j = 1:N0                                               % V_0' V_0 / N_1
%!    for k = j:N0
%!      x(end+1,:) = squeeze (sum (V0(:,j,:) .* V0(:,k,:), 1))' / N(1);
%!    endfor
%!  endfor
%!  x(end+1,:) = squeeze (V0(1,1,:))';
%!  odd(end+1) = rows (x);
%!  top = zeros (N(end-1), columns (a), net.H(end));
%!  for h = 1:net.H(end)                                       % V_L^h' a
%!    top(:,:,h) = squeeze (sum (V{end}(:,:,h,:) .* reshape (a, N(end), 1, 1, []), 1));
%!  endfor
%!  for l = 1:net.L
%!    for h = 1:net.H(l)
%!      for g = h:net.H(l)                                     % tr V_l^h' V_l^g, and a' V_L^h V_L^g' a
%!        x(end+1,:) = squeeze (sum (sum (V{l}(:,:,h,:) .* V{l}(:,:,g,:), 1), 2))' / (N(l) * N(l+1));
%!        if l == net.L, x(end+1,:) = sum (top(:,:,h) .* top(:,:,g), 1) / N(l); endif
%!      endfor
%!      x(end+1,:) = squeeze (V{l}(1,1,h,:))';
%!      odd(end+1) = rows (x);
%!    endfor
%!  endfor
%!  x = reshape (x, [], n, m);
%!endfunction

%!testif ; thorough ()
%! % the law of the weights: three samplers agree on means and variances; signs do not matter
%! % Some 40 quantities, their squares, two pairs and two problems: 4.5 as in sample.tst. The second has N_l < Pi_l.
%! for c = {[4 5 4], [3 3 5]}
%!   randn ("twister", 3);
%!   net = attnpath_net ([2 2], "Width", c{1}, "Variance", [1.5 0.8 1.2 0.7], "Temperature", 0.3);
%!   paths.Xi = randn (4, 6, 4);
%!   y = randn (6, 1);
%!   for k = 1:3
%!     post = sampled (net, paths, y, "Weights", true, "Draws", 1500, samplers (){k}{:});
%!     [x, odd] = invariants (net, 4, post.weights);
%!     x = [x; (x - mean(x(:,:), 2)) .^ 2];
%!     d(k) = attnpath_diagnose (x);
%!     assert (min (d(k).ess_mean) > 90);                     % 1100 / 12, see sample.tst
%!     assert (numel (odd), 6);
%!     assert (max (abs (d(k).mean(odd)) ./ d(k).mcse(odd)) < 4.5);
%!   endfor
%!   for k = 2:3
%!     z = (d(1).mean - d(k).mean) ./ hypot (d(1).mcse, d(k).mcse);
%!     assert (max (abs (z)) < 4.5);
%!   endfor
%! endfor

%!test % from the file beside a checkpoint, in any order, also after the file has been moved
%! randn ("twister", 4);
%! net = attnpath_net ([2 2], "Width", [3 5 4], "Temperature", 0.1);
%! paths.Xi = randn (4, 6, 4);
%! y = randn (6, 1);
%! [name, gone] = scratch ("run");
%! call = @(varargin) sampled (net, paths, y, "Draws", 4, "Chains", 3, "Warmup", 10, "Weights", true, varargin{:});
%! held = call ();
%! stored = call ("Checkpoint", name);
%! assert (isstruct (stored.weights) && isnumeric (held.weights));
%! info = dir ([name ".weights"]);
%! assert (info.bytes, 8 * numel (held.weights));
%! for j = [7 1 12 3]
%!   [draw, chain] = ind2sub ([4 3], j);
%!   w = attnpath_weights (held, draw, chain);
%!   assert (attnpath_weights (stored, draw, chain), w);
%!   assert ([w.V0(:); w.V{1}(:); w.V{2}(:); w.a], held.weights(:,draw,chain));
%! endfor
%! rename ([name ".weights"], [name ".elsewhere"]);
%! refuses ("weights:file", @() attnpath_weights (stored, 1, 1), name);
%! stored.weights.file = [name ".elsewhere"];
%! assert (attnpath_weights (stored, 4, 3), attnpath_weights (held, 4, 3));
%! file_bytes ([name ".elsewhere"], file_bytes ([name ".elsewhere"])(1:end-1));
%! assert (attnpath_weights (stored, 4, 2), attnpath_weights (held, 4, 2));
%! refuses ("weights:file", @() attnpath_weights (stored, 4, 3), name);

%!test % what is refused
%! net = attnpath_net (2, "Width", 3);
%! paths.Xi = ones (2, 2, 2);
%! post = sampled (net, paths, [1; 2], "Draws", 2, "Chains", 3, "Warmup", 0, "Weights", true);
%! bare = sampled (net, paths, [1; 2], "Draws", 2, "Chains", 3, "Warmup", 0);
%! W = @(varargin) @() attnpath_weights (varargin{:});
%! refuses ("weights:usage", {W(), W(post), W(post, 1)});
%! refuses ("weights:badClass", {W(post.weights, 1, 1), W([post post], 1, 1)}, "post");
%! refuses ("weights:missingField", W(rmfield (post, "weights"), 1, 1), "post");
%! refuses ("weights:missingField", W(bare, 1, 1), "Weights");
%! refuses ("weights:badValue", W(post, 0, 1), {"draw", "1", "2"});
%! refuses ("weights:badValue", W(post, 3, 1), "draw");
%! refuses ("weights:badValue", W(post, 1, 4), {"chain", "1", "3"});
%! refuses ("weights:badValue", W(post, 1, -1), "chain");
%! refuses ("weights:badValue", W(post, 1.5, 1), "draw");
%! refuses ("weights:badShape", W(post, [1 2], 1), "draw");
%! refuses ("weights:badClass", W(post, 1, "a"), "chain");
%! refuses ("weights:notFinite", W(post, NaN, 1), "draw");
%! refuses ("weights:badShape", {W(setfield (post, "net", attnpath_net (2, "Width", 4)), 1, 1), ...
%!                               W(setfield (post, "weights", post.weights(1:end-1,:,:)), 1, 1)}, "weights");
