% sample.tst: attnpath_sample. What is drawn must have the posterior's law: moments against the prior's closed forms and
% against quadrature, and two methods that share little against each other. Weights are in
% weights.tst, bad input in badinput.tst, runs that are killed in tests/checks/killed_runs; the statistics that take longest, ranks
% of the truth in simulated data and two ways compared on larger tasks, in tests/long/sample.tst.
% z is a difference in Monte Carlo standard errors, from attnpath_diagnose. Seeds are fixed, but a chain remembers its last
% bit: where BLAS rounds differently the draws are others. About 600 z that are not too dependent are looked at below;
% one of them exceeds 4.5 by chance in 1 of 200 machines (the largest here is 3.4). Effective sample sizes have a quarter
% to spare.

%!function z = against (x, mu)
%!  d = attnpath_diagnose (x);
%!  z = max (abs ((d.mean - mu) ./ d.mcse));
%!endfunction

% The smallest effective sample size of a run is itself a random number, and where BLAS rounds differently the draws are
% others. Over eight seeds of one problem it was 533 to 2577: its logarithm has a standard deviation of 0.55, for the range
% of eight normal numbers is 2.85 of those. Runs here have some 2000 to 3000; 200 are asked for, which is 4.5 standard
% deviations less, and enough for the standard errors of the means to be known to a tenth. How fast a sampler mixes is
% what bench measures.

%!function [net, paths, y, probe] = small (H, seed, varargin)
%!  % path inputs without tokens: P = 6, N0 = 4, three probes
%!  randn ("twister", seed);
%!  L = numel (H);
%!  net = attnpath_net (H, "Width", 3 + (1:L+1), "Variance", 0.5 + (1:L+2) / 3, "Temperature", 0.2, varargin{:});
%!  paths.Xi = randn (4, 6, prod (H));
%!  probe.Xi = randn (4, 3, prod (H));
%!  y = randn (6, 1);
%!endfunction

% ---- the law of the draws --------------------------------------------------------------------------------------------

%!testif ; thorough ()
%! % the prior: mean and variance of every entry of U (T11); f has mean 0, its kernel's covariance and long tails
%! % At T = 1e12 the labels weigh nothing. U given, f is normal with variance kappa (U), so that with one head per layer
%! % its kurtosis is 3 E U^2 / (E U)^2 = 3 prod (1 + 2/N_l). N_l < Pi_l in the last two. Heavy tails: 5 instead of 4.
%! cases = {1, [7 5]; [1 1 1], [12 20 9 15]; [2 2], [6 9 5]; [2 3], [5 2 9]; [2 1 2], [6 5 3 7]};
%! for c = cases'
%!   [net, paths, y, probe] = small (c{1}, 2, "Width", c{2}, "Temperature", 1e12);
%!   [mu, v] = ref_wishart (net);
%!   low = tril (true (size (mu)));
%!   gp = ref_gp (net);
%!   K = ref_kernel (net, probe.Xi, gp{1}, probe.Xi);
%!   draws = 2000 + 4000 * all (net.H == 1);                 % those are for the fourth power
%!   for m = samplers ()
%!     post = sampled (net, paths, y, "Probe", probe, "Warmup", 200, "Draws", draws, m{1}{:});
%!     U = order_entries (post);
%!     assert (against (U, mu(low)) < 5);
%!     assert (against ((U - mu(low)) .^ 2, v(low)) < 5);
%!     f = post.f;
%!     assert (against ([f; f .^ 2; f(1,:,:) .* f(2,:,:)], [zeros(3, 1); diag(K); K(1,2)]) < 5);
%!     if all (net.H == 1)
%!       d = attnpath_diagnose (f .^ 4);
%!       assert (against (f .^ 4, 3 * prod (1 + 2 ./ net.width) * diag (K) .^ 2) < 5);
%!       assert (all (d.mcse < 0.15 * d.mean));              % it says something: 3 prod (1 + 2/N) is 5.4 and 4.5
%!     endif
%!   endfor
%! endfor

%!testif ; thorough ()
%! % one head per layer: moments of U, f and a'a / N_a by quadrature
%! for c = {1, [4 5], 2; 1, [30 20], 3; [1 1], [3 6 4], 3}'
%!   randn ("twister", 3);
%!   L = numel (c{1});
%!   net = attnpath_net (c{1}, "Width", c{2}, "Variance", 0.5 + (1:L+2) / 3, "Temperature", 0.2);
%!   Xi = randn (4, c{3});  Xt = randn (4, 1);  y = 2 * randn (c{3}, 1);
%!   q = ref_quadrature (net, ref_pathkernels (net, Xi, Xi), y, ...
%!                       [ref_pathkernels(net, Xt, Xi), ref_pathkernels(net, Xt, Xt)]);
%!   for m = samplers ()
%!     post = sampled (net, struct ("Xi", Xi), y, "Probe", struct ("Xi", Xt), "Draws", 3000, "Weights", true, m{1}{:});
%!     U = order_entries (post);
%!     f = post.f;
%!     ua = sum (post.weights(end-c{2}(end)+1:end,:,:) .^ 2, 1) / c{2}(end);
%!     x = [U; U.^2; f; f.^2; f.^3; f.^4; ua; ua.^2];
%!     if sum (post.divergences) > 0      # of so narrow networks this method misses the far tail of U, and says so
%!       assert ({m{1}{2}, post.converged, net.width(1) < 5}, {"langevin-all", false, true});
%!     else
%!       assert (against (x, [q.U(1:2), q.f, q.ua]') < 4.5);
%!       assert (min (attnpath_diagnose (x).ess_mean) >= 200);
%!     endif
%!   endfor
%! endfor

%!testif ; thorough ()
%! % one unit, two heads: U is singular, and where it cannot pass U_22 = 0 it must pass U_11 = 0
%! % Both signs of U_12 have weight here, in chains that all but never see U_22 near 0: coordinates that keep U_11 from
%! % passing 0 lock a chain up in one of them.
%! for seed = [3 5]
%!   randn ("twister", seed);
%!   net = attnpath_net (2, "Width", [1 3], "Variance", [1.2 0.8 1.5], "Temperature", 0.3);
%!   Xi = randn (6, 8, 2);
%!   y = (randn (1, 6) * Xi(:,:,2))';
%!   q = ref_one_unit (net, ref_pathkernels (net, Xi, Xi), y);
%!   assert (q(4) > 0.05 && q(4) < 0.95);
%!   for m = samplers ()
%!     post = sampled (net, struct ("Xi", Xi), y, "Draws", 1500, m{1}{:});
%!     U = order_entries (post);
%!     assert (against ([U; U(2,:,:) > 0], q') < 4.5);
%!     assert (post.diagnostics.rhat < 1.02);
%!   endfor
%! endfor

%!testif ; thorough ()
%! % all weights by Langevin trajectories, against both others
%! randn ("twister", 5);
%! net = attnpath_net ({randn(6, 6, 2), randn(6, 6, 2)}, "Width", 5, "Temperature", 0.1);
%! X = randn (6, 5, 30);
%! y = sign (randn (10, 1));
%! for k = 1:3
%!   post = sampled (net, X(:,:,1:10), y, "Probe", X(:,:,11:30), "Draws", 3000, samplers (){k}{:});
%!   x{k} = [order_entries(post); post.f];
%! endfor
%! for pair = [1 1 2; 2 3 3]
%!   [z, ess] = samples_apart (x{pair});
%!   assert (max (z) < 4.5);
%!   assert (ess >= 200);
%! endfor

% ---- what is returned ------------------------------------------------------------------------------------------------

%!testif ; thorough ()
%! % shapes and fields, whatever is asked for
%! for H = {1, 3, [2 2], [1 2 1]}
%!   [net, paths, y, probe] = small (H{1}, 7);
%!   Pi = prod (H{1});
%!   n = 4 * net.width(1) + sum (net.width(1:end-1) .* net.width(2:end) .* H{1}) + net.width(end);
%!   for m = samplers ()
%!     for probes = [0 1]
%!       for weights = [false true]
%!         for shape = [1 1 2 5; 1 2 1 3]
%!           [draws, chains] = num2cell (shape){:};
%!           given = {};
%!           if probes, given = {"Probe", struct("Xi", probe.Xi(:,1:probes,:))}; endif
%!           post = sampled (net, paths, y, m{1}{:}, "Draws", draws, "Chains", chains, "Warmup", 3, ...
%!                          "Weights", weights, given{:});
%!           sizes = @(x) [size(x, 1), size(x, 2), size(x, 3), size(x, 4)];
%!           assert (sizes (post.U), [Pi Pi draws chains]);
%!           assert (sizes (post.f), [probes draws chains 1]);
%!           assert (sizes (post.logpost), [draws chains 1 1]);
%!           assert (sizes (post.hamiltonian), [draws chains 1 1]);
%!           assert (sizes (post.weights), [weights*n draws chains 1]);
%!           for facts = {"acceptance", "moved", "divergences", "step", "steps", "friction", "guide"}
%!             assert (size (post.(facts{1})), [1 chains]);
%!           endfor
%!           assert (isempty (post.diagnostics), draws < 4);
%!           assert (isequal (post.U, permute (post.U, [2 1 3 4])));
%!         endfor
%!       endfor
%!     endfor
%!   endfor
%! endfor

%!test % defaults, and what describes the run
%! [net, paths, y] = small (1, 8);
%! post = sampled (net, paths, y);
%! assert (size (post.U), [1 1 1000 4]);
%! assert (size (post.f), [0 1000 4]);
%! assert (isempty (post.weights));
%! assert ({post.method, post.seed, post.warmup, post.thin, post.interrupted}, {"collapsed", 0, 300, 1, false});
%! assert (post.net, net);
%! assert (post.y, y);
%! assert (post.paths, struct ("Xi", paths.Xi, "heads", 1, "brought", false));
%! assert (post.diagnostics, attnpath_diagnose (post));
%! assert ({post.converged, post.reason}, {post.diagnostics.converged, post.diagnostics.reason});
%! assert (post.converged);
%! assert (all (post.acceptance > 0.6 & post.acceptance <= 1));
%! assert (all (post.moved > 0.6 & post.moved <= 1));
%! assert (post.divergences, zeros (1, 4));
%! assert (all (post.step > 0 & post.steps >= 1 & post.steps == fix (post.steps) & post.friction >= 0));
%! assert (fieldnames (post)(1:3), {"net"; "paths"; "y"});
%! same = attnpath_sample (net, paths, y, struct ("Method", "Collapsed", "draws", 1000, "Display", false));
%! assert (same, post);

%!test % tokens, their path inputs, single, padded, brought: the same draws
%! randn ("twister", 9);
%! net = attnpath_net ({randn(5, 5, 2), struct("Q", randn (3, 5, 2), "K", randn (3, 5, 2))}, "Readout", "mean", "Width", 4);
%! X = randn (5, 4, 8, "single");  y = randn (6, 1, "single");
%! lengths = [4 3 2 4 4 1];
%! few = {"Draws", 5, "Warmup", 10};
%! a = sampled (net, X(:,:,1:6), y, few{:}, "Lengths", lengths, "Probe", X(:,:,7:8));
%! paths = attnpath_paths (net, X(:,:,1:6), "Lengths", lengths);
%! probe = attnpath_paths (net, X(:,:,7:8));
%! assert (a.paths, paths);
%! assert (a.y, double (y));
%! assert (sampled (net, paths, double (y), few{:}, "Probe", probe), a);
%! assert (sampled (net, struct ("Xi", paths.Xi), double (y), few{:}, "Probe", double (X(:,:,7:8))).f, a.f);
%! assert (isequal (sampled (net, X(:,:,1:6), y, few{:}).U, a.U), false);
%! % attention that was brought: probes are brought as well
%! A = attnpath_attention (net, X);
%! counts = attnpath_net (net.H, "Readout", "mean", "Width", 4);
%! cut = @(part) cellfun (@(a) a(:,:,:,part), A, "UniformOutput", false);
%! paths = attnpath_paths (counts, X(:,:,1:6), cut (1:6));
%! b = sampled (counts, paths, y, few{:}, "Probe", attnpath_paths (counts, X(:,:,7:8), cut (7:8)));
%! assert (b.paths.brought);
%! c = sampled (net, X(:,:,1:6), y, few{:}, "Probe", X(:,:,7:8));
%! assert (b.U, c.U, 1e-6 * max (abs (c.U(:))));           % maps rounded once more: a short run does not drift far
%! assert (b.f, c.f, 1e-6 * max (abs (c.f(:))));

%!test % other seeds, other draws; fewer chains and thinned ones are among all
%! % What else leaves draws as they are, probes, weights and longer runs, is in test_ap_sample.c
%! [net, paths, y] = small ([2 2], 10);
%! call = @(varargin) sampled (net, paths, y, "Warmup", 30, "Draws", 20, varargin{:});
%! a = call ();
%! for seed = [1, 2^32 - 1], assert (any (call ("Seed", seed).U(:) == a.U(:)), false); endfor
%! assert (call ("Chains", 2).U, a.U(:,:,:,1:2));
%! thin = call ("Draws", 10, "Thin", 2);
%! assert ({thin.U, thin.logpost}, {a.U(:,:,2:2:20,:), a.logpost(2:2:20,:)});
%! keeps_generators (@() call ("Draws", 5));

%!test % memory for stored kernels changes nothing but rounding
%! [net, paths, y] = small ([2 2], 12);
%! for m = samplers ()(1:2)
%!   a = sampled (net, paths, y, "Warmup", 0, "Draws", 3, m{1}{:});
%!   b = sampled (net, paths, y, "Warmup", 0, "Draws", 3, m{1}{:}, "Memory", 0);
%!   assert (b.U, a.U, 1e-9 * max (abs (a.U(:))));
%! endfor

%!function post = child (env, data, code)
%!  % what code makes of data in an Octave of its own
%!  [file, gone] = scratch ("data");
%!  save ("-binary", file, "-struct", "data");
%!  [command, ended] = session (sprintf ("load ('%s');\n%s\nsave ('-binary', '%s', 'post');", file, code, file));
%!  [status, shown] = system (sprintf ("env %s %s 2>&1", env, command));
%!  assert (status == 0, shown);
%!  post = load (file).post;
%!endfunction

%!testif ; isunix () && exist (fullfile (OCTAVE_HOME, "bin", "octave-cli"), "file")
%! % threads, of ours or of BLAS: the same bits
%! data = attnpath_task_markov ("P", 100, "Ptest", 40);
%! code = ["net = attnpath_net (heads, 'Width', 30);\n" ...
%!         "for k = 1:2\n method = {'collapsed', 'langevin'}{k};\n" ...
%!         " post(k) = attnpath_sample (net, Xtrain, ytrain, 'Method', method, 'Probe', Xtest, 'Weights', true, ...\n" ...
%!         "                            'Warmup', 30, 'Draws', 10, 'Chains', 3);\nend\n"];
%! a = child ("OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=2", data, sprintf (code));
%! b = child ("OMP_NUM_THREADS=2 OPENBLAS_NUM_THREADS=1", data, sprintf (code));
%! assert (size (a(2).weights), [231*30+4*30*30+30, 10, 3]);
%! for field = fieldnames (a)'
%!   assert ({b.(field{1})}, {a.(field{1})});
%! endfor

% ---- what others make of it ------------------------------------------------------------------------------------------

%!testif ; thorough ()
%! % attnpath_predict takes it: the mixture of (T10) over the draws, which draws of f scatter about
%! [net, paths, y, probe] = small ([2 2], 13);
%! for m = samplers ()
%!   post = sampled (net, paths, y, "Probe", probe, "Draws", 100, "Warmup", 200, m{1}{:});
%!   n = 400;
%!   [mu, s2] = deal (zeros (3, n));
%!   for k = 1:n
%!     [mu(:,k), s2(:,k)] = ref_predict (net, paths.Xi, y, post.U(:,:,k), probe.Xi);
%!   endfor
%!   [p, p2] = attnpath_predict (post, probe);
%!   assert (p, mean (mu, 2), 1e-11);
%!   assert (p2, mean (s2, 2) + var (mu, 1, 2), 1e-11);
%!   % U given, the draws of f are independent: nothing but their own variance is left
%!   f = post.f(:,:);
%!   assert (abs (mean (f - mu, 2)) < 4.5 * sqrt (mean (s2, 2) / n));
%!   assert (abs (mean ((f - mu) .^ 2 - s2, 2)) < 4.5 * sqrt (mean (2 * s2 .^ 2, 2) / n));
%!   assert (abs (mean (f, 2) - p) < 4.5 * attnpath_diagnose (post.f).mcse);
%!   d = attnpath_diagnose ((post.f - p) .^ 2);
%!   assert (abs (d.mean - p2) < 4.5 * d.mcse);
%! endfor

%!test % log posterior: (T11) with (T12), up to a constant and the coordinates' own volume
%! % 'langevin': all weights but V_0 enter with their priors, the labels with log p (y | U); 'langevin-all': V_0 too,
%! % and the labels with their likelihood. Differences between draws are free of the constant.
%! [net, paths, y, probe] = small ([2 2], 14);
%! for k = 2:3
%!   post = sampled (net, paths, y, "Probe", paths, "Draws", 6, "Chains", 2, "Warmup", 20, "Weights", true, samplers (){k}{:});
%!   want = zeros (6, 2);
%!   for j = 1:12
%!     [draw, chain] = ind2sub ([6 2], j);
%!     w = attnpath_weights (post, draw, chain);
%!     want(j) = -sumsq (w.a) / net.variance(end) / 2;
%!     for l = 1:net.L
%!       want(j) = want(j) - sumsq (w.V{l}(:)) / net.variance(l+1) / 2;
%!     endfor
%!     if k == 2
%!       A = ref_kernel (net, paths.Xi, post.U(:,:,draw,chain), paths.Xi) + net.temperature * eye (6);
%!       want(j) = want(j) - (log (det (A)) + y' * (A \ y)) / 2;
%!     else
%!       want(j) = want(j) - sumsq (w.V0(:)) / net.variance(1) / 2 ...
%!                 - sumsq (post.f(:,draw,chain) - y) / net.temperature / 2;
%!     endif
%!   endfor
%!   assert (post.logpost - post.logpost(1), want - want(1), 1e-9);
%! endfor

%!test % without an output a summary
%! [net, paths, y] = small ([2 2], 15);
%! text = evalc ("attnpath_sample (net, paths, y);");
%! % progress stands before it where the machine is so busy that the run takes longer than two seconds
%! assert (! isempty (strfind (text, "6 examples, 4 paths (heads [2 2]), widths [4 5 6]")));
%! tells (text, {"collapsed: 4 chains, 1000 draws each after a warm-up of 300", "R-hat", "mean of U =", "converged: "});
%! text = evalc ("post = attnpath_sample (net, paths, y, 'Display', false);");
%! assert (text, "");
%! text = evalc ("attnpath_sample (net, paths, y, 'Draws', 3);");
%! iter = evalc ("attnpath_sample (net, paths, y, 'Draws', 3, 'Warmup', 97, 'Display', 'iter');");
%! price = "attnpath_sample: a trajectory of 4 chains and 4 paths takes about %f s, all 100 of them up to %f s; fewer heads";
%! [one, all_of_them] = sscanf (iter(1:strfind (iter, "\n")(1)), price, "C");
%! assert (all_of_them > 44 * one && all_of_them < 225 * one);  % each to one digit: 100 (1/1.5)^2 to 100 1.5^2
%! assert (! isempty (strfind (text, "too few")));

%!testif ; isunix ()
%! % an interrupt before the first draw: there is none, and nothing is made of none
%! [net, paths, y] = small ([2 2], 15);
%! held = onCleanup (@() attnpath_interrupt_mex ("release"));
%! attnpath_interrupt_mex ("hold");
%! text = evalc (["kill (getpid (), SIG ().INT);  while ! attnpath_interrupt_mex ('seen'), endwhile;" ...
%!                "attnpath_sample (net, paths, y);"]);
%! assert (! isempty (strfind (text, "there is no draw yet")));
%! assert (isempty (regexp (text, 'NaN|mean of U')));
%! post = struct ("net", net, "U", zeros (4, 4, 0, 4));
%! fail ("attnpath_scores (post)", 'model.U is an empty \(4 x 4 x 0 x 4\)');
%! fail ("attnpath_plot (post, 'order')", 'model.U is an empty \(4 x 4 x 0 x 4\)');

%!testif ; thorough ()
%! % a run that takes longer says how far it is, and changes nothing by it
%! randn ("twister", 16);
%! net = attnpath_net (2, "Width", 150, "Temperature", 0.2);
%! paths.Xi = randn (60, 60, 2);  y = randn (60, 1);
%! warning ("off", "attnpath:sample:notConverged", "local");
%! call = {net, paths, y, "Method", "langevin-all", "Warmup", 150};
%! % in lines of their own, as where output is no terminal. Intervals and a terminal's line are in run.tst
%! again = with_env ("TERM", "dumb");
%! draws = 40;
%! do
%!   text = evalc ("tic; loud = attnpath_sample (call{:}, 'Draws', draws); time = toc;");
%!   draws *= 2;
%! until time > 3
%! lines = strsplit (text, "\n");
%! assert (lines{end}, "");
%! assert (all (strncmp (lines(1:end-1), "attnpath_sample: ", 17)));
%! assert (! isempty (regexp (lines{1}, '(warm-up|draws x 4 chains).*(left|after)')));         # of a slow start
%! assert (! isempty (strfind (lines{end-1}, sprintf ("%d of %d draws x 4 chains, after ", draws / 2, draws / 2))));
%! assert (! isempty (strfind (lines{end-1}, ", acceptance ")));
%! quiet = sampled (call{:}, "Draws", draws / 2);
%! assert (isequal (quiet.U, loud.U) && isequal (quiet.logpost, loud.logpost));

%!test % one example of several outputs: f has them, with probes as well
%! [net, paths] = small ([2 2], 1);
%! paths.Xi = paths.Xi(:,1,:);
%! post = sampled (net, paths, [1 2 3], "Probe", paths, "Draws", 8, "Chains", 2, "Warmup", 5);
%! assert (size (post.f), [1 3 8 2]);

%!test % the warning of a narrow network names the remedy, which the call then no longer lacks
%! [net, paths, y] = small ([2 2], 20);
%! narrow = [3 5 6];
%! for given = {{}, true, narrow, 1; {"Warmup", 1000}, false, narrow, 1; {"Method", "langevin"}, false, narrow, 1
%!              {}, true, [9 9 9], 3; {}, false, [9 9 9], 1}'         % of three coupled outputs U_1 has 12 rows
%!   net.width = given{3};
%!   [id, text] = warned (@() attnpath_sample (net, paths, y * (1:given{4}), "Draws", 5, given{1}{:}));
%!   assert (id, "attnpath:sample:notConverged");
%!   assert (any (strfind (text, "'Warmup', 1000")), given{2});
%!   weights = isempty (given{1}) || ! strcmp (given{1}{1}, "Method");
%!   assert (any (strfind (text, "'Method', 'langevin', which moves")), weights && ! isequal (given(3:4), {[9 9 9]; 1}));
%! endfor

%!testif ; thorough ()
%! % trajectories that diverge: the warning names a larger acceptance, with which fewer do; the default has the same draws
%! randn ("twister", 1);
%! net = attnpath_net ([1 1], "Width", [1 6 2], "Temperature", 1e-4);
%! [paths, y] = deal (struct ("Xi", randn (20, 30, 1)), randn (30, 1));
%! [id, text, post] = warned (@() attnpath_sample (net, paths, y, "Display", false));
%! assert (sum (post.divergences) > 20);
%! assert (! isempty (strfind (text, "'Accept', 0.95")));
%! [~, ~, more] = warned (@() attnpath_sample (net, paths, y, "Display", false, "Accept", 0.95));
%! assert (sum (more.divergences) < sum (post.divergences) / 3);
%! assert (mean (more.acceptance) > mean (post.acceptance) + 0.05);
%! assert (isequal (sampled (net, paths, y, "Accept", 0.8).U, post.U));
%! [file, gone] = scratch ("run.mat");
%! few = @(varargin) sampled (net, paths, y, "Draws", 4, "Warmup", 20, "Checkpoint", file, varargin{:});
%! few ("Accept", 0.9);
%! assert (! isempty (load (file).attnpath_sample_run.problem));
%! refuses ({"sample:otherRun", @() few(), "accept"; "sample:badValue", @() few("Accept", 1), "0.999"});

%!test % what is not to be trusted says so
%! [net, paths, y] = small ([2 2], 17);
%! for draws = [1:4 20]
%!   [id, text, post] = warned (@() attnpath_sample (net, paths, y, "Draws", draws, "Warmup", 50));
%!   assert ({id, post.converged}, {"attnpath:sample:notConverged", false});
%!   assert (! isempty (strfind (text, post.reason)));
%!   assert (isempty (post.diagnostics), draws < 4);
%! endfor
%! assert (strncmp (post.reason, "not converged: ", 15));
%! [id, ~, post] = warned (@() attnpath_sample (net, paths, y, "Draws", 2000));
%! assert ({id, post.converged}, {"", true});

% ---- order parameters of all layers ----------------------------------------------------------------------------------

%!test % exact: one path, U_1 and u_a by quadrature over their Wishart chain (T11) and the energy (T12)
%! randn ("twister", 31);
%! net = attnpath_net (1, "Width", [4 3], "Variance", [1 1.5 0.7], "Temperature", 0.5);
%! paths.Xi = randn (3, 5);  y = 2 * randn (5, 1);
%! K = ref_pathkernels (net, paths.Xi, paths.Xi);
%! q = ref_quadrature (net, K, y, [K(1,:), K(1,1)]);
%! for m = samplers ()
%!   post = sampled (net, paths, y, m{1}{:}, "Draws", 4000, "Warmup", 500);
%!   assert (size (post.ua), [4000 4]);
%!   assert (isequal (post.order, {post.U}));
%!   assert (against ([order_entries(post); reshape(post.ua, 1, 4000, 4)], [q.U(1); q.ua(1)]) < 4.5);
%! endfor

%!testif ; thorough () # collapsed and Langevin agree in every layer, of one output and of two
%! task = attnpath_task_markov ("P", 20, "Ptest", 2, "Features", 8, "Tokens", 5);
%! net = attnpath_net (task.heads, "Width", [6 5 4], "Temperature", 0.3);
%! for y = {task.ytrain, [task.ytrain, [task.ytrain(2:end); 1]]}
%!   a = sampled (net, task.Xtrain, y{1}, "Draws", 4000);
%!   b = sampled (net, task.Xtrain, y{1}, "Draws", 4000, "Method", "langevin");
%!   assert (cellfun (@rows, a.order), [4 2 1](1:1+columns (y{1})) * columns (y{1}));
%!   upper = @(post) [reshape(post.order{2}, [], 4000, 4); reshape(post.ua, [], 4000, 4)];
%!   [z, ess] = samples_apart (upper (a), upper (b));
%!   assert (all (z < 4.5) && ess >= 200);
%! endfor

%!test % where a layer has a skip connection U_{l+1} is the leading block of U_l; weights have the same order parameters
%! randn ("twister", 32);
%! net = attnpath_net ({randn(4, 4, 2), randn(4, 4, 2)}, "Width", [5 5 6], "Skip", [0.8 0], "Temperature", 0.4);
%! X = randn (4, 3, 8);  y = sign (randn (8, 1));
%! for method = {"collapsed", "langevin"}
%!   post = sampled (net, X, y, "Method", method{1}, "Draws", 20, "Warmup", 30, "Weights", true);
%!   assert (post.order{2}, post.U(1:2,1:2,:,:), 1e-12);
%!   for k = [1 20]
%!     w = attnpath_weights (post, k, 2);
%!     assert (post.ua(k,2), mean (w.a(:) .^ 2), 1e-12);
%!     for h = 1:2
%!       u(:,h) = w.V{2}(:,:,h)' * w.a(:) / sqrt (6);
%!     endfor
%!     assert (post.order{2}(:,:,k,2), u' * u / 5, 1e-11);
%!   endfor
%! endfor

%!test % draws of a checkpoint that has no upper layers have NaN there
%! randn ("twister", 33);
%! net = attnpath_net ({randn(4, 4, 2), randn(4, 4)}, "Width", 5, "Temperature", 0.4);
%! X = randn (4, 3, 8);  y = sign (randn (8, 1));
%! [file, gone] = scratch ("run.mat");
%! call = @(draws, varargin) sampled (net, X, y, "Warmup", 20, "Draws", draws, varargin{:});
%! call (7, "Checkpoint", file);
%! old = load (file);
%! whole = call (15);
%! old.attnpath_sample_run.pieces{1} = rmfield (old.attnpath_sample_run.pieces{1}, "upper");
%! back = to_private ();
%! ap_save (file, "sample", old);
%! clear back
%! resumed = call (15, "Checkpoint", file);
%! assert (isequal (resumed.U, whole.U));
%! assert (all (isnan (resumed.ua(1:7,:)(:))));
%! assert (resumed.ua(8:15,:), whole.ua(8:15,:));
%! assert (resumed.order{2}(:,:,8:15,:), whole.order{2}(:,:,8:15,:));

% ---- checkpoint ------------------------------------------------------------------------------------------------------

%!function same (a, b)                                  % but for the weights, which are in a file
%!  for field = setdiff (fieldnames (a), "weights")'
%!    assert ({b.(field{1})}, {a.(field{1})});
%!  endfor
%!endfunction

%!test % resumed = whole, bit for bit, by every method, with weights and without, of one output and of three; fewer draws
%! % are its first, and leave the files as they are
%! randn ("twister", 5);
%! net = attnpath_net ([2 1], "Width", 5, "Temperature", 0.2);
%! paths = struct ("Xi", randn (3, 6, 2));
%! [folder, gone] = scratch ();
%! file = fullfile (folder, "run");
%! for y = {sign(randn (6, 1)), randn(6, 3)}
%!   for method = {{"collapsed"}, {"collapsed", "Weights", true}, {"langevin"}, ...
%!                 {"langevin", "Weights", true, "Thin", 3}, {"langevin-all", "Weights", true}}
%!     run = @(draws, varargin) sampled (net, paths, y{1}, "Method", method{1}{:}, "Draws", draws, "Warmup", 7, ...
%!                                       "Chains", 2, "Probe", paths, varargin{:});
%!     whole = run (11);
%!     for draws = [1 4 5 11 11], post = run (draws, "Checkpoint", file); endfor
%!     same (whole, post);
%!     names = {"run", "run.weights"}(1:1+! isempty (whole.weights));
%!     assert (setdiff ({dir(folder).name}, {".", ".."}), names);
%!     before = cellfun (@(name) file_bytes (fullfile (folder, name)), names, "UniformOutput", false);
%!     fewer = run (4, "Checkpoint", file);
%!     assert (fewer.U, whole.U(:,:,1:4,:));
%!     assert (size (fewer.logpost), [4 2]);
%!     assert (cellfun (@(name) file_bytes (fullfile (folder, name)), names, "UniformOutput", false), before);
%!     if ! isempty (whole.weights)
%!       kept = struct ("file", [file ".weights"], "numbers", rows (whole.weights), "draws", 11, "chains", 2);
%!       assert ({post.weights, fewer.weights.draws, numel(before{2})}, {kept, 4, 8 * numel(whole.weights)});
%!       for k = 1:22
%!         [draw, chain] = ind2sub ([11 2], k);
%!         assert (attnpath_weights (post, draw, chain), attnpath_weights (whole, draw, chain));
%!       endfor
%!     endif
%!     delete (fullfile (folder, "*"));
%!   endfor
%! endfor

%!test % what a crash left in the file of weights behind the last draw of the checkpoint is written again
%! [net, paths, y] = small ([2 2], 18);
%! [file, gone] = scratch ("crash");
%! call = @(draws) sampled (net, paths, y, "Warmup", 40, "Draws", draws, "Checkpoint", file, "Weights", true);
%! call (5);
%! short = file_bytes (file);
%! call (8);
%! late = file_bytes ([file ".weights"]);
%! file_bytes (file, short);
%! file_bytes ([file ".weights"], [late(1:end-100); uint8(ones (5000, 1))]);
%! call (8);
%! assert (file_bytes ([file ".weights"])(1:numel (late)), late);

%!test % another run is refused, whatever differs, and leaves the files as they were
%! [net, paths, y, probe] = small ([2 2], 19);
%! [folder, gone] = scratch ();
%! file = fullfile (folder, "run");
%! W = {randn(4, 4, 2), randn(4, 4, 2)};
%! net = attnpath_net (W, "Width", [4 5 6], "Temperature", 0.2);
%! X = randn (4, 3, 6);
%! base = {net, X, y, "Probe", probe, "Warmup", 10, "Draws", 5, "Chains", 2, "Weights", true, "Checkpoint", file};
%! sampled (base{:});
%! before = {file_bytes(file), file_bytes([file ".weights"])};
%! nudge = @(x) x + [1e-9; zeros(numel (x) - 1, 1)](reshape (1:numel (x), size (x)));
%! swapped = X(:,:,[2 1 3:6]);
%! probes = struct ("Xi", nudge (probe.Xi));
%! table = {"net.width",        1, setfield(net, "width", [4 5 7])
%!          "net.variance",     1, setfield(net, "variance", [1 1 1 2])
%!          "net.temperature",  1, setfield(net, "temperature", 0.3)
%!          "net.heads",        1, setfield(net, "heads", {W{1}, nudge(W{2})})
%!          "net.readout",      1, setfield(net, "readout", "first")
%!          "net.attention",    1, setfield(net, "attention", "hardmax")
%!          "net.causal",       1, setfield(net, "causal", true)
%!          "the training set", 2, nudge(X)
%!          "the training set", 2, swapped
%!          "y",                3, nudge(y)
%!          "Probe",            5, probes
%!          "Probe",            5, struct("Xi", probe.Xi(:,1:2,:))
%!          "Probe",            5, []
%!          "settings.warmup",  7, 11
%!          "settings.chains", 11, 3
%!          "settings.weights", 13, false};
%! for row = table'
%!   args = base;
%!   args{row{2}} = row{3};
%!   refuses ("sample:otherRun", @() sampled (args{:}), row{1});
%! endfor
%! for more = {"settings.seed", {"Seed", 1}; "settings.thin", {"Thin", 2}; "settings.method", {"Method", "langevin"}; ...
%!             "settings.method", {"Method", "langevin-all"}; "settings.memory", {"Memory", 1}; ...
%!             "the training set", {"Lengths", [3 3 3 3 3 2]}}'
%!   refuses ("sample:otherRun", @() sampled (base{:}, more{2}{:}), more{1});
%! endfor
%! assert ({file_bytes(file), file_bytes([file ".weights"])}, before);
%! assert (size (sampled (base{:}, "Draws", 6).U), [4 4 6 2]);
%! assert (sort ({dir(folder).name}), {".", "..", "run", "run.weights"});

%!test % a state of another size, as coupled outputs of narrow networks had, is refused by name
%! [net, paths, y] = small ([2 2], 20);
%! [file, gone] = scratch ("run");
%! call = @() sampled (net, paths, y, "Warmup", 10, "Draws", 5, "Checkpoint", file);
%! call ();
%! found = load (file);
%! found.attnpath_sample_run.state(end,:) = [];
%! back = to_private ();
%! ap_save (file, "sample", found);
%! clear back
%! before = file_bytes (file);
%! refuses ("sample:otherRun", call);
%! assert (file_bytes (file), before);

%!test % a file that is no checkpoint is not taken for one, and is left alone
%! [net, paths, y] = small ([2 2], 20);
%! [file, gone] = scratch ("run");
%! call = @(varargin) sampled (net, paths, y, "Warmup", 10, "Draws", 5, "Checkpoint", file, varargin{:});
%! call ();
%! whole = file_bytes (file);
%! assert (numel (whole) > 1000);
%! attnpath_sample_run = 3;
%! save ("-v6", [file ".3"], "attnpath_sample_run");
%! attnpath_sample_run = struct ("state", 1);
%! save ("-v6", [file ".s"], "attnpath_sample_run");
%! save ("-v6", [file ".n"], "net");
%! save ("-text", [file ".t"], "net");
%! half = floor (numel (whole) / 2);
%! flipped = whole;
%! flipped(100:200) = 255 - flipped(100:200);
%! others = cellfun (@(ending) file_bytes ([file ending]), {".3", ".s", ".n", ".t"}, "UniformOutput", false);
%! for bad = [others, {uint8("my notes\n")', zeros(0, 1, "uint8"), whole(1:half), whole(1:end-1), whole(1:127), ...
%!                     whole(1:128), whole(1:200), flipped}]
%!   file_bytes (file, bad{1});
%!   refuses ("sample:badCheckpoint", @() call ());
%!   refuses ("sample:badCheckpoint", @() call ("Weights", true), file);
%!   assert (file_bytes (file), bad{1});
%!   assert (exist ([file ".weights"], "file"), 0);
%! endfor

%!testif ; thorough ()
%! % a bit that the disk has changed is found, wherever it is: the run is refused, or it is what it was
%! [net, paths, y] = small ([2 2], 20);
%! [file, gone] = scratch ("run");
%! call = @() sampled (net, paths, y, "Warmup", 10, "Draws", 5, "Checkpoint", file);
%! want = call ();
%! whole = file_bytes (file);
%! damaged = 0;
%! for at = round (linspace (129, numel (whole), 150))
%!   flipped = whole;
%!   flipped(at) = bitxor (flipped(at), 2 ^ mod (at, 8));
%!   file_bytes (file, flipped);
%!   try
%!     got = call ();
%!     assert ({got.U, got.f, got.logpost}, {want.U, want.f, want.logpost});
%!   catch err
%!     assert (any (strcmp (err.identifier, strcat ("attnpath:sample:", {"badCheckpoint", "otherRun"}))), err.message);
%!     damaged += ! isempty (strfind (err.message, "it is damaged"));
%!   end_try_catch
%! endfor
%! assert (damaged > 20);                                                   % most of a checkpoint are its draws and chains

%!test % files that cannot be written, or that lack draws
%! [net, paths, y] = small ([2 2], 21);
%! [folder, gone] = scratch ();
%! file = fullfile (folder, "run");
%! call = @(file, varargin) sampled (net, paths, y, "Warmup", 10, "Draws", 5, "Checkpoint", file, varargin{:});
%! nowhere = fullfile (folder, "nowhere", "run");
%! refuses ("sample:file", {@() call (nowhere), @() call (nowhere, "Weights", true)}, nowhere);
%! refuses ("sample:file", @() call (folder, "Weights", false), folder);              % a directory
%! call (file, "Weights", true);
%! weights = file_bytes ([file ".weights"]);
%! file_bytes ([file ".weights"], weights(1:end-1));
%! for draws = [3 5 8]
%!   refuses ("sample:file", @() call (file, "Weights", true, "Draws", draws), file);
%! endfor
%! assert (file_bytes ([file ".weights"]), weights(1:end-1));
%! delete ([file ".weights"]);
%! refuses ("sample:file", @() call (file, "Weights", true, "Draws", 8), {file, ".weights"});
%! file_bytes ([file ".weights"], weights);
%! assert (size (call (file, "Weights", true, "Draws", 8).U), [4 4 8 4]);

%!testif ; ! ispc () # a checkpoint whose name holds a backslash is found again
%! [file, gone] = scratch ("b\\a[1].ck");
%! X = reshape (sin (1:72), 3, 4, 6);
%! args = {attnpath_net({eye(3)}, "Width", 5), X, [1; -1; 1; 1; -1; -1], "Draws", 4, "Warmup", 2, "Chains", 1, ...
%!         "Checkpoint", file, "Seed"};
%! sampled (args{:}, 1);
%! refuses ("sample:otherRun", @() sampled (args{:}, 2));

%!test % several outputs are coupled in the posterior: their price stands beside that of one alone
%! [net, paths] = small ([2 2], 15);
%! y = kron (eye (3), ones (2, 1));
%! text = evalc ("attnpath_sample (net, paths, y, 'Draws', 3, 'Warmup', 7, 'Display', 'iter');");
%! found = regexp (text, "up to ([\\d.e-]+) s \\(3 coupled outputs, .*, y\\(:,1\\), up to ([\\d.e-]+) s\\)", "tokens");
%! [all_of_them, one] = deal (str2double (found{1}{1}), str2double (found{1}{2}));
%! assert (all_of_them > 2 * one && all_of_them < 60 * one);  % between 3 and 27 times, each to one digit
