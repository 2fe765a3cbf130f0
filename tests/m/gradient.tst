% gradient.tst: derivatives of the log evidence by everything but U (T33), (T34).

%!function [sol, X, lengths] = a_case (kind, C, varargin)
%!  randn ("twister", 10 * kind + C);
%!  [N0, T, P, lengths] = deal (5, 4, 7, []);
%!  pair = @(H) struct ("Q", randn (3, N0, H) / 2, "K", randn (3, N0, H) / 2);
%!  rules = {{}, {"Causal", true}, {"Readout", "mean"}, {"Attention", "cme", "Ridge", 0.3, "Readout", "first"}, ...
%!           {"Attention", "cme", "Ridge", 0.3, "Kernel", "gaussian", "Readout", "mean", "Causal", true}, ...
%!           {"Attention", "cme", "Ridge", 0.4, "Kernel", "linear", "Readout", 3}};
%!  heads = {pair(2), pair(3), pair(1)};
%!  if kind < 3, heads = {randn(N0, N0, 2), randn(N0, N0, 3), randn(N0)}; end
%!  net = attnpath_net (heads(1:1 + mod (kind, 3)), "Width", 30 + 5 * (0:1 + mod (kind, 3)), "Temperature", 0.3, ...
%!                      "Variance", 0.8 + (0:2 + mod (kind, 3)) / 10, "Bandwidth", 1.7, rules{kind}{:}, varargin{:});
%!  if any (kind == [2 5]), net.headscale = arrayfun (@(H) linspace (0.4, 1.7, H), net.H, "UniformOutput", false); endif
%!  X = (1 + (kind == 6)) * randn (N0, T, P);
%!  if any (kind == [3 5])
%!    lengths = [4 3 4 2 4 1 3];
%!    for p = 1:P, X(:,lengths(p)+1:end,p) = 0; endfor
%!  endif
%!  paths = attnpath_paths (net, X, "Lengths", lengths);
%!  warning ("off", "attnpath:solve:noise", "local");
%!  sol = attnpath_solve (net, paths, sign (randn (P, C)), "Display", false);
%!  assert (sol.converged);
%!endfunction

%!function v = at_fixed_U (sol, net, Xi)              % what of (T10b) depends on anything but U, and U
%!  C = size (sol.y, 2);
%!  if C == 1, S = ref_action (net, Xi, sol.y, sol.order);
%!  else, S = ref_outputs_action (net, Xi, sol.y, sol.order); endif
%!  v = -S / 2;
%!endfunction

%!function slope = difference (f)                     % error h^4 f''''' / 30 and eps |f| / h: 1e-9 of values about 30
%!  h = 2e-3;
%!  slope = (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
%!endfunction

%!function heads = moved (heads, along, s)
%!  for l = 1:numel (heads)
%!    if isstruct (heads{l})
%!      heads{l}.Q = heads{l}.Q + s * along{l}.Q;
%!      heads{l}.K = heads{l}.K + s * along{l}.K;
%!    else
%!      heads{l} = heads{l} + s * along{l};
%!    endif
%!  endfor
%!endfunction

%!function along = direction (heads)
%!  if isstruct (heads), along = struct ("Q", randn (size (heads.Q)), "K", randn (size (heads.K)));
%!  else, along = randn (size (heads)); endif
%!endfunction

%!function total = inner (a, b)
%!  total = 0;
%!  for l = 1:numel (a)
%!    if isstruct (a{l}), total = total + dot (a{l}.Q(:), b{l}.Q(:)) + dot (a{l}.K(:), b{l}.K(:));
%!    else, total = total + dot (a{l}(:), b{l}(:)); endif
%!  endfor
%!endfunction

%!test % temperature, variances, heads, paths: the definition, C = 1 and 3; sums of some 1e4 terms, cancelling to 1e-3
%! for C = [1 3]
%!   for kind = 1:3
%!     sol = a_case (kind, C);
%!     g = attnpath_gradient (sol, "With", {"temperature", "variance", "heads", "paths"});
%!     want = ref_gradient (sol.net, sol.paths.Xi, sol.y, sol.order);
%!     assert (g.temperature, want.temperature, 1e-9 * (1 + abs (want.temperature)));
%!     assert (g.variance, want.variance, 1e-9 * max (abs (want.variance)));
%!     assert (g.heads, want.heads, 1e-9 * max (abs ([want.heads{:}])));
%!     assert (g.paths, want.paths, 1e-9 * max (abs (want.paths(:))));
%!     assert (g.logp, sol.evidence);
%!   endfor
%! endfor

%!test % at temperature 0: all but that by log T, against the definition; by noise nothing, T t_i being 0
%! for C = [1 3]
%!   sol = a_case (2, C);
%!   sol = attnpath_solve (setfield (sol.net, "temperature", 0), sol.paths, sol.y, "Display", false);
%!   g = attnpath_gradient (sol, "With", {"variance", "heads", "paths", "noise"});
%!   want = ref_gradient (sol.net, sol.paths.Xi, sol.y, sol.order);
%!   assert (g.variance, want.variance, 1e-9 * max (abs (want.variance)));
%!   assert (g.heads, want.heads, 1e-9 * max (abs ([want.heads{:}])));
%!   assert (g.paths, want.paths, 1e-9 * max (abs (want.paths(:))));
%!   assert (g.noise, zeros (1, 7));
%! endfor
%! refuses ({"gradient:badValue", {@() attnpath_gradient(sol), @() attnpath_gradient(sol, "With", "temperature")}});

%!testif ; thorough ()
%! % bandwidth, ridge, heads: against differences of the definition, all rules, readouts, padded and causal
%! for C = [1 3]
%!   for kind = 1:6
%!     [sol, X, lengths] = a_case (kind, C);
%!     net = sol.net;
%!     which = {"W", "QK"}{1 + isstruct(net.heads{1})};
%!     words = {"bandwidth", which, "maps"};
%!     if kind > 3, words{end+1} = "ridge"; endif
%!     g = attnpath_gradient (sol, X, "With", words, "Lengths", lengths);
%!     value = @(net) at_fixed_U (sol, net, ref_paths (net, X, ref_attention (net, X, lengths), lengths));
%!     scaled = @(name) difference (@(s) value (setfield (net, name, net.(name) * exp (s))));
%!     assert (g.bandwidth, scaled ("bandwidth"), 1e-6 * (abs (g.bandwidth) + 1e-3));
%!     if kind > 3, assert (g.ridge, scaled ("ridge"), 1e-6 * (abs (g.ridge) + 1e-3)); endif
%!     along = cellfun (@direction, net.heads, "UniformOutput", false);
%!     slope = difference (@(s) value (setfield (net, "heads", moved (net.heads, along, s / 30))));
%!     assert (30 * slope, inner (along, g.(which)), 1e-6 * (30 * abs (slope) + 1));
%!     A = ref_attention (net, X, lengths);             % and maps, in a direction in which padding stays alone
%!     along = cellfun (@(a) randn (size (a)) .* (a ~= 0), A, "UniformOutput", false);
%!     slope = difference (@(s) at_fixed_U (sol, net, ref_paths (net, X, moved (A, along, s / 30), lengths)));
%!     assert (30 * slope, inner (along, g.maps), 1e-6 * (30 * abs (slope) + 1));
%!   endfor
%! endfor

%!test % of saturated attention, and of equal keys among others: by the maps themselves, and 0 where they are 0 and 1
%! randn ("twister", 4);
%! X = randn (4, 5, 12);
%! X(:,3,:) = X(:,2,:);                                     % two equal keys share what they get
%! for c = {1e-12, 1, "softmax", 0; 1, 1e7, "softmax", 0; 1, 1e7, "cme", 0; 0.05, 1, "softmax", 1; 0.2, 1, "softmax", 1}'
%!   pairs = struct ("Q", randn (3, 4, 2), "K", randn (3, 4, 2));
%!   kernel = {"Attention", c{3}, "Kernel", "gaussian"};
%!   net = attnpath_net ({pairs, pairs}, "Width", 20, "Bandwidth", c{1}, "Temperature", 0.3 * c{2}^2, kernel{1:2+2*(c{3}(1)=='c')});
%!   sol = attnpath_solve (net, c{2} * X, randn (12, 1), "Display", false);
%!   g = attnpath_gradient (sol, c{2} * X, "With", {"bandwidth", "maps", "QK"});
%!   if c{4} == 0
%!     assert (g.bandwidth, 0);
%!     continue
%!   endif
%!   want = 0;
%!   A = attnpath_attention (net, c{2} * X);
%!   for l = 1:2
%!     score = log (max (A{l}, realmin) ./ max (A{l}));
%!     want -= sum ((g.maps{l} .* A{l} .* (score - sum (A{l} .* score)))(:));
%!   endfor
%!   assert (g.bandwidth, want, 1e-11 * abs (want));
%!   assert (abs (want) > 1e-8);
%! endfor

%!test % what is brought: the maps' derivatives are those of maps that heads made
%! [sol, X] = a_case (1, 1);
%! A = attnpath_attention (sol.net, X);
%! own = attnpath_net (sol.net.H, "Width", sol.net.width, "Variance", sol.net.variance, "Temperature", 0.3);
%! brought = attnpath_solve (own, attnpath_paths (own, X, A), sol.y, "Display", false);
%! g = attnpath_gradient (brought, X, A, "With", "maps");
%! fail ("attnpath_gradient (brought, X, 'With', 'maps')", "maps of sol are your own");
%! fail ("attnpath_gradient (brought, X(:,:,[2 1 3:end]), A, 'With', 'maps')", "X and A are not");
%! want = attnpath_gradient (sol, X, "With", "maps");
%! assert (g.maps, want.maps, 1e-7 * max (abs (want.maps{1}(:))));     % two searches, each to 1e-8

%!test % of a solution that is solved anew: the minimum takes no part in the derivative. Differences of solutions are
%! % good to 1e-10 / h, as S is flat there, and h^4: 1e-6 in all
%! for outputs = {"coupled", "shared"}
%!   [sol, X] = a_case (1, 3);
%!   solve = @(net) attnpath_solve (net, X, sol.y, "Outputs", outputs{1}, "Display", false, "Tolerance", 1e-10);
%!   sol = solve (sol.net);
%!   g = attnpath_gradient (sol, X, "With", {"temperature", "bandwidth", "variance"});
%!   for name = {"temperature", "bandwidth"}
%!     again = difference (@(s) solve (setfield (sol.net, name{1}, sol.net.(name{1}) * exp (s))).evidence);
%!     assert (g.(name{1}), again, 1e-5 * (1 + abs (again)));
%!   endfor
%!   second = 1:numel (sol.net.variance) == 2;
%!   again = difference (@(s) solve (setfield (sol.net, "variance", sol.net.variance .* exp (s * second))).evidence);
%!   assert (g.variance(2), again, 1e-5 * (1 + abs (again)));
%! endfor

%!test % moments: the same derivatives without the examples, also where some have no path inputs of their own
%! randn ("twister", 3);
%! net = attnpath_net ([2 2], "Width", 20, "Temperature", 0.2);
%! paths = struct ("Xi", randn (3, 40, 4));
%! y = randn (40, 1);
%! want = attnpath_gradient (attnpath_solve (net, paths, y, "Display", false));
%! for form = {"square", "factor"}
%!   m = attnpath_moments (net, paths, y, "Form", form{1}, "Display", false);
%!   g = attnpath_gradient (attnpath_solve (net, m, "Display", false));
%!   assert (g.temperature, want.temperature, 1e-6 * abs (want.temperature));
%!   assert ([g.heads{:}], [want.heads{:}], 1e-6 * max (abs ([want.heads{:}])));
%!   assert (g.variance, want.variance, 1e-6 * max (abs (want.variance)));
%! endfor

%!test % what there is not is refused, never zero
%! [sol, X] = a_case (1, 1);
%! G = @(varargin) @() attnpath_gradient (varargin{:});
%! hard = attnpath_net (sol.net.heads, "Attention", "hardmax", "Width", 40);
%! found = attnpath_solve (hard, X, sol.y, "Display", false);
%! m = attnpath_moments (hard, X, sign (randn (7, 1)), "Form", "factor", "Display", false);
%! gathered = attnpath_solve (hard, m, "Display", false);
%! refuses ({"gradient:badValue", {G(sol, X, "With", "ridge"), G(sol, X, "With", "QK"), G(sol, "With", "slope"), ...
%!             G(sol, "With", 3), G(found, X, "With", "bandwidth"), G(found, X, "With", "W"), ...
%!             G(gathered, "With", "paths")}
%!           "gradient:usage", {G(sol, "With", "bandwidth"), G()}
%!           "gradient:otherRun", {G(sol, 2 * X, "With", "maps")}
%!           "gradient:notConverged", {G(setfield (sol, "converged", false)), G(setfield (sol, "converged", NaN)), ...
%!             G(setfield (sol, "converged", []))}
%!           "gradient:missingField", {G(rmfield (sol, "reason")), G(rmfield (sol, "order"))}});
%! bare = setfield (sol, "paths", struct ("Xi", sol.paths.Xi));              % as good as brought = false
%! assert (attnpath_gradient (bare, X, "With", "W"), attnpath_gradient (sol, X, "With", "W"));
