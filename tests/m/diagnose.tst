% diagnose.tst: attnpath_diagnose: convergence diagnostics of Markov chains.

%!function x = chains (phi, n, m, Q)
%!  % stationary AR(1) of unit variance, Q x n x m:  x_t = phi x_{t-1} + noise
%!  x = filter (sqrt (1 - phi ^ 2), [1 -phi], [randn(1, m * Q) / sqrt(1 - phi ^ 2); randn(n - 1, m * Q)]);
%!  x = permute (reshape (x, [n, m, Q]), [3 1 2]);
%!endfunction

%!function same (x, d = attnpath_diagnose (x))
%!  % every field against the reference. Both compute in double, from numbers of order 1: 1e-10 is plenty. That they
%!  % stop at the same pair of lags needs no tolerance: at these seeds no pair comes that near to zero.
%!  ref = ref_diagnose (x);
%!  for field = {"rhat", "ess_bulk", "ess_tail", "mcse", "mean", "sd", "ess_mean"}
%!    scale = max (1, abs (ref.(field{1})));
%!    assert (d.(field{1}), ref.(field{1}), 1e-10 * scale);
%!  endfor
%!endfunction

%!function post = sample (n, m, Pi, probes)
%!  % independent draws, dressed as what attnpath_sample returns
%!  U = randn (Pi, Pi, n, m);
%!  post.U = U + permute (U, [2 1 3 4]);
%!  post.f = randn (probes, n, m);
%!  post.logpost = randn (n, m);
%!  post.hamiltonian = randn (n, m);
%!  post.acceptance = linspace (0.7, 0.9, m);
%!  post.moved = linspace (0.6, 0.8, m);
%!  post.divergences = zeros (1, m);
%!endfunction

%!function d = verdict (post, converged, varargin)
%!  % the reason has these parts, in this order, each in a part of the sentence of its own
%!  d = attnpath_diagnose (post);
%!  assert (d.converged, converged);
%!  assert (strncmp (d.reason, "not converged: ", 15), ! converged);
%!  parts = strsplit (d.reason, "; ");
%!  parts = parts(end-numel (varargin)+1:end);
%!  assert (all (cellfun (@(part, name) ! isempty (strfind (part, name)), parts, varargin)), d.reason);
%!endfunction

%!test % reference: independent and correlated draws, even and odd lengths, as few as there may be, one chain and many
%! randn ("twister", 1);
%! for n = [4:13 32 50 61]
%!   for m = [1 2 4]
%!     for phi = [0 0.7 -0.4], same (reshape (chains (phi, n, m, 1), n, m)); endfor
%!   endfor
%! endfor
%! same (reshape (chains (0.5, 20, 25, 1), 20, 25));

%!test % reference: heavy tails, skew, far from zero; ties, down to two values; chains that have not converged
%! randn ("twister", 3);
%! for m = [1 4]
%!   x = reshape (chains (0.6, 71, m, 1), 71, m);
%!   for y = {x ./ randn(71, m), exp(3 * x), 1e3 + x, tan(1.5 * tanh (x)), x .^ 3 * 1e-8, ...
%!            round(2 * x), round(x), double(x > 0.2), floor(abs (x)), max(x, 0), double(x > 1.2), ...
%!            x + 2 * ((1:m) == m), x .* [1 1 5 1](1:m), cumsum(x), x + linspace(0, 5, 71)', x + 100 * (1:m)}
%!     same (y{1});
%!   endfor
%! endfor

%!test % reference: alternating chains end at the largest size that is allowed, S log10 (S)
%! randn ("twister", 6);
%! x = (-1) .^ (1:80)' .* ones (1, 2) + 1e-3 * randn (80, 2);
%! same (x);
%! assert (attnpath_diagnose (x).ess_mean, 160 * log10 (160), 1e-10);

%!test % any sizes before draws and chains, in blocks or at once, one by one or together
%! randn ("twister", 7);
%! x = randn (2, 3, 2, 41, 3);
%! d = attnpath_diagnose (x);
%! for k = 1:12
%!   [a, b, c] = ind2sub ([2 3 2], k);
%!   same (squeeze (x(a,b,c,:,:)), structfun (@(v) v(a,b,c), d, "UniformOutput", false));
%! endfor
%! for case_ = {x, [2 3 2]; randn(50, 1), [1 1]; randn(5, 50, 2), [5 1]; randn(1, 5, 50, 2), [1 5]}'
%!   assert (structfun (@(v) isequal (size (v), case_{2}), attnpath_diagnose (case_{1})));
%! endfor
%! x = randn (300, 1000, 2);                           % several blocks
%! x(:,:,2) = x(:,:,2) .* (1:300)';
%! d = attnpath_diagnose (x);
%! for k = [1 130 131 132 262 263 300]
%!   one = attnpath_diagnose (squeeze (x(k,:,:)));
%!   for field = fieldnames (d)'
%!     assert (d.(field{1})(k), one.(field{1}), -1e-12);
%!   endfor
%! endfor

%!test % single is computed in double; nothing depends on units, nor overflows in extreme ones
%! randn ("twister", 8);
%! x = single (randn (3, 40, 4));
%! d = attnpath_diagnose (x);
%! assert (d, attnpath_diagnose (double (x)));
%! assert (isa (d.rhat, "double"));
%! x = double (x);
%! for scale = 2 .^ [1000 -1000]
%!   large = attnpath_diagnose (scale * x);
%!   for field = {"rhat", "ess_bulk", "ess_tail", "ess_mean"}
%!     assert (large.(field{1}), d.(field{1}));
%!   endfor
%!   for field = {"mean", "sd", "mcse"}
%!     assert (large.(field{1}), scale * d.(field{1}));
%!   endfor
%! endfor
%! d = attnpath_diagnose ([1 -1; -1 1; 1 1; -1 -1; 1 -1] * realmax);
%! assert (isfinite ([d.rhat, d.ess_bulk, d.mean, d.ess_mean]));

%!test % constant quantities
%! d = attnpath_diagnose (0.1 * ones (2, 7, 3));
%! assert ([d.mean, d.sd], [0.1 0; 0.1 0]);
%! assert ([d.rhat, d.ess_bulk, d.ess_tail, d.mcse, d.ess_mean], NaN (2, 5));
%! d = attnpath_diagnose (repmat ([0.1 0.7 0.3], 500, 1));      % constant, but not the same
%! assert (d.rhat, Inf);
%! assert ([d.ess_bulk, d.ess_mean, d.ess_tail], [3 3 3], 0.05);
%! assert (attnpath_diagnose ([0.1 * ones(50, 1); 0.7 * ones(50, 1)]).rhat, Inf);
%! randn ("twister", 17);
%! d = attnpath_diagnose ([randn(500, 3), 0.3 * ones(500, 1)]);       % one chain is constant
%! assert (d.rhat > 1.1 && isfinite (d.rhat));

%!test % nine draws in ten the same: half of the tails is left; 96 in 100 and at the top: nothing is known of them
%! rand ("twister", 18);
%! assert (attnpath_diagnose (min (rand (500, 4), 0.1)).ess_tail > 1000);
%! d = attnpath_diagnose (min (rand (500, 4), 0.03));
%! assert (isnan (d.ess_tail) && d.ess_bulk > 1000);

%!test % E-BFMI: written out
%! post = sample (5, 2, 1, 0);
%! post.hamiltonian = [1 3; 2 3; 4 3; 4 4; 9 2];
%! d = attnpath_diagnose (post);
%! assert (d.ebfmi, [(1 + 4 + 0 + 25) / (9 + 4 + 0 + 0 + 25), (1 + 4) / (1 + 1)], 1e-14);

%!test % post: each quantity as by itself, U in both triangles
%! randn ("twister", 20);
%! post = sample (101, 3, 3, 4);
%! d = attnpath_diagnose (post);
%! for name = {"U", "f", "logpost"}
%!   assert (struct2cell (d.(name{1})), struct2cell (attnpath_diagnose (post.(name{1}))), -1e-12);
%! endfor
%! assert (d.rhat, max ([d.U.rhat(:); d.f.rhat; d.logpost.rhat]));
%! assert (d.ess, min ([d.U.ess_bulk(:); d.f.ess_bulk; d.logpost.ess_bulk]));
%! assert (d.ess_tail, min ([d.U.ess_tail(:); d.f.ess_tail; d.logpost.ess_tail]));
%! assert ({d.acceptance, d.divergences, d.stuck}, {post.acceptance, post.divergences, false(1, 3)});
%! assert (fieldnames (d)', {"U", "f", "logpost", "rhat", "ess", "ess_tail", "worst", "ebfmi", "acceptance", ...
%!                           "divergences", "stuck", "converged", "reason"});

%!test % post: one chain, one path, no probes, nothing optional, single
%! randn ("twister", 21);
%! for probes = {zeros(0, 50), zeros(0, 50, 1), []}
%!   post = struct ("U", single (randn (1, 1, 50)), "f", probes{1}, "logpost", randn (50, 1));
%!   d = attnpath_diagnose (post);
%!   assert (d.U, attnpath_diagnose (squeeze (post.U)));
%!   assert (size (d.f.rhat), [0 1]);
%!   assert ([d.ebfmi, d.acceptance, d.divergences], NaN (1, 3));
%! endfor
%! post = sample (50, 2, 2, 1);
%! post.hamiltonian = [];  post.acceptance = [];  post.divergences = [];  post.moved = [];
%! assert (attnpath_diagnose (post).ebfmi, NaN (1, 2));

%!test % post: which quantity is the worst
%! randn ("twister", 22);
%! good = sample (1000, 4, 3, 5);
%! slow = chains (0.95, 1000, 4, 1);
%! post = good;  post.U(1,3,:,:) = slow;  post.U(3,1,:,:) = slow;
%! d = attnpath_diagnose (post);
%! assert (d.worst, "U(1,3)");
%! assert (d.ess, attnpath_diagnose (slow).ess_bulk, -1e-12);
%! post = good;  post.f(4,:,:) = slow;
%! assert (attnpath_diagnose (post).worst, "f(4)");
%! post = good;  post.logpost = squeeze (slow);
%! assert (attnpath_diagnose (post).worst, "log posterior");

%!test % verdict: converged, with the smallest size and what it is of
%! randn ("twister", 23);
%! post = sample (1000, 4, 2, 3);
%! d = attnpath_diagnose (post);
%! smallest = sprintf ("%d (%s)", floor (d.ess), d.worst);
%! verdict (post, true, smallest);
%! steep = setfield (post, "divergences", [0 2 0 1]);
%! verdict (steep, false, "3 of the trajectories diverged");
%! post.hamiltonian = 1e5 + reshape (chains (0.9, 1000, 4, 1), 1000, 4);
%! verdict (post, true, "E-BFMI 0.");                   # 2 (1 - phi) of AR(1)

%!test % verdict: each demand that is missed, with its number and name
%! randn ("twister", 24);  rand ("twister", 24);
%! good = sample (1000, 4, 2, 3);
%! post = good;
%! post.f(3,:,2) = post.f(3,:,2) + 1;
%! d = attnpath_diagnose (post);
%! verdict (post, false, sprintf ("%.4g of f(3)", ceil (1000 * d.f.rhat(3)) / 1000), ...
%!          sprintf ("%d of f(3)", floor (d.ess)), sprintf ("%d of the tail of f(3)", floor (d.ess_tail)));
%! post = good;
%! post.f(2,:,:) = chains (0.9, 1000, 4, 1);            % 4000/19 draws
%! d = attnpath_diagnose (post);
%! assert (! isempty (strfind (d.reason, sprintf ("%d of f(2)", floor (d.f.ess_bulk(2))))));
%! assert (isempty (strfind (d.reason, sprintf ("%d of the tail of f(2)", floor (d.ess_tail)))), d.ess_tail >= 400);
%! post = sample (3000, 1, 1, 0);                       % far draws are independent, the others not at all
%! far = rand (3000, 1) < 0.2;
%! post.logpost = squeeze (chains (0.95, 3000, 1, 1))(:);
%! post.logpost(far) = 10 * randn (nnz (far), 1);
%! d = verdict (post, false, sprintf ("%d of log posterior", floor (attnpath_diagnose (post).ess)));
%! assert (d.rhat <= 1.01 && d.ess < 400 && d.ess_tail >= 400 && ! any (d.reason == ";"));
%! verdict (sample (100, 3, 2, 0), false, "effective sample size", "of the tail of");        % too few, if the best
%! post = good;
%! post.f(1,:,:) = min (post.f(1,:,:), -2.5);
%! assert (isnan (verdict (post, false, "95 of 100 draws of f(1)").ess_tail));

%!test % verdict: no number in it rounds to the demand that it misses
%! randn ("twister", 25);
%! post = sample (1000, 4, 1, 0);
%! x = post.logpost;
%! shift = fzero (@(s) attnpath_diagnose (x + [0 0 0 s]).rhat - 1.01001, [0.05 1]);
%! post.logpost = x + [0 0 0 shift];
%! assert (verdict (post, false, "R-hat 1.011 of log posterior").rhat, 1.01001, 1e-5);

%!test % stuck chains
%! randn ("twister", 26);
%! post = sample (1000, 4, 2, 3);
%! post.U(:,:,:,2) = repmat (post.U(:,:,1,2), 1, 1, 1000);
%! d = attnpath_diagnose (post);
%! assert (d.stuck, false (1, 4));                      % f and the log posterior still move
%! post.logpost(:,2) = post.logpost(1,2);
%! assert (attnpath_diagnose (post).stuck, false (1, 4));
%! post.f(:,:,2) = repmat (post.f(:,1,2), 1, 1000);
%! d = verdict (post, false, "chain 2");
%! assert (d.stuck, [false true false false]);
%! assert (d.rhat > 1.01);
%! post = struct ("U", ones (2, 2, 20, 2), "f", ones (1, 20, 2), "logpost", ones (20, 2));
%! d = verdict (post, false, "chain 1, 2");
%! assert ({d.stuck, d.worst, [d.rhat, d.ess, d.ess_tail]}, {[true true], "", NaN(1, 3)});
%! post.U(:,:,:,2) = 2;
%! d = attnpath_diagnose (post);
%! assert (d.rhat, Inf);
%! assert (! isempty (strfind (d.reason, "R-hat Inf of U(1,1)")));

%!test % one of a hundred chains stuck at the upper quartile: rhat and sizes forgive it, the verdict does not
%! randn ("twister", 29);
%! post = sample (50, 100, 1, 0);
%! post.U(:,:,:,7) = 2 * 0.674;                         % U has deviation 2
%! post.logpost(:,7) = 0.674;
%! d = verdict (post, false, "chain 7");
%! assert (d.rhat <= 1.01 && d.ess >= 400 && d.ess_tail >= 400 && ! any (d.reason == ";"));

%!test % a probe that is always 0 does not stand in the way
%! randn ("twister", 27);
%! post = sample (1000, 4, 2, 2);
%! post.f(2,:,:) = 0;
%! d = attnpath_diagnose (post);
%! assert (d.converged);
%! assert (isnan (d.f.rhat), [false; true]);

%!test % without an output a summary is printed
%! randn ("twister", 28);
%! post = sample (1000, 2, 2, 3);
%! text = evalc ("attnpath_diagnose (post);");
%! lines = strsplit (strtrim (text), "\n");
%! assert (numel (lines), 4 + 3 + 1);
%! assert (strncmp (lines([2 3 4]), {"U (2 x 2) ", "f (3 x 1) ", "log poster"}, 10));
%! assert (sscanf (lines{6}, "%g")', [1 0.7 0.6 0 attnpath_diagnose(post).ebfmi(1)], 5e-3);
%! assert (lines{end}, ["converged: " attnpath_diagnose(post).reason]);
%! post = rmfield (post, {"hamiltonian", "acceptance", "moved", "divergences"});
%! post.f = zeros (0, 1000, 2);
%! post.logpost(:,1) = 0;
%! lines = strsplit (strtrim (evalc ("attnpath_diagnose (post);")), "\n");
%! assert (numel (lines), 3 + 3 + 1);
%! assert (strncmp (lines{end}, "not converged: R-hat ", 20));
%! d = attnpath_diagnose (post.logpost);
%! lines = strsplit (strtrim (evalc ("attnpath_diagnose (post.logpost)")), "\n");
%! assert (numel (lines), 2);
%! assert (sscanf (lines{2}, "draws%g%g%g%g")', [d.rhat, d.ess_bulk, d.ess_tail, d.mcse / d.sd], -1e-1);

%!test % refused: draws
%! x = randn (10, 3);
%! D = @(x) @() attnpath_diagnose (x);
%! refuses ("diagnose:usage", @() attnpath_diagnose ());
%! refuses ("diagnose:notReal", D(x + 1i), "draws");
%! refuses ("diagnose:sparse", D(sparse (x)), "draws");
%! refuses ("diagnose:badClass", {D(int32 (x)), D(x > 0), D("draws"), D(num2cell (x)), D(@sin)}, "draws");
%! refuses ("diagnose:empty", {D([]), D(zeros (0, 10, 3)), D(zeros (10, 0))}, "draws");
%! refuses ("diagnose:notFinite", D([x; 1 NaN 1]), {"draws", "22", "NaN"});
%! refuses ("diagnose:notFinite", D([x; 1 Inf 1]), "Inf");
%! refuses ("diagnose:tooFew", D(x(1:3,:)), {"draws", "3", "4", "3 x 3"});
%! refuses ("diagnose:tooFew", D(x'(1,:)), "1 x 10");
%! refuses ("diagnose:tooFew", D(randn (10, 3, 4)), "10 x 3 x 4");

%!test % refused: posteriors
%! post = sample (10, 3, 2, 4);
%! D = @(field, v) @() attnpath_diagnose (setfield (post, field, v));
%! refuses ("diagnose:badClass", {@() attnpath_diagnose ([post post]), @() attnpath_diagnose (post([]))}, "post");
%! for field = {"U", "f", "logpost"}
%!   f = field{1};
%!   x = post.(f);
%!   refuses ("diagnose:missingField", @() attnpath_diagnose (rmfield (post, f)), f);
%!   for bad = {"badClass", num2cell(x); "badClass", "all"; "badClass", int8(x); "notReal", complex(x, 1)
%!              "sparse", sparse(x(:,:)); "empty", ones(3, 0); "notFinite", x ./ (x != x(end))}'
%!     refuses (["diagnose:" bad{1}], D(f, bad{2}), ["post." f]);
%!   endfor
%! endfor
%! refuses ("diagnose:badShape", D("U", post.U(:,:,:,1)), {"post.U", "2 x 2 x 10 x 3", "2 x 2 x 10"});
%! refuses ("diagnose:badShape", D("U", post.U(1,:,:,:)), "post.U");
%! refuses ("diagnose:badShape", D("f", post.f(:,1:9,:)), {"post.f", "10 x 3"});
%! refuses ("diagnose:badShape", D("logpost", randn (9, 3)), "post.U");
%! refuses ("diagnose:badShape", D("logpost", randn (2, 10, 3)), "post.logpost");
%! refuses ("diagnose:notSymmetric", D("U", randn (2, 2, 10, 3)), "post.U");
%! refuses ("diagnose:tooFew", D("logpost", post.logpost(1:3,:)), "post.logpost");
%! for field = {"hamiltonian", "acceptance", "divergences", "moved"}
%!   f = field{1};
%!   x = post.(f);
%!   refuses ("diagnose:badClass", {D(f, num2cell (x)), D(f, {}), D(f, "")}, ["post." f]);
%!   refuses ("diagnose:badShape", D(f, x'), ["post." f]);
%!   refuses ("diagnose:notReal", D(f, complex (x, 1)), ["post." f]);
%!   refuses ("diagnose:notFinite", D(f, NaN * x), ["post." f]);
%! endfor

%!test % fixed numbers, of ArviZ 0.19.0: rhat (c), ess (c, method=..), mcse (c, method='mean'), with c = x', chains x draws
%! noise = mod ((1:500)' .^ 2 * sqrt ([2 3 5 7]), 1);
%! x = filter (1, [1 -0.8], noise);
%! wide = x - mean (x(:));
%! wide(:,4) *= 2;
%! table = {x,                       [1.02394114220894 242.525890771873 501.61407705724  243.194902785274 0.0314135372228141]
%!          x + [0 0 0 0.5],         [1.1834702169089  16.8325408855073 39.6744533417445 16.0600635455007 0.140208095575881]
%!          wide,                    [1.11900906494069 226.028982721833 38.7375611602792 219.415324009402 0.0456943474548755]
%!          tan(pi * (noise - 0.5)), [1.00067919393672 2012.13665418549 2099.38139318382 2013.77698145708 0.529459652329072]
%!          round(2 * x) / 2,        [1.02024346144176 260.376241986453 650.950880107328 261.424814172157 0.0317832002291032]};
%! for row = table'
%!   d = attnpath_diagnose (row{1});
%!   got = [d.rhat, d.ess_bulk, d.ess_tail, d.ess_mean, d.mcse];
%!   assert (got ./ row{2}, ones (1, 5), 1e-9);        % of 15 digits; ranks and sums of 2000 draws in double
%! endfor
