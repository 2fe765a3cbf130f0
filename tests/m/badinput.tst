% badinput.tst: bad input is refused with the right id, at the door of every wrapper and of every gateway.
% A gateway must survive anything it is called with; what it must say is asked for the common mistakes.

%!function list = spoiled (v, single_is_fine)
%!  % ways to spoil a real array, and what should be said
%!  list = {"notReal",   complex(v, ones (size (v)))
%!          "sparse",    sparse(v(:,:))
%!          "sparse",    sparse(v(:,:) > 0)
%!          "badClass",  int32(v)
%!          "badClass",  uint8(v)
%!          "badClass",  v > 0
%!          "badClass",  repmat("a", size (v))
%!          "badClass",  num2cell(v)
%!          "badClass",  struct("a", v)
%!          "badClass",  @sin
%!          "notFinite", subsasgn(v, substruct ("()", {numel(v)}), NaN)
%!          "notFinite", subsasgn(v, substruct ("()", {1}), -Inf)
%!          "empty",     zeros(0, 3)
%!          "empty",     zeros(3, 0, 2)
%!          "badShape",  repmat(v, [2 1])
%!          "badShape",  repmat(v, [1 1 1 1 2])
%!          "badShape",  reshape([v(:); 1], 1, 1, 1, [])};
%!  if ~single_is_fine
%!    list(end+1,:) = {"badClass", single(v)};
%!  endif
%!endfunction

%!function g = good ()
%!  randn ("twister", 1);
%!  g.net = attnpath_net ({randn(3, 3, 2), struct("Q", randn (4, 3, 2), "K", randn (4, 3, 2))});
%!  g.counts = attnpath_net ([2 2]);
%!  g.X = randn (3, 4, 5);
%!  g.lengths = [4 2 3 4 1];
%!  g.A = attnpath_attention (g.net, g.X);
%!  g.paths = attnpath_paths (g.net, g.X);
%!  g.Xi = g.paths.Xi;
%!  g.y = randn (5, 1);
%!  g.U = [2 1 0 0; 1 2 0 0; 0 0 1 0; 0 0 0 1];
%!  g.data = ready (g.Xi, g.y);
%!  g.plan = struct ("memory", 1e9, "store", true, "reduce", true, "evaluations", 15, "threads", 1, ...
%!                   "shared", false, "of", []);
%!  g.fit = attnpath_predict_mex (g.net, g.data, g.U);
%!  g.settings = struct ("tolerance", 1e-8, "maxiterations", 200, "memory", 1e9, "certificate", 1, "display", 0, ...
%!                       "parts", false, "starts", 0, "seed", 0);
%!  g.order = attnpath_solve_mex (g.net, g.data, "gp", g.settings).order;
%!  g.move = struct ("beta", 0.5, "step", 0.1, "steps", 2, "seed", 3, "stream", 0, "count", 4);
%!  g.x = attnpath_evidence_mex (g.net, g.data, [], g.move);
%!  g.q = randn (3, 5);  g.keys = randn (3, 4);  g.values = randn (2, 4);
%!  g.head = struct ("attention", "cme", "bandwidth", 2, "kernel", "gaussian", "ridge", 0.1);
%!  g.model = struct ("net", g.net, "paths", g.paths, "y", g.y, "U", g.U);
%!  g.run = struct ("method", "collapsed", "warmup", 20, "thin", 2, "chains", 3, "seed", 4, "weights", true, ...
%!                  "accept", 0.8);
%!endfunction

%!function varargout = with (f, args, k, v)
%!  args{k} = v;
%!  [varargout{1:nargout}] = f (args{:});
%!endfunction

%!function post = sample (varargin)
%!  % as attnpath_sample, but no longer than it takes to see that it runs
%!  warning ("off", "attnpath:sample:notConverged", "local");
%!  given = {};
%!  if nargin > 0, given = {"Warmup", 2, "Draws", 2, "Display", false}; endif
%!  post = attnpath_sample (varargin{:}, given{:});
%!endfunction

%!function seven_outputs (f, args)
%!  [~, ~, ~, ~, ~, ~, ~] = f (args{:});
%!endfunction

%!function list = gateways (g)
%!  list = {"attention",   @attnpath_attention_mex,   {g.net, g.X, g.lengths},              {"net", "X", "lengths"}
%!          "paths",       @attnpath_paths_mex,       {g.net, g.X, g.lengths, g.A},         {"net", "X", "lengths", "A"}
%!          "pathkernels", @attnpath_pathkernels_mex, {g.net, g.Xi, g.Xi},                  {"net", "Xi", "Xi2"}
%!          "kernel",      @attnpath_kernel_mex,      {g.net, g.Xi, g.Xi, g.U},             {"net", "Xi", "Xi2", "U"}
%!          "action",      @attnpath_action_mex,      {g.net, g.data, g.order, 1e9},        {"net", "data", "order", "memory"}
%!          "solve",       @attnpath_solve_mex,       {g.net, g.data, g.order, g.settings}, {"net", "data", "order", "settings"}
%!          "loo",         @attnpath_loo_mex,         {g.net, g.data, g.U, (1:5)', ones(5, 1), 0}, ...
%!                                                    {"net", "data", "U", "groups", "weight", "display"}
%!          "loo",         @attnpath_loo_mex,         {g.net, g.data, g.order, [1 2 2 1 3]', ones(3, 1), 1}, ...
%!                                                    {"net", "data", "order", "groups", "weight", "display"}
%!          "evidence",    @attnpath_evidence_mex,    {g.net, g.data, g.x, g.move},         {"net", "data", "x", "move"}
%!          "predict",     @attnpath_predict_mex,     {g.net, g.data, g.U, g.Xi, g.fit},    {"net", "data", "U", "X.Xi", "fit"}
%!          "predict",     @attnpath_draws_mex,       {g.net, g.data, cat(3, g.U, g.U), g.Xi, [1 6 6], [0 0 9]}, ...
%!                                                    {"net", "data", "U", "Xi2", "examples", "pace"}
%!          "sample",      @attnpath_sample_mex,      {g.net, g.data, g.Xi, g.run, state(g), 7}, ...
%!                                                    {"net", "data", "Xi2", "settings", "state", "count"}
%!          "prepare",     @attnpath_prepare_mex,     {g.net, g.Xi, g.y, g.plan},           {"net", "Xi", "y", "settings"}
%!          "attend",      @attnpath_attend_mex,      {g.q, g.keys, g.values, g.head},      {"q", "K", "V", "settings"}};
%!endfunction

%!function list = of_nets (g)                             % those whose first argument is a network
%!  list = gateways (g);
%!  list = list(cellfun (@(names) strcmp (names{1}, "net"), list(:,4)),:);
%!endfunction

%!function yes = is_shape_of_attend (row, k, bad)
%!  % d rows of K are compared with those of q, whose name the message has; V may have any number of rows
%!  yes = strcmp (row{1}, "attend") && strcmp (bad{1}, "badShape") && (k == 2 || k == 3 && ndims (bad{2}) == 2);
%!endfunction

%!function x = state (g)
%!  % after 30 trajectories of each chain
%!  x = attnpath_sample_mex (g.net, g.data, [], g.run, [], 30);
%!endfunction

%!test % gateways: the good input that all else is a variation of
%! g = good ();
%! for row = gateways (g)'
%!   f = row{2};
%!   f (row{3}{:});
%! endfor
%! attnpath_evidence_mex (g.net, g.data, g.order, [], false);
%! attnpath_evidence_mex (g.net, g.data, g.order, struct ("probes", 2, "seed", 0), false);

%!test % gateways: numbers of inputs and outputs
%! g = good ();  n = 0;
%! for row = gateways (g)'
%!   id = [row{1} ":usage"];
%!   n += refuses (id, @() row{2} ());
%!   n += refuses (id, @() row{2} (row{3}{1:end-1}));
%!   n += refuses (id, @() row{2} (row{3}{:}, 1));
%!   n += refuses (id, @() seven_outputs (row{2}, row{3}));
%! endfor
%! assert (n, 56);

%!test % the other gateways: numbers of inputs and outputs; and what no wrapper hands on
%! g = good ();  n = 0;
%! other = {"gradient", @attnpath_backward_mex, 6;   "expand", @attnpath_expand_mex, 4
%!          "gradient", @attnpath_gradient_mex, 3;   "interrupt", @attnpath_interrupt_mex, 1
%!          "moments", @attnpath_moments_mex, 4;     "rename", @attnpath_rename_mex, 2
%!          "train", @attnpath_train_mex, 6;          "mark", @attnpath_mark_mex, 1};
%! for row = other'
%!   id = [row{1} ":usage"];
%!   n += refuses (id, @() row{2} ());
%!   n += refuses (id, @() seven_outputs (row{2}, repmat ({1}, 1, row{3})));
%! endfor
%! assert (n, 16);
%! sums = @(S) @() attnpath_prepare_mex (g.net, struct ("sums", S, "form", "square", "P", 5), [], g.plan);
%! store = @(flag) @() attnpath_prepare_mex (g.net, g.Xi, g.y, setfield (g.plan, "store", flag));
%! both = setfield (ready (g.Xi, [g.y g.y]), "shared", true);
%! oblong = setfield (setfield (g.net, "N0", 0), "heads", {ones(3, 2, 2), g.net.heads{2}});
%! five = {struct("seed", 0, "done", 0, "decay", 0), [], ones(3, 4, 5, "single"), ones(1, 5, "single"), [1 1]};
%! table = {"expand:usage", {@() attnpath_expand_mex (g.net, g.data, g.order, g.U, g.U)}
%!          "prepare:badShape", {sums(ones (13, 12)), sums(ones (12)), sums(1), sums(ones (9)), store([true true]), ...
%!            @() attnpath_prepare_mex (oblong, g.Xi, g.y, g.plan)}
%!          "prepare:sparse", {store(sparse (true))}
%!          "evidence:badValue", {@() attnpath_evidence_mex (g.net, both, g.order, [], false)}
%!          "sample:badValue", {@() attnpath_sample_mex (g.net, both, [], g.run, [], 3)}
%!          "gradient:noHeads", {@() attnpath_backward_mex (g.counts, g.X, [], [], ones (3, 5, 4), [1 1])}
%!          "rename:badClass", {@() attnpath_rename_mex ("a", 7), @() attnpath_rename_mex ("", "b"), ...
%!            @() attnpath_rename_mex ("a", ["bc"; "de"])}
%!          "rename:badValue", {@() attnpath_rename_mex (["a" 0 "b"], "c")}
%!          "train:badShape", {@() attnpath_train_mex (g.net, five{:})}};
%! refuses (table);

%!test % gateways: every array argument, spoiled in every way
%! g = good ();  n = 0;
%! for row = gateways (g)'
%!   for k = find (cellfun (@isnumeric, row{3}))
%!     name = row{4}{k};
%!     for bad = spoiled (row{3}{k}, false)'
%!       free = {"lengths", "state", "x", "fit", "examples", "pace", "groups", "weight"};           % which may be []
%!       if any (strcmp (func2str (row{2})(9:end), {"_sample_mex", "_draws_mex"})), free{end+1} = "Xi2"; endif
%!       if any (strcmp (name, free)) && strcmp (bad{1}, "empty"), continue, endif
%!       if strcmp (row{1}, "prepare") && isstruct (bad{2}), continue, endif          % taken for moments
%!       if any (strcmp (row{1}, {"loo", "evidence"})) && k == 3 && iscell (bad{2}), continue, endif    % order, then
%!       if is_shape_of_attend (row, k, bad), continue, endif
%!       n += refuses ([row{1} ":" bad{1}], @() with (row{2}, row{3}, k, bad{2}), name);
%!     endfor
%!   endfor
%! endfor
%! assert (n > 250);

%!test % the evidence's random probes
%! g = good ();
%! call = @(random) attnpath_evidence_mex (g.net, g.data, g.order, random, false);
%! refuses ("evidence:badValue", @() call (struct ("probes", 1, "seed", 0)), "random.probes");
%! refuses ("evidence:badValue", @() call (struct ("probes", 2, "seed", -1)), "random.seed");
%! refuses ("evidence:missingField", @() call (struct ("probes", 2)), "seed");

%!test % gateways: every field of data, missing or wrong
%! g = good ();  n = 0;
%! for row = gateways (g)'
%!   k = find (strcmp (row{4}, "data"));
%!   if isempty (k), continue, endif
%!   for field = fieldnames (g.data)'
%!     n += refuses ([row{1} ":missingField"], @() with (row{2}, row{3}, k, rmfield (g.data, field{1})), field{1});
%!   endfor
%!   for field = {"Xi", "y"}
%!     for bad = spoiled (g.data.(field{1}), false)'
%!       n += refuses ([row{1} ":" bad{1}], @() with (row{2}, row{3}, k, setfield (g.data, field{1}, bad{2})), field{1});
%!     endfor
%!   endfor
%!   wrong = {"P", 4, "badValue"; "P", 5.5, "badValue"; "P", NaN, "notFinite"; "P", [], "empty"; "P", "5", "badClass"
%!            "rest", -1, "badValue"; "rest", Inf, "notFinite"; "rest", [1 2], "badShape"
%!            "store", ones(7, 1), "badValue"; "store", single(1), "badClass"; "store", sparse(1), "sparse"
%!            "store", {1}, "badClass"; "store", 1i*ones(150, 1), "notReal"};
%!   for bad = wrong'
%!     n += refuses ([row{1} ":" bad{3}], @() with (row{2}, row{3}, k, setfield (g.data, bad{1}, bad{2})), bad{1}(2:end));
%!   endfor
%! endfor
%! assert (n > 100);

%!test % gateways: anything at all in the place of net, maps, order, settings
%! g = good ();  n = 0;
%! for row = gateways (g)'
%!   for bad = {[], 1, "net", {}, {1}, true, @sin, int8(3), sparse(1), 1i, NaN, single(1)}
%!     for k = find (~cellfun (@isnumeric, row{3}))
%!       if isequal (bad{1}, []) && isnumeric (bad{1}) && strcmp (row{4}{k}, "A"), continue, endif
%!       if strcmp (row{1}, "loo") && k == 3 && ! iscell (bad{1}), continue, endif     % U, then
%!       what = "badClass";
%!       if iscell (bad{1}) && iscell (row{3}{k}), what = "badShape"; endif
%!       if strcmp (row{1}, "solve") && k == 3 && ischar (bad{1}), what = "badValue"; endif      % it may be "gp"
%!       n += refuses ([row{1} ":" what], @() with (row{2}, row{3}, k, bad{1}), row{4}{k});
%!     endfor
%!   endfor
%!   for k = find (cellfun (@isstruct, row{3}))
%!     for bad = {[row{3}{k}([1 1])], row{3}{k}([])}
%!       n += refuses ([row{1} ":badShape"], @() with (row{2}, row{3}, k, bad{1}), row{4}{k});
%!     endfor
%!     n += refuses ([row{1} ":missingField"], @() with (row{2}, row{3}, k, struct ("a", 1)), row{4}{k});
%!   endfor
%! endfor
%! assert (n > 130);

%!testif ; thorough () % gateways: every field of net, missing or wrong
%! g = good ();  n = 0;
%! for row = of_nets (g)'
%!   for field = fieldnames (g.net)'
%!     n += refuses ([row{1} ":missingField"], @() with (row{2}, row{3}, 1, rmfield (g.net, field{1})), field{1});
%!   endfor
%! endfor
%! wrong = {"L", "badValue", {3, 1.5}; "L", "notFinite", {NaN}; "L", "badShape", {[2 2]}
%!          "L", "badClass", {"2", int32(2)}; "L", "empty", {[]}
%!          "H", "badValue", {[2 0], [2 -1], [2 1.5], [2 1e300]}; "H", "badShape", {[2; 2]}
%!          "H", "empty", {[]}; "H", "badClass", {{2, 2}}; "N0", "badValue", {-1, 0.5}; "N0", "notFinite", {Inf}
%!          "N0", "badShape", {7}
%!          "heads", "badShape", {g.net.heads(1), g.net.heads', {eye(3), eye(3)}, {ones(4, 3, 2), ones(3, 3, 2)}, ...
%!            {ones(3, 3, 2), ones(4, 4, 2)}, {ones(3, 3, 2), struct("Q", 1)}, ...
%!            {ones(3, 3, 2), struct("Q", ones (4, 3, 2), "K", ones (5, 3, 2))}, ...
%!            {ones(3, 3, 2), struct("Q", {1, 2}, "K", {1, 2})}}
%!          "heads", "badClass", {g.net.heads{1}, [], ...
%!            {ones(3, 3, 2), struct("Q", ones (4, 3, 2, "single"), "K", ones (4, 3, 2))}, {ones(3, 3, 2), "W"}}
%!          "heads", "empty", {{[], []}}; "heads", "missingField", {{ones(3, 3, 2), struct("Q", ones (4, 3, 2))}}
%!          "heads", "notFinite", {{nan(3, 3, 2), ones(3, 3, 2)}}
%!          "heads", "notReal", {{1i * ones(3, 3, 2), ones(3, 3, 2)}}
%!          "heads", "sparse", {{sparse(3, 3), ones(3, 3, 2)}}; "width", "badShape", {[1 2], [1; 2; 3]}
%!          "width", "badValue", {[1 0 3], [1 -2 3]}; "width", "notFinite", {[1 Inf 3]}
%!          "width", "badClass", {int32([1 2 3])}; "width", "empty", {[]}; "variance", "badShape", {[1 2 3]}
%!          "variance", "badValue", {[1 1 0 1]}; "variance", "notFinite", {[1 1 NaN 1]}
%!          "variance", "notReal", {[1 1 1i 1]}; "temperature", "badValue", {-1}
%!          "temperature", "notFinite", {NaN, Inf}; "temperature", "badShape", {[1 2]}
%!          "temperature", "badClass", {"hot"}; "temperature", "empty", {[]}
%!          "readout", "badValue", {"middle", repmat("last", 1, 1000), ["last"; "mean"], "", 0, 1.5}
%!          "readout", "badShape", {[1 2]}; "readout", "badClass", {{"last"}}
%!          "attention", "badValue", {"cme2", 3, [], "cme"}; "bandwidth", "badValue", {0, -1}
%!          "bandwidth", "notFinite", {Inf}; "bandwidth", "badShape", {[1 2]}; "bandwidth", "badClass", {"wide"}
%!          "bandwidth", "empty", {[]}; "kernel", "badValue", {"cubic", 1, []}; "ridge", "badValue", {0, -1e-3}
%!          "ridge", "notFinite", {NaN}; "ridge", "badClass", {{}}; "causal", "badValue", {2}
%!          "causal", "empty", {[]}; "causal", "badShape", {[true false]}; "causal", "badClass", {"yes"}
%!          "skip", "badShape", {[0 0 1]}; "skip", "badClass", {"yes"}; "skip", "badValue", {-[1 1]}
%!          "headscale", "badClass", {[1 1], {[1 1], "ab"}}
%!          "headscale", "badShape", {{[1 1]}, {[1 1], [1 1]}', {[1 1], 1}, {[1 1], [1; 1]}}
%!          "headscale", "empty", {{[1 1], []}}; "headscale", "notFinite", {{[1 NaN], [1 1]}}
%!          "headscale", "badValue", {{[1 1], [-1 1]}}};
%! for bad = wrong'
%!   nets = cellfun (@(value) setfield (g.net, bad{1}, value), bad{3}, "UniformOutput", false);
%!   for row = of_nets (g)'
%!     n += refuses ([row{1} ":" bad{2}], cellfun (@(net) @() with (row{2}, row{3}, 1, net), nets, "UniformOutput", false));
%!   endfor
%! endfor
%! n += refuses ("attention:badShape", @() attnpath_attention_mex (setfield (g.net, "H", [3 2]), g.X, g.lengths));
%! assert (n > 500);

%!test % gateways: what only some of them take
%! g = good ();  n = 0;
%! maps = @(k, v) subsasgn (g.A, substruct ("{}", {k}), v);
%! far = g.net;  far.readout = 5;                     % examples have 4 tokens
%! one = g.net;  one.readout = 3;                     % the second example has 2
%! huge = attnpath_net ([3e4 3e4]);
%! wide = attnpath_net (2 * ones (1, 5));
%! [wide.H(:), wide.headscale(:)] = deal (1e4, {ones(1, 1e4)});
%! U = g.U;
%! indefinite = U;  indefinite(4,4) = -1e-3;
%! hidden = [1 2; 2 1];
%! set = @(field, v) setfield (g.settings, field, v);
%! A = @(net, X, lengths) @() attnpath_attention_mex (net, X, lengths);
%! P = @(net, X, lengths, A) @() attnpath_paths_mex (net, X, lengths, A);
%! table = {"attention:noHeads", {A(g.counts, g.X, [])}
%!          "attention:badValue", {A(g.net, g.X, [4 2 3 4 5]), A(g.net, g.X, [4 2 3 4 0]), ...
%!            A(g.net, g.X, [4 2 3 4 -1]), A(g.net, g.X, [4 2 3 4 1.5])}
%!          "attention:badShape", {A(g.net, g.X, [4 2 3]), A(g.net, g.X, [4 2 3 4 1]')}
%!          "attention:badClass", {A(g.net, g.X, {}), A(g.net, g.X, "")}
%!          "attention:notFinite", {A(g.net, 1e200 * g.X, [])}
%!          "paths:noHeads", {P(g.counts, g.X, [], [])}
%!          "paths:badValue", {P(far, g.X, [], []), P(far, g.X, [], g.A), P(one, g.X, g.lengths, []), ...
%!            P(one, g.X, g.lengths, g.A)}
%!          "paths:badShape", {P(g.net, g.X, [], g.A(1)), P(g.net, g.X, [], g.A'), ...
%!            P(g.net, g.X, [], maps (2, g.A{2}(:,:,1,:))), P(g.net, g.X, [], maps (2, g.A{2}(:,:,:,1:4))), ...
%!            P(g.net, g.X, [], maps (2, g.A{2}(1:3,:,:,:)))}
%!          "paths:notFinite", {P(g.net, g.X, [], maps (2, NaN * g.A{2})), P(g.net, 1e200 * g.X, [], [])}
%!          "paths:notReal", {P(g.net, g.X, [], maps (2, 1i * g.A{2}))}
%!          "paths:badClass", {P(g.net, g.X, [], maps (1, single (g.A{1})))}
%!          "paths:empty", {P(g.net, g.X, [], cell (1, 2))}
%!          "paths:tooLarge", {P(huge, randn (1e4, 1), [], {ones(1, 1, 3e4), ones(1, 1, 3e4)}), ...
%!            P(wide, 1, [], {1, 1})}
%!          "kernel:badShape", {@() attnpath_kernel_mex (g.net, g.Xi, g.Xi, U(1:3,1:3)), ...
%!            @() attnpath_kernel_mex (g.net, g.Xi, g.Xi, U(:,1:3))}
%!          "kernel:notFinite", {@() attnpath_kernel_mex (g.net, g.Xi, g.Xi, NaN * U)}
%!          "predict:notFinite", {@() attnpath_predict_mex (g.net, g.data, NaN * U, g.Xi, []), ...
%!            @() attnpath_draws_mex (g.net, g.data, cat (3, U, Inf * U), [], [], [])}
%!          "predict:badShape", {@() attnpath_predict_mex (g.net, ready (g.Xi, g.y'), g.U, g.Xi, []), ...
%!            @() attnpath_predict_mex (g.net, g.data, g.U, g.Xi(1:2,:,:), []), ...
%!            @() attnpath_predict_mex (g.net, g.data, g.U, g.Xi(:,:,1), []), ...
%!            @() attnpath_predict_mex (g.net, g.data, g.U, g.Xi, g.fit'), ...
%!            @() attnpath_predict_mex (g.net, g.data, g.U, g.Xi, g.fit(:,1:5)), ...
%!            @() attnpath_draws_mex (g.net, g.data, g.U, g.Xi(1:2,:,:), [], []), ...
%!            @() attnpath_draws_mex (g.net, g.data, g.U, [], [1 2], []), ...
%!            @() attnpath_draws_mex (g.net, g.data, g.U, [], [], [1 2])}};
%! for f = {"action", "solve"}
%!   if strcmp (f{1}, "action")
%!     call = @(y, order) @() attnpath_action_mex (g.net, ready (g.Xi, y), order, 1e9);
%!   else
%!     call = @(y, order) @() attnpath_solve_mex (g.net, ready (g.Xi, y), order, g.settings);
%!   endif
%!   table = [table; {[f{1} ":badShape"], {call(g.y, g.order(1)), call(g.y, g.order'), call(g.y, fliplr (g.order)), ...
%!                      call(g.y', g.order), call(g.y(1:4), g.order)}
%!                    [f{1} ":empty"], {call(g.y, cell (1, 2))}
%!                    [f{1} ":notPositiveDefinite"], {call(g.y, {indefinite, eye(2)}), call(g.y, {U, hidden}), ...
%!                      call(g.y, {U, zeros(2)})}
%!                    [f{1} ":notFinite"], {call(g.y, {U, NaN(2)})}
%!                    [f{1} ":notReal"], {call(g.y, {U, [1 1i; -1i 1]})}
%!                    [f{1} ":sparse"], {call(g.y, {U, speye(2)})}
%!                    [f{1} ":badClass"], {call(g.y, {U, single(eye (2))})}}];
%! endfor
%! S = @(settings) @() attnpath_solve_mex (g.net, g.data, g.order, settings);
%! table = [table; {"action:badValue", {@() attnpath_action_mex (g.net, g.data, g.order, -1)}
%!                  "solve:missingField", cellfun(@(name) S (rmfield (g.settings, name)), ...
%!                                                fieldnames (g.settings)', "UniformOutput", false)
%!                  "solve:badValue", {S(set ("certificate", 2)), S(set ("parts", 2)), S(set ("tolerance", -1)), ...
%!                    S(set ("maxiterations", 2.5)), S(set ("maxiterations", -1)), S(set ("maxiterations", 1e10)), ...
%!                    S(set ("memory", -1)), S(set ("display", 4))}
%!                  "solve:notFinite", {S(set ("tolerance", NaN))}
%!                  "solve:badShape", {S(set ("memory", [1 2]))}
%!                  "solve:badClass", {S(set ("display", "on"))}}];
%! R = @(field, v) @() attnpath_sample_mex (g.net, g.data, [], setfield (g.run, field, v), [], 1);
%! N = @(field, v) @() attnpath_sample_mex (setfield (g.net, field, v), g.data, [], g.run, [], 1);
%! C = @(count) @() attnpath_sample_mex (g.net, g.data, [], g.run, [], count);
%! for field = fieldnames (g.run)'
%!   table = [table; {"sample:missingField", {@() attnpath_sample_mex(g.net, g.data, [], rmfield (g.run, field{1}), [], 1)}}];
%!   for bad = {"badClass", {1}; "badClass", @sin; "badClass", struct("a", 1); "badClass", int32(2); "empty", []}'
%!     id = ["sample:" bad{1}];
%!     if strcmp (field{1}, "method"), id = "sample:badValue"; endif
%!     table = [table; {id, R(field{1}, bad{2})}];
%!   endfor
%!   if ! strcmp (field{1}, "method")
%!     table = [table; {"sample:badClass", {R(field{1}, "a")}
%!                      "sample:notReal", {R(field{1}, 1i)}
%!                      "sample:sparse", {R(field{1}, sparse (1))}
%!                      "sample:notFinite", {R(field{1}, NaN), R(field{1}, Inf)}
%!                      "sample:badShape", {R(field{1}, [1 1])}
%!                      "sample:badValue", {R(field{1}, -1)}}];
%!   endif
%! endfor
%! table = [table; {"sample:badValue", {R("method", "collapse"), R("method", "Collapsed"), ...
%!                    R("method", ["langevin"; "langevin"]), R("method", repmat ("langevin", 1, 100)), ...
%!                    R("warmup", 0.5), R("warmup", 1e300), R("thin", 0), R("thin", 1.5), R("chains", 0), ...
%!                    R("chains", 1e9), R("seed", 0.5), R("seed", 2^32), R("weights", 2), C(-1), C(0.5), C(1e10), ...
%!                    N("temperature", 0), N("width", [3 2.5 4]), N("width", [0.5 2 4])}
%!                  "sample:tooLarge", {@() attnpath_sample_mex(setfield (g.net, "width", [1e6 1e6 1]), g.data, [], setfield (g.run, "thin", 1), [], 1e9), ...
%!                    N("width", [3 1e15 4]), N("width", [1e8 1e8 1e8])}
%!                  "sample:badShape", {@() attnpath_sample_mex(g.net, ready (g.Xi, g.y'), [], g.run, [], 1), ...
%!                    @() attnpath_sample_mex(g.net, g.data, g.Xi(1:2,:,:), g.run, [], 1), ...
%!                    @() attnpath_sample_mex(g.net, g.data, g.Xi(:,:,1:3), g.run, [], 1)}
%!                  "sample:badClass", {@() attnpath_sample_mex(g.net, g.data, {}, g.run, [], 1), ...
%!                    @() attnpath_sample_mex(g.net, g.data, "", g.run, [], 1), ...
%!                    @() attnpath_sample_mex(g.net, g.data, [], g.run, {}, 1), ...
%!                    @() attnpath_sample_mex(g.net, g.data, [], g.run, "", 1)}}];
%! assert (refuses (table) > 150);

%!test % the attend gateway: shapes, and the fields of its settings
%! g = good ();
%! args = {g.q, g.keys, g.values, g.head};
%! [out, Omega] = attnpath_attend_mex (args{:});
%! assert ({size(out), size(Omega)}, {[2 5], [4 5]});
%! A = @(k, v) @() with (@attnpath_attend_mex, args, k, v);
%! H = @(field, v) A (4, setfield (g.head, field, v));
%! refuses ({"attend:badShape", A(3, g.values(:,1:3)), {"V", "any x 4"}
%!           "attend:badShape", A(1, g.q(1:2,:)), {"q", "3 x any"}
%!           "attend:missingField", A(4, rmfield (g.head, "attention")), "attention"
%!           "attend:badValue", H("attention", "mean"), "attention"
%!           "attend:badValue", {H("bandwidth", 0), H("ridge", 0), H("kernel", "cubic"), H("kernel", {})}, ""
%!           "attend:notFinite", H("ridge", NaN), "ridge"
%!           "attend:badClass", H("bandwidth", "1"), "bandwidth"});

%!testif ; thorough ()
%! % the sample gateway: states that are not what it returned
%! % A column is a chain's: ap_tuning (25 numbers: done, step, arm, ..), the generator of the moves (key 2, counter 4,
%! % output 4, used), the position and so on, and at the end the generator of the draws: ap_posterior.h, ap_sample.c.
%! g = good ();  n = 0;
%! g.net.width = [5 3 2];
%! for method = {"collapsed", "langevin", "langevin-all"}
%!   g.run.method = method{1};
%!   x = state (g);
%!   call = @(x, count) attnpath_sample_mex (g.net, g.data, [], g.run, x, count);
%!   [after, out] = call (x, 0);                             % as it should be
%!   assert (after, x);
%!   assert (out.facts.done, [30 30 30]);
%!   assert (out.status, "ok");
%!   assert (size (out.U), [4 4 0 3]);
%!   assert (fieldnames (out), {"U"; "f"; "logpost"; "hamiltonian"; "weights"; "upper"; "status"; "facts"});
%!   last = rows (x);
%!   at = @(k, v) subsasgn (x, substruct ("()", {k, 2}), v);
%!   all = @(k, v) subsasgn (x, substruct ("()", {k, ":"}), v);
%!   C = @(x) @() call (x, 3);
%!   n += refuses ({"sample:badShape", {C(x(1:end-1,:)), C([x; x(end,:)]), C(x(:,1:2)), C(x(:,1)), C([x x]), C(x')}, "state"
%!                  "sample:notFinite", {C(at(40, NaN))}, "state(40,2)"
%!                  "sample:notFinite", {C(at(1, Inf))}, "state(1,2)"
%!                  "sample:badValue", {C(at(1, 31))}, {"30", "31"}
%!                  "sample:badValue", {C(zeros (size (x)))}, "step"});
%!   wrong = {1, [0.5, -1, 2^52, 2^53 - 1, 1e300], "chains"; 2, [0, -0.1], "step"; 3, [-1, 6, 2.5, 1e300, -1e300], "trajectory"
%!            29, -1, "word 1"; 30, 2^32, "word 2"; 33, 0.5, "word 5"; [39, last], [5, 1e18], "word 11"; last - 10, -2, "word 1"};
%!   for bad = wrong'
%!     if bad{1}(1) == 1, change = all; else, change = at; endif
%!     calls = arrayfun (@(k, v) C(change (k, v)), bad{1} + 0 * bad{2}, bad{2}, "UniformOutput", false);
%!     n += refuses ("sample:badValue", calls, bad{3});
%!   endfor
%!   % anything else may be called nonsense, or sampled from, but not be fatal
%!   for k = [1:36, round(linspace (37, last, 20))]
%!     for v = {0, -1e300, 1e15, 0.3}
%!       try
%!         [~, out] = call (all (k, v{1}), 1);
%!         assert (out.status, "ok");
%!       catch e
%!         assert (any (strcmp (e.identifier, {"attnpath:sample:badValue", "attnpath:sample:notFinite", ...
%!                                             "attnpath:sample:notPositiveDefinite"})));
%!       end_try_catch
%!     endfor
%!   endfor
%! endfor
%! assert (n, 3 * 28);

%!test % gateways: temperature 0 with a kernel that is not definite is noticed or survived, never fatal
%! g = good ();
%! g.net.temperature = 0;
%! Xi = zeros (3, 5, 4);
%! refuses ("action:notPositiveDefinite", @() attnpath_action_mex (g.net, ready (Xi, g.y), g.order, 1e9));
%! refuses ("solve:notPositiveDefinite", @() attnpath_solve_mex (g.net, ready (Xi, g.y), g.order, g.settings));
%! refuses ("predict:notPositiveDefinite", @() attnpath_predict_mex (g.net, ready (Xi, g.y), g.U, Xi, []));

%!function list = wrappers (g)
%!  list = {"attention",   @attnpath_attention,   {g.net, g.X},                  {"net", "X"}
%!          "paths",       @attnpath_paths,       {g.net, g.X, g.A},             {"net", "X", "A"}
%!          "pathkernels", @attnpath_pathkernels, {g.net, g.Xi, g.Xi},           {"net", "paths", "paths2"}
%!          "kernel",      @attnpath_kernel,      {g.net, g.Xi, g.U, g.Xi},      {"net", "paths", "U", "paths2"}
%!          "action",      @attnpath_action,      {g.net, g.Xi, g.y, g.order},   {"net", "paths", "y", "order"}
%!          "solve",       @attnpath_solve,       {g.net, g.X, g.y},             {"net", "X", "y"}
%!          "predict",     @attnpath_predict,     {g.model, g.X},                {"model", "X"}
%!          "sample",      @sample,               {g.net, g.X, g.y},             {"net", "X", "y"}
%!          "align",       @attnpath_align,       {g.U, g.y(1:4)},               {"K", "y"}
%!          "scores",      @attnpath_scores,      {g.model},                     {"model"}
%!          "mask",        @attnpath_mask,        {g.net, [1 2]},                {"net", "heads"}
%!          "prune",       @attnpath_prune,       {g.net, [1 2]},                {"net", "heads"}
%!          "attend",      @attnpath_attend,      {g.q, g.keys, g.values},       {"q", "K", "V"}};
%!endfunction

%!test % wrappers: the good input, and every array argument spoiled in every way; single is fine here
%! g = good ();  n = 0;
%! for row = wrappers (g)'
%!   f = row{2};
%!   result = f (row{3}{:});
%!   for k = find (cellfun (@isnumeric, row{3}))
%!     name = row{4}{k};
%!     for bad = spoiled (row{3}{k}, true)'
%!       what = bad{1};
%!       if strcmp (row{1}, "paths") && is_function_handle (bad{2}), continue, endif   % a source: moments.tst
%!       if strcmp (row{1}, "predict") && is_function_handle (bad{2}), what = "badSource"; endif
%!       if strcmp (name, "y") && any (strcmp (class (bad{2}), {"int32", "uint8", "logical"})) && ! issparse (bad{2})
%!         continue                                        % classes: classes.tst
%!       endif
%!       if any (strcmp (name, {"paths", "paths2", "X"})) && isstruct (bad{2})
%!         what = "missingField";                        % a struct is taken for path inputs
%!         if any (strcmp (row{1}, {"paths", "attention"})), what = "badClass"; endif
%!       endif
%!       if any (strcmp (row{1}, {"mask", "prune"})) && strcmp (what, "empty"), continue, endif      % nothing to remove
%!       if any (strcmp (row{1}, {"mask", "prune"})) && isequal (size (bad{2}), [2 2]), continue, endif
%!       if is_shape_of_attend (row, k, bad), continue, endif
%!       n += refuses ([row{1} ":" what], @() with (row{2}, row{3}, k, bad{2}), regexprep (name, "^X$", {"X", "source"}{1 + strcmp(what, "badSource")}));
%!     endfor
%!   endfor
%! endfor
%! assert (n > 200);

%!test % wrappers: something else in the place of net, maps, order, model
%! g = good ();  n = 0;
%! for row = wrappers (g)'
%!   for k = find (~cellfun (@isnumeric, row{3}))
%!     for bad = {1, "net", true, @sin, int8(3), sparse(1), {1}}
%!       what = "badClass";
%!       if iscell (bad{1}) && iscell (row{3}{k}), what = "badShape"; endif
%!       if strcmp (row{4}{k}, "A") && ischar (bad{1}), what = "nameValue"; endif
%!       if strcmp (row{1}, "scores") && ischar (bad{1}), what = "noFile"; endif      % a text names a file of costs
%!       n += refuses ([row{1} ":" what], @() with (row{2}, row{3}, k, bad{1}));
%!     endfor
%!   endfor
%!   n += refuses ([row{1} ":usage"], @() row{2} ());
%!   if ! strcmp (row{4}{1}, "net"), continue, endif
%!   for field = setdiff (fieldnames (g.net), {"bandwidth", "kernel", "ridge", "skip", "headscale"})'
%!     n += refuses ([row{1} ":missingField"], @() with (row{2}, row{3}, 1, rmfield (g.net, field{1})), field{1});
%!   endfor
%! endfor
%! assert (n > 150);

%!test % wrappers: what only some of them take
%! g = good ();  n = 0;
%! rowsum = cellfun (@(a) permute (a, [2 1 3 4]), g.A, "UniformOutput", false);
%! refuses ("sample:tooLarge", @() attnpath_sample (g.net, g.X, g.y, "Draws", 1e9, "Chains", 1e4), "Draws");
%! third = cellfun (@(a) a / 3, g.A, "UniformOutput", false);
%! leak = g.A;                                          % example 2 has 2 tokens, yet mass on keys 3 and 4
%! two = attnpath_net ([2 2], "Readout", 3);
%! skew = g.U;  skew(2,1) = -1;
%! indefinite = g.U;  indefinite(4,4) = -1e-3;
%! cold = attnpath_net (g.net.heads, "Temperature", 0);
%! same = g.X;  same(:,:,2) = same(:,:,1);              % equal examples: a singular kernel
%! N = @(varargin) @() attnpath_net (varargin{:});
%! P = @(varargin) @() attnpath_paths (varargin{:});
%! S = @(varargin) @() attnpath_solve (g.net, g.X, g.y, varargin{:});
%! R = @(varargin) @() attnpath_predict (varargin{:});
%! M = @(varargin) @() sample (varargin{:});
%! O = @(varargin) @() attnpath_sample (g.net, g.X, g.y, varargin{:}, "Display", false);
%! Q = @(varargin) @() attnpath_sample (g.net, g.X, g.y, varargin{:});
%! fraction = attnpath_net (g.net.heads, "Width", [10 10.5 10]);
%! wide = attnpath_net (g.net.heads, "Width", 1e7);
%! table = {"net:usage", {N()}
%!          "net:empty", {N({}), N([]), N({[]}), N({zeros(0, 0, 3)}), N({1}, "Width", []), N({1}, "Causal", [])}
%!          "net:badShape", {N({1, 2; 3, 4}), N({ones(3, 4)}), N({ones(3), ones(4)}), ...
%!            N({ones(3), struct("Q", ones (2, 4), "K", ones (2, 4))}), ...
%!            N({struct("Q", ones (2, 3), "K", ones (4, 3))}), N({struct("Q", ones (2, 3, 2), "K", ones (2, 3))}), ...
%!            N({ones(3, 3, 2, 2)}), N([2 2; 2 2]), N({1}, "Width", [1 2 3]), N({1}, "Variance", [1 1]), ...
%!            N({1}, "Temperature", [1 2])}
%!          "net:missingField", {N({struct("Q", 1)}), N({struct("Q", {1, 2}, "K", {1, 2})})}
%!          "net:badClass", {N("heads"), N({"W"}), N({int32(eye (3))}), N({{1}}), N({1}, "Width", "wide"), ...
%!            N({1}, "Width", int32 (10)), N({1}, "Attention", 3), N({1}, "Bandwidth", "wide"), ...
%!            N({1}, "Causal", "yes")}
%!          "net:notFinite", {N({[1 NaN; 0 1]}), N({1}, "Width", Inf), N({1}, "Temperature", NaN), ...
%!            N({1}, "Ridge", Inf)}
%!          "net:notReal", {N({[1 1i; 0 1]})}
%!          "net:sparse", {N({speye(3)})}
%!          "net:badValue", {N([2 0]), N([2 1.5]), N({1}, "Width", 0), N({1}, "Width", [10 -1]), ...
%!            N({1}, "Width", 1.1e15), N({1}, "Variance", [1 0 1]), N({1}, "Variance", [1 1e-31 1]), ...
%!            N({1}, "Variance", [1 1 1e31]), N({1}, "Temperature", -1), N({1}, "Temperature", 1e31), ...
%!            N({1}, "Readout", "middle"), N({1}, "Readout", 0), N({1}, "Readout", 1.5), ...
%!            N({1}, "Attention", "linear"), N({1}, "Attention", "cme"), N({1}, "Bandwidth", 0), N({1}, "Ridge", 0), ...
%!            N({1}, "Ridge", -1), N({1}, "Kernel", "cubic"), N({1}, "Causal", 2)}
%!          "net:unknownOption", {N({1}, "Depth", 3)}
%!          "net:nameValue", {N({1}, "Width"), N({1}, 3, 4)}
%!          "attention:noHeads", {@() attnpath_attention (g.counts, g.X)}
%!          "attention:unknownOption", {@() attnpath_attention (g.net, g.X, "Lenght", 3)}
%!          "attention:badValue", {@() attnpath_attention (g.net, g.X, "Lengths", [4 2 3 4 5])}
%!          "attention:badShape", {@() attnpath_attention (g.net, g.X, "Lengths", 4), ...
%!            @() attnpath_attention (g.net, g.X(1:2,:,:))}
%!          "attention:badClass", {@() attnpath_attention (g.net, g.X, "Lengths", "four4")}
%!          "paths:noHeads", {P(g.counts, g.X)}
%!          "paths:badSum", {P(g.counts, g.X, rowsum), P(g.counts, g.X, third), ...
%!            P(g.counts, g.X, cellfun (@(a) 1.011 * a, g.A, "UniformOutput", false)), ...
%!            P(g.counts, g.X, leak, "Lengths", g.lengths)}
%!          "paths:badShape", {P(g.counts, g.X, g.A(1)), P(g.counts, g.X, {g.A{1}, g.A{2}(:,:,1,:)}), ...
%!            P(g.counts, g.X(:,1:3,:), g.A)}
%!          "paths:badClass", {P(g.counts, g.X, g.A{1})}
%!          "paths:notFinite", {P(g.counts, g.X, {g.A{1}, NaN * g.A{2}})}
%!          "paths:badValue", {P(two, g.X(:,1:2,:), {ones(2, 2, 2, 5) / 2, ones(2, 2, 2, 5) / 2})}
%!          "paths:nameValue", {P(g.net, g.X, "Lengths")}
%!          "kernel:notSymmetric", {@() attnpath_kernel (g.net, g.paths, skew)}
%!          "kernel:notPositiveDefinite", {@() attnpath_kernel (g.net, g.paths, indefinite)}
%!          "kernel:badShape", {@() attnpath_kernel (g.net, g.paths, eye (3)), ...
%!            @() attnpath_kernel (g.net, g.Xi(:,:,1:3), g.U)}
%!          "kernel:missingField", {@() attnpath_kernel (g.net, struct ("X", 1), g.U)}
%!          "action:badShape", {@() attnpath_action (g.net, g.paths, g.y(1:3)', g.order), ...
%!            @() attnpath_action (g.net, g.paths, g.y, g.order(1))}
%!          "action:notSymmetric", {@() attnpath_action (g.net, g.paths, g.y, {skew, eye(2)})}
%!          "action:notPositiveDefinite", {@() attnpath_action (g.net, g.paths, g.y, {indefinite, eye(2)}), ...
%!            @() attnpath_action (g.net, g.paths, g.y, {g.U, zeros(2)}), ...
%!            @() attnpath_action (cold, attnpath_paths (cold, same), g.y, g.order)}
%!          "solve:notPositiveDefinite", {@() attnpath_solve (cold, same, g.y), S("Start", {indefinite, eye(2)})}
%!          "solve:noHeads", {@() attnpath_solve (g.counts, g.X, g.y)}
%!          "solve:missingField", {@() attnpath_solve (g.net, struct ("X", g.X), g.y)}
%!          "solve:badShape", {@() attnpath_solve (g.net, g.X, g.y(1:4)), ...
%!            @() attnpath_solve (g.net, g.X, g.y(1:3)'), S("Start", g.order(1))}
%!          "solve:unknownOption", {S("MaxSteps", 3)}
%!          "solve:nameValue", {S("MaxIterations")}
%!          "solve:badValue", {S("Tolerance", -1), S("MaxIterations", 2.5), S("MaxIterations", 0), ...
%!            S("Starts", -1), S("Seed", -1), S("Memory", -1), S("Display", "on"), ...
%!            S("Lengths", [4 2 3 4 9]), @() attnpath_solve (g.net, g.paths, g.y, "Lengths", g.lengths)}
%!          "solve:badClass", {S("Tolerance", "small"), S("Start", 3), S("Certificate", "off")}
%!          "predict:badValue", {R(g.model, g.paths, "Lengths", g.lengths), R(g.model, g.X, "Limit", "narrow"), ...
%!            R(g.model, g.X, "Limit", "gp", "U", g.U), R(g.model, g.X, "Lengths", [4 2 3 4 9])}
%!          "predict:missingField", {R(rmfield (g.model, "net"), g.X), R(rmfield (g.model, "paths"), g.X), ...
%!            R(rmfield (g.model, "y"), g.X), R(rmfield (g.model, "U"), g.X)}
%!          "predict:badShape", {R(g.model, g.X(1:2,:,:)), R(g.model, struct ("Xi", g.Xi(1:2,:,:))), ...
%!            R(g.model, g.X, "U", eye (3)), R(g.model, g.X, "U", ones (3, 3, 7))}
%!          "predict:notSymmetric", {R(g.model, g.X, "U", skew)}
%!          "predict:notPositiveDefinite", {R(g.model, g.X, "U", indefinite), ...
%!            R(g.model, g.X, "U", cat (3, g.U, indefinite))}
%!          "predict:unknownOption", {R(g.model, g.X, "limits", "gp")}
%!          "predict:noHeads", {R(setfield (g.model, "net", g.counts), g.X)}
%!          "sample:usage", {@() attnpath_sample (g.net, g.X)}
%!          "sample:noHeads", {M(g.counts, g.X, g.y), M(g.counts, g.paths, g.y, "Probe", g.X)}
%!          "sample:missingField", {M(g.net, struct ("X", g.X), g.y), O("Probe", struct ("X", g.X))}
%!          "sample:badShape", {M(g.net, g.X, g.y(1:4)), M(g.net, g.X, g.y(1:3)'), M(g.net, g.X(1:2,:,:), g.y), ...
%!            O("Chains", [4 4]), O("Weights", [true true]), ...
%!            O("Probe", struct ("Xi", g.Xi(1:2,:,:))), O("Probe", struct ("Xi", g.Xi(:,:,1:3)))}
%!          "sample:badValue", {M(g.net, g.X, g.y, "Lengths", [4 2 3 4 9]), ...
%!            M(g.net, g.paths, g.y, "Lengths", g.lengths), M(fraction, g.X, g.y), M(cold, g.X, g.y), ...
%!            O("Method", "hmc"), O("Chains", 0), O("Chains", 1e5), O("Chains", 2.5), ...
%!            O("Warmup", -1), O("Warmup", 0.5), O("Draws", 0), O("Draws", 1e10), O("Draws", 10.5), O("Thin", 0), ...
%!            O("Thin", 1.5), O("Seed", -1), O("Seed", 2^32), O("Seed", 0.5), O("Weights", 2), ...
%!            Q("Display", "quiet"), O("Memory", -1)}
%!          "sample:nameValue", {@() attnpath_sample (g.net, g.X, g.y, "Draws"), ...
%!            @() attnpath_sample (g.net, g.X, g.y, 3, 4)}
%!          "sample:unknownOption", {M(g.net, g.X, g.y, "Samples", 3), O("Input", "langevin")}
%!          "sample:badClass", {O("Method", 3), O("Chains", "4"), O("Chains", int32 (4)), ...
%!            O("Thin", {1}), O("Seed", "lucky"), O("Weights", "yes"), O("Memory", "2 GB"), O("Checkpoint", 3), ...
%!            O("Checkpoint", {"file"}), O("Checkpoint", ["ab"; "cd"]), O("Checkpoint", []), O("Probe", "all"), ...
%!            O("Probe", {g.X}), O("Probe", int8 (g.X))}
%!          "sample:empty", {O("Thin", []), O("Weights", [])}
%!          "sample:notFinite", {O("Draws", NaN), O("Draws", Inf), O("Probe", NaN * g.X)}
%!          "sample:notReal", {O("Probe", 1i * g.X)}
%!          "sample:tooLarge", {M(wide, g.X, g.y, "Weights", true), ...
%!            M(wide, struct ("Xi", g.Xi), g.y, "Weights", true), ...
%!            M(attnpath_net ([1 1], "Width", [1 1 1]), struct ("Xi", ones (9, 5)), g.y, "Weights", true, "Memory", 8 * 8 * 8 / 2^30)}
%!          "weights:usage", {@() attnpath_weights (g.model, 1)}
%!          "weights:missingField", {@() attnpath_weights (g.model, 1, 1), ...
%!            @() attnpath_weights (sample (g.net, g.X, g.y), 1, 1)}
%!          "weights:badClass", {@() attnpath_weights ("post", 1, 1)}
%!          "diagnose:badClass", {@() attnpath_diagnose ("post"), @() attnpath_diagnose ({1})}
%!          "diagnose:missingField", {@() attnpath_diagnose (g.model)}
%!          "diagnose:tooFew", {@() attnpath_diagnose (sample (g.net, g.X, g.y)), @() attnpath_diagnose (1)}
%!          "align:badShape", {@() attnpath_align (ones (2, 3), [1; 1]), @() attnpath_align (eye (3), [1; 1])}
%!          "align:notSymmetric", {@() attnpath_align ([1 2; 0 1], [1; 1])}
%!          "align:badValue", {@() attnpath_align (eye (2), [0; 0])}
%!          "scores:missingField", {@() attnpath_scores (rmfield (g.model, "U"))}
%!          "scores:badShape", {@() attnpath_scores (struct ("net", g.net, "U", eye (3)))}
%!          "scores:notFinite", {@() attnpath_scores (struct ("net", g.net, "U", 5e307 * ones (4)))}
%!          "scores:notSymmetric", {@() attnpath_scores (struct ("net", g.net, "U", skew))}
%!          "mask:badValue", {@() attnpath_mask (g.net, [1 1; 1 2]), @() attnpath_mask (g.net, [3 1])}
%!          "mask:badShape", {@() attnpath_mask (g.net, [1 1 1])}
%!          "mask:usage", {@() attnpath_mask (g.net)}
%!          "mask:badClass", {@() attnpath_mask (g.net, [1 1], 7)}
%!          "mask:file", {@() attnpath_mask (g.net, [1 1], "no/such/folder/mask.txt")}
%!          "mask:empty", {@() attnpath_mask (g.net, [1 1], "")}
%!          "prune:badValue", {@() attnpath_prune (g.net, [1 1; 1 2]), @() attnpath_prune (g.net, [1 1; 1 1]), ...
%!            @() attnpath_prune (g.net, [3 1]), @() attnpath_prune (g.net, [1 3]), ...
%!            @() attnpath_prune (g.net, [1 1.5])}
%!          "prune:badShape", {@() attnpath_prune (g.net, [1 1 1])}};
%! n = refuses (table);
%! brought = attnpath_paths (g.net, g.X, g.A);          % messages name what is there, what should be, and what to do
%! other = R (setfield (g.model, "paths", brought), g.X);
%! place = substruct ("()", {2, 3, 4});
%! n += refuses ({"solve:badClass", @() attnpath_solve (g.net, g.X, g.A, g.y), "attnpath_paths (net, X, A)"
%!                "solve:badValue", S("Start", "zero"), "Start"
%!                "predict:brought", other, "attnpath_paths (net, Xtest, Atest)"
%!                "sample:brought", M(g.net, brought, g.y, "Probe", g.X), "attnpath_paths (net, Xprobe, Aprobe)"
%!                "sample:badShape", O("Probe", g.X(1:2,:,:)), "Probe"
%!                "sample:tooLarge", O("Weights", true, "Memory", 0), "Checkpoint"
%!                "action:badShape", @() attnpath_action (g.net, g.paths, g.y(1:4), g.order), {"y", "5 x 1", "4 x 1"}
%!                "kernel:badShape", @() attnpath_kernel_mex (g.net, g.Xi, g.Xi, eye (3)), {"U", "4 x 4", "3 x 3"}
%!                "paths:notFinite", @() attnpath_paths_mex (g.net, subsasgn (g.X, place, NaN), [], []), "X(2,3,4)"});
%! assert (n > 190);

%!test % swapped keys and queries: the message shows the call that mends it, and it does
%! g = good ();
%! A = cellfun (@(a) permute (a, [2 1 3 4]), g.A, "UniformOutput", false);
%! try
%!   attnpath_paths (g.counts, g.X, A);
%! catch e
%! end_try_catch
%! mend = regexp (e.message, 'A = cellfun.*\)$', "match"){1};
%! eval ([mend ";"]);
%! assert (A, g.A);

%!test % the same without Lengths, where rows and columns of padding are zeros; and maps in PyTorch's order
%! A = [1 0 0 0; 1 0 0 0; 1 0 0 0; 0 0 0 0];                 % keys and queries swapped: rows sum to 1
%! refuses ("paths:badSum", @() attnpath_paths (attnpath_net (1), ones (2, 4), {A}));
%! A = ones (3, 3, 2, 4) / 3;
%! refuses ("paths:badShape", @() attnpath_paths (attnpath_net (2), ones (2, 3, 4), {permute(A, [4 3 2 1])}), ...
%!          "permute (A{1}, [4 3 2 1])");

%!test % wrappers: a net whose fields were replaced
%! g = good ();  n = 0;
%! wrong = {"variance", {}, "badClass"; "variance", [1 1 1], "badShape"; "width", "wide", "badClass"; "width", [], "empty"
%!          "temperature", {0.01}, "badClass"; "temperature", [], "empty"; "heads", 3, "badClass"
%!          "heads", {1, 2, 3}, "badShape"; "heads", {{}, "W"}, "badClass"; "heads", {struct("Q", 1), eye(3)}, "badClass"
%!          "H", {2, 2}, "badClass"; "N0", "3", "badClass"};
%! for bad = wrong'
%!   net = setfield (g.net, bad{1}, bad{2});
%!   for row = wrappers (g)'
%!     if ! any (strcmp (row{4}{1}, {"net", "model"})), continue, endif
%!     first = net;
%!     if strcmp (row{4}{1}, "model"), first = setfield (g.model, "net", net); endif
%!     n += refuses ([row{1} ":" bad{3}], @() with (row{2}, row{3}, 1, first), ["net." bad{1}]);
%!   endfor
%! endfor
%! assert (n, 12 * 11);

%!test % what no machine holds is refused before it is tried, with its size
%! refuses ("attention:tooLarge", @() attnpath_attention (attnpath_net ({1}), zeros (1, 1e7)), "GiB");

%!function soft_limit (bytes)
%!  % on the addresses of this process
%!  assert (system (sprintf ("prlimit --pid %d --as=%s:", getpid (), bytes)), 0);
%!endfunction

%!testif ; exist ("/proc/self/status", "file") && system ("prlimit --version >/dev/null 2>&1") == 0
%! % what the system does not give, as a result or to work in, is refused with its size, and the next call goes well
%! net = attnpath_net ({randn(3, 3, 2), randn(3, 3, 2)});
%! paths = attnpath_paths (net, randn (3, 4, 2500));
%! tokens = randn (3, 40, 6000);
%! sums = struct ("Xi", randn (500, 6, 8));
%! kB = str2double (regexp (fileread ("/proc/self/status"), 'VmSize:\s*(\d+)', "tokens"){1}{1});
%! unwind_protect
%!   soft_limit (sprintf ("%.0f", 1024 * kB + 90e6));
%!   refuses ("pathkernels:outOfMemory", @() attnpath_pathkernels (net, paths), "GiB");
%!   refuses ("attention:outOfMemory", @() attnpath_attention (net, tokens), "GiB");
%!   refuses ("moments:outOfMemory", @() attnpath_moments (attnpath_net (8), sums, ones (6, 1)), "GiB");
%!   refuses ("action:outOfMemory", @() attnpath_action_mex (net, ready (randn (3, 4000, 4), ones (4000, 1)), {eye(4), eye(2)}, 0), "GiB");
%!   assert (size (attnpath_pathkernels (net, attnpath_paths (net, ones (3, 4, 2)))), [2 2 4 4]);
%! unwind_protect_cleanup
%!   soft_limit ("unlimited");
%! end_unwind_protect

%!function kB = resident ()
%!  kB = str2double (regexp (fileread ("/proc/self/status"), 'VmRSS:\s*(\d+)', "tokens"){1}{1});
%!endfunction

%!testif ; exist ("/proc/self/status", "file") && isempty (strfind (getenv ("LD_PRELOAD"), "asan"))
%! % nothing of a failing call stays behind: 200 calls that fail late, after taking 4 MB each, would leave 800 MB
%! % (the address sanitizer keeps freed memory on purpose)
%! g = good ();
%! Xi = randn (3, 500, 4);
%! call = @() attnpath_action_mex (g.net, ready (Xi, zeros (500, 1)), {g.U, zeros(2)}, 0);
%! refuses ("action:notPositiveDefinite", call);
%! before = resident ();
%! for k = 1:200
%!   refuses ("action:notPositiveDefinite", call);
%! endfor
%! assert (resident () - before < 50e3);

%!test % a model whose fields were changed after it was made
%! randn ("twister", 1);
%! net = attnpath_net ({randn(3, 3, 2), randn(3, 3, 2)}, "Width", 20);
%! X = randn (3, 4, 8);
%! y = sign (randn (8, 1));
%! paths = attnpath_paths (net, X);
%! sol = attnpath_solve (net, X, y, "Display", false);
%! mom = attnpath_moments (net, X, y, "Display", false);
%! changed = @(s, varargin) subsasgn (s, substruct (".", varargin{1}), varargin{2});
%! for call = {@attnpath_evidence, @attnpath_loo, @attnpath_gradient, @attnpath_expand}
%!   for other = {changed(net, "temperature", 1), changed(net, "width", [1000 1000 1000])}
%!     refuses ("*:notStationary", @() call{1} (changed (sol, "net", other{1})));
%!   endfor
%! endfor
%! wide = attnpath_solve (changed (net, "width", [1e4 1e4 1e4]), X, y, "Display", false);
%! refuses ("evidence:notStationary", @() attnpath_evidence (changed (wide, "y", 1.05 * wide.y)));
%! refuses ("evidence:notStationary", @() attnpath_evidence (rmfield (changed (wide, "y", 2 * wide.y), "gradrel")));
%! loose = attnpath_solve (net, X, y, "Display", false, "Tolerance", 0.1);
%! assert (loose.gradrel > 1e-4 && isfinite (attnpath_evidence (loose)));       # what its search has left is allowed
%! refuses ("kernel:badShape", @() attnpath_kernel (changed (net, "skip", [0; 0]), paths, sol.U), {"net.skip", "1 x 2"});
%! refuses ("solve:badClass", @() attnpath_solve (changed (net, "readout", {}), X, y), "net.readout");
%! for bad = {{}, randn(3)}
%!   refuses ("paths:badClass", @() attnpath_paths (changed (net, "attention", bad{1}), X), "net.attention");
%! endfor
%! refuses ("moments:badValue", @() attnpath_moments (changed (net, "causal", NaN), X, y), "net.causal");
%! for bad = {{1}, "wide", int32(2)}
%!   refuses ("solve:badClass", @() attnpath_solve (changed (net, "bandwidth", bad{1}), mom), "net.bandwidth");
%!   refuses ("moments:badClass", @() attnpath_moments (changed (net, "ridge", bad{1}), X, y), "net.ridge");
%! endfor
%! refuses ("solve:badShape", @() attnpath_solve (changed (net, "bandwidth", [1 2]), mom), "net.bandwidth");
%! refuses ("kernel:badClass", @() attnpath_kernel (changed (net, "kernel", 1), paths, sol.U), "net.kernel");
%! some = rmfield (net, "ridge");
%! refuses ("moments:badClass", @() attnpath_moments (changed (some, "bandwidth", {1}), X, y), "net.bandwidth");
%! refuses ("solve:badValue", @() attnpath_solve (net, changed (mom, "H", -mom.H)));
%! for bad = {{}, "x"}
%!   refuses ("expand:badClass", @() attnpath_expand (changed (sol, "hessian_min", bad{1})), "hessian_min");
%! endfor
%! refuses ("prune:badShape", @() attnpath_prune (changed (net, "heads", {net.heads{1}, 1}), [1 1]), "net.heads{2}");
%! refuses ("gradient:badShape", {@() attnpath_gradient(sol, NaN), ...
%!                                @() attnpath_gradient(sol, X(1:2,:,1:3), "With", "heads")}, "8");
%! turned = struct ("Xi", permute (paths.Xi, [2 1 3]));
%! refuses ("prune:badShape", @() attnpath_prune (net, [1 1], turned), "3");
