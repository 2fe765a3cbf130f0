% solve.tst: the saddle point. A result is judged by what it must be: a point where (T9), recomputed by the reference,
% vanishes, at which the action is not above that of neighbours; and by golden numbers, limits and invariances.
% With gradient g and smallest curvature h (both over max N) U is off by at most about g / h: 1e-8 / 0.01 = 1e-6 here.

%!function [net, Xi, y] = random_case (H, P, seed)
%!  randn ("twister", seed);  rand ("twister", seed);
%!  L = numel (H);
%!  net = attnpath_net (H, "Width", 5 + 20 * rand (1, L + 1), "Variance", 0.5 + rand (1, L + 2), "Temperature", 0.3);
%!  Xi.Xi = randn (6, P, prod (H));
%!  y = randn (P, 1);
%!endfunction

%!function worst = gradrel (net, Xi, y, order)
%!  [~, grad] = ref_action (net, Xi, y, order);
%!  worst = 0;
%!  for l = 1:net.L
%!    F = chol (order{l}, "lower");
%!    worst = max (worst, max (abs (F' * grad{l} * F)(:)) / net.width(l));
%!  endfor
%!endfunction

%!test % golden: the published solutions, and what is reported about them
%! for name = {"one_layer_last", "two_layer_mean_qk", "three_layer_last"}
%!   [ref, gold] = ref_golden (name{1});
%!   net = attnpath_net (ref.heads, "Width", ref.width, "Variance", ref.variance, "Readout", ref.readout, ...
%!                       "Temperature", ref.temperature);
%!   sol = attnpath_solve (net, gold.X, gold.y);
%!   assert (sol.converged && sol.gradnorm <= 1e-8);
%!   assert (sol.action, gold.entropy + gold.energy, 1e-11);       % second order in the distance
%!   assert (sol.ua, gold.ua, 1e-6);
%!   for l = 1:net.L
%!     assert (sol.order{l}, gold.order{l}, 1e-6);
%!   endfor
%!   assert (sol.U, sol.order{1});
%!   assert (sol.gradnorm, ref_gradnorm (net, gold.Xi, gold.y, sol.order), 1e-12);
%!   assert (sol.gradrel, gradrel (net, gold.Xi, gold.y, sol.order), 1e-10);
%!   assert (fieldnames (sol)(1:3), {"net"; "paths"; "y"});
%!   [S, ~, part] = ref_action (net, gold.Xi, gold.y, sol.order);
%!   assert ([sol.action, sol.energy, sol.entropy, sol.ua], [S, part.energy, part.entropy, part.ua], -1e-12);
%!   assert (sol.hessian_min, min (eig (ref_hessian (net, gold.Xi, gold.y, sol.order))), -1e-5);
%!   assert (sol.net, net);
%!   assert (sol.y, gold.y);
%!   assert (sol.paths, attnpath_paths (net, gold.X));
%!   assert (isfield (sol, "starts"), false);
%! endfor

%!test % any depth, few and many examples: stationary, and a minimum, by the reference
%! for H = {1, 3, [2 3], [2 1 2], [1 2 2 2]}
%!   for P = [1 5 40]
%!     [net, Xi, y] = random_case (H{1}, P, P);
%!     sol = attnpath_solve (net, Xi, y);
%!     assert (sol.converged);
%!     assert (ref_gradnorm (net, Xi.Xi, y, sol.order) < 1.001e-8);
%!     if P == 5                                      % the reference takes its time
%!       assert (sol.hessian_min, min (eig (ref_hessian (net, Xi.Xi, y, sol.order))), -1e-4);
%!     endif
%!   endfor
%! endfor

%!test % evidence (T10b): its own definition, and the exact log p (y) where widths are infinite
%! [net, Xi, y] = random_case ([2 2], 9, 1);
%! sol = attnpath_solve (net, Xi, y);
%! [~, ~, part] = ref_action (net, Xi.Xi, y, ref_gp (net));
%! assert (sol.evidence, -(sol.action - part.entropy) / 2 - 9 / 2 * log (2 * pi), 1e-11);
%! net.width = 1e9 * ones (1, 3);                    % entropies of order 1e10: 1e-5 of rounding is left
%! sol = attnpath_solve (net, Xi, y);
%! gp = ref_gp (net);
%! A = ref_kernel (net, Xi.Xi, gp{1}, Xi.Xi) + 0.3 * eye (9);
%! assert (sol.evidence, -(log (det (A)) + y' * (A \ y) + 9 * log (2 * pi)) / 2, 1e-4);

%!test % tokens or their path inputs, padded or not, in single: the same solution
%! randn ("twister", 4);
%! net = attnpath_net ({randn(5, 5, 2), randn(5, 5, 2)}, "Readout", "mean", "Width", 20);
%! X = randn (5, 4, 6, "single");  y = randn (6, 1);
%! sol = attnpath_solve (net, X, y, "Lengths", [4 3 2 4 4 1]);
%! same = attnpath_solve (net, attnpath_paths (net, X, "Lengths", [4 3 2 4 4 1]), single (y));
%! assert (same.U, attnpath_solve (net, double (X), double (single (y)), "Lengths", [4 3 2 4 4 1]).U);
%! assert (sol.paths.heads, [1 1; 1 2; 2 1; 2 2]);

%!test % without a certificate: the same solution, nothing known about the Hessian, and no complaint
%! [net, Xi, y] = random_case ([2 2], 12, 13);
%! sol = attnpath_solve (net, Xi, y);
%! bare = attnpath_solve (net, Xi, y, "Certificate", false);
%! assert (bare.hessian_min, NaN);
%! assert (sol.hessian_min > 0);
%! known = {"hessian_min", "hessian_doubt"};
%! assert (rmfield (bare, known), rmfield (sol, known));
%! text = evalc ("attnpath_solve (net, Xi, y, 'Certificate', false);");
%! assert (isempty (strfind (text, "Hessian")) && ! isempty (strfind (text, "U =")));

%!test % memory for stored kernels changes nothing but time
%! [net, Xi, y] = random_case ([2 2], 40, 6);
%! a = attnpath_solve (net, Xi, y, "Tolerance", 1e-12);
%! b = attnpath_solve (net, Xi, y, "Tolerance", 1e-12, "Memory", 0);
%! assert (a.U, b.U, 1e-9);

%!test % starts: the solution is where the search begins; several are reported, and depend on the seed only
%! [net, Xi, y] = random_case ([2 2], 12, 7);
%! sol = attnpath_solve (net, Xi, y);
%! again = attnpath_solve (net, Xi, y, "Start", sol.order);
%! assert (again.iterations <= 1);                   % which tells how far it would go
%! assert (again.U, sol.U, 1e-6);
%! other = setfield (net, "variance", [1 0.7 1.3 2.1]);
%! gp = {0.7 * 1.3 * 2.1 * eye(4), 1.3 * 2.1 * eye(2)};          % the gateway's own "gp"
%! assert (attnpath_solve (other, Xi, y).U, attnpath_solve (other, Xi, y, "Start", gp).U, 1e-12);
%! state = {rand("twister"), randn("twister")};
%! many = attnpath_solve (net, Xi, y, "Starts", 4, "Seed", 3);
%! assert ({rand("twister"), randn("twister")}, state);
%! assert (size (many.starts.action), [4 1]);
%! assert (many.action, min (many.starts.action(many.starts.converged)), 2e-3);   # what is nearly as low is the same
%! assert (any (many.action == many.starts.action));
%! assert (many.starts.action(1), sol.action);
%! assert (many.action <= sol.action);
%! same = attnpath_solve (net, Xi, y, "Starts", 4, "Seed", 3);
%! assert (same.starts, many.starts);
%! other = attnpath_solve (net, Xi, y, "Starts", 4, "Seed", 4);
%! assert (isequal (other.starts.gradnorm, many.starts.gradnorm), false);
%! assert (other.starts.gradnorm(1), many.starts.gradnorm(1));
%! assert (all (many.starts.gradnorm <= 1e-8) && all (many.starts.converged));

%!test % a result that is not to be trusted says so, and names what is wrong
%! [net, Xi, y] = random_case ([2 2], 40, 8);
%! [id, text, sol] = warned (@() attnpath_solve (net, Xi, y, "MaxIterations", 2));
%! assert (id, "attnpath:solve:notConverged");
%! assert ({sol.iterations, sol.converged}, {2, false});
%! assert (! isempty (strfind (text, sol.reason)));
%! tells (sol.reason, {"limit of 2 iterations", "a minimum exists, as the temperature is above 0"});
%! [~, ~, sol] = warned (@() attnpath_solve (net, Xi, y, "Tolerance", 0));
%! assert (sol.converged, ! isempty (strfind (sol.reason, "rounding of U")));   % else it stalled beside that
%! assert (! isempty (strfind (sol.reason, "double precision")));

%!error <attnpath_solve: .*at temperature 0 the action need not have a minimum> % labels 0, more examples than units
%! net = attnpath_net (1, "Width", [3 50], "Temperature", 0);
%! attnpath_solve (net, struct ("Xi", reshape (cos ((1:240) .^ 2), 20, 12)), zeros (12, 1));

%!test % Display prints a line per step and changes nothing
%! [net, Xi, y] = random_case ([2 2], 9, 9);
%! text = evalc ("loud = attnpath_solve (net, Xi, y, 'Display', 'iter');");
%! quiet = attnpath_solve (net, Xi, y);
%! assert (loud.U, quiet.U);
%! assert (numel (strfind (text, "attnpath_solve: step")) >= quiet.iterations);
%! assert (! isempty (strfind (text, "attnpath_solve: the point is found; is it a minimum?")));   # the certificate
%! text = evalc ("attnpath_solve (net, Xi, y, 'Display', 'iter', 'Certificate', false);");
%! assert (isempty (strfind (text, "is it a minimum?")));
%! text = evalc ("sol = attnpath_solve (net, Xi, y);");
%! assert (text, "");
%! text = evalc ("attnpath_solve (net, Xi, y);");       % no output: a summary instead of a struct
%! assert (strfind (text, "9 examples, 4 paths (heads [2 2])"), 1);
%! assert (any (strfind (text, "smallest eigenvalue of the Hessian")) && any (strfind (text, "U =")));

%!testif ; thorough () && isunix () && isempty (getenv ("LD_PRELOAD")) && file_in_path (getenv ("PATH"), "cc")
%! % a line before ten seconds have passed, also where a step takes seven: by a clock that goes on by seven at each look
%! [clock, gone] = scratch ("clock");
%! file_bytes ([clock ".c"], ["#include <time.h>\nstatic time_t now;\n" ...
%!                            "time_t time (time_t *t) { now += 7; if (t != NULL) *t = now; return now; }\n"]);
%! [failed, text] = system (sprintf ("cc -shared -fPIC -o %s.so %s.c 2>&1", clock, clock));
%! assert (failed == 0, text);
%! code = "randn ('twister', 9); attnpath_solve (attnpath_net ([2 2]), struct ('Xi', randn (5, 9, 4)), randn (9, 1));";
%! [command, ended] = session (code);
%! [failed, text] = system (sprintf ("LD_PRELOAD=%s.so %s", clock, command));
%! assert (failed == 0, text);
%! at = cellfun (@str2double, regexp (text, 'after (\d+) s', "tokens"));
%! assert (numel (at) >= 4, text);
%! assert (all (diff ([0 at]) <= 10), text);

%!function [sol, id, text] = stand_in (net, Xi, y, what, varargin)
%!  % solve with a gateway that reports what it is told, and the warning
%!  back = in_front ("attnpath_solve_mex", sprintf ("function sol = attnpath_solve_mex (varargin)\n%s%s%s);\n", ...
%!           "sol = struct ('order', {{eye(2)}}, 'ua', 1, 'action', 1, 'energy', 1, 'entropy', 0, 'gradnorm', 1, ", ...
%!           ["'iterations', 1, 'evaluations', 1, 'hessian_products', 1, 'hessian_doubt', 0, 'hessian_bound', false, " ...
%!            "'converged', true, 'evidence', 0, 'diagonal', 1, 'labels', 1, 'reach', Inf, " ...
%!            "'rounding', 0, 'sums_rounding', 0, 'evidence_doubt', 0, 'reached', 1, 'higher', 0, 'starts', " ...
%!            "struct ('action', 1, 'gradnorm', 1, 'converged', 1), "], what));
%!  [id, text, sol] = warned (@() attnpath_solve (net, Xi, y, varargin{:}));
%!endfunction

%!test % a certificate that its budget ended is called a bound; one that was finished is not
%! [net, Xi, y] = random_case (2, 5, 10);
%! sol = stand_in (net, Xi, y, "'status', 'ok', 'gradrel', 0, 'hessian_min', 0.5, 'hessian_bound', true");
%! assert (sol.hessian_bound, true);
%! assert (sol.hessian_min, 0.5);
%! assert (attnpath_solve (net, Xi, y).hessian_bound, false);
%! what = "'status', 'ok', 'gradrel', 0, 'hessian_min', %g, 'hessian_doubt', 8e-23";
%! for least = [1 -1] * 1e-23                        # less than what it is known to, whatever its sign
%!   [sol, id] = stand_in (net, Xi, y, sprintf (what, least));
%!   assert ({id, sol.hessian_min, sol.converged}, {"attnpath:solve:undecided", least, true});
%!   assert (! isempty (strfind (sol.reason, "undecided in double precision")));
%! endfor

%!test % a saddle is named as one (no action with such an end is known: a stand-in for the gateway reports it)
%! [net, Xi, y] = random_case (2, 5, 10);
%! [sol, id, text] = stand_in (net, Xi, y, "'status', 'ok', 'gradrel', 0, 'hessian_min', -0.5");
%! assert ({sol.hessian_min, id}, {-0.5, "attnpath:solve:saddle"});
%! assert (! isempty (strfind (text, "-0.5")));
%! assert (attnpath_solve (net, Xi, y).hessian_min > 0);

%!test % the end of double precision is a solution where the core calls it converged (test_ap_solution.c)
%! [net, Xi, y] = random_case (2, 5, 10);
%! [sol, id] = stand_in (net, Xi, y, "'status', 'stalled', 'gradrel', 1e-9, 'hessian_min', 1", "Starts", 2);
%! assert (sol.converged);
%! assert (id, "");
%! assert (sol.reason, ["no further descent is possible in double precision; relative to U the gradient 1e-09 is " ...
%!                      "below the tolerance 1e-08"]);
%! [sol, id] = stand_in (net, Xi, y, "'status', 'stalled', 'gradrel', 2e-8, 'hessian_min', 1, 'converged', false");
%! assert ({sol.converged, id}, {false, "attnpath:solve:notConverged"});
%! assert (! isempty (strfind (sol.reason, "lost in the rounding of the action, with gradient 1, and 2e-08 relative to U")));
%! assert (sol.evidence_doubt, Inf);

%!test % what the other starts found is said
%! [net, Xi, y] = random_case (2, 5, 10);
%! tell = "'status', 'ok', 'gradrel', 0, 'hessian_min', 1); sol.higher = 2; sol.reached = %d; sol = struct (sol";
%! tell = strrep (tell, "sol = struct (sol", ...
%!                "sol.starts = [3 0 1; 1 0 1; 3 0 1]; sol = struct (sol");
%! [sol, id] = stand_in (net, Xi, y, sprintf (tell, 1), "Starts", 3);
%! assert (id, "");
%! assert (! isempty (strfind (sol.reason, "; of 3 starts 1 led to it and 2 to higher minima")));
%! assert ({sol.starts.action, sol.starts.converged}, {[3; 1; 3], true(3, 1)});
%! [sol, id] = stand_in (net, Xi, y, sprintf (tell, 2));
%! assert (id, "");
%! assert (! isempty (strfind (sol.reason, "3 starts 2 led to it")));

%!test % one start where U has grown more than a hundredfold: that others may find a lower minimum is said, else not
%! [net, Xi] = random_case ([2 2], 20, 10);
%! solve = @(scale, varargin) attnpath_solve (net, Xi, scale * (-1) .^ (1:20)', "Classes", false, varargin{:});
%! says = @(sol) ! isempty (strfind (sol.reason, "where one start may miss a lower minimum: 'Starts', 10"));
%! gp = norm (ref_gp (net){1}, "fro");
%! [small, large] = deal (solve (1), solve (1000));
%! assert (norm (small.U, "fro") < 90 * gp && norm (large.U, "fro") > 110 * gp);
%! assert ({says(small), says(large)}, {false, true});
%! assert ({says(solve (1000, "Starts", 2)), says(solve (1000, "Start", large.order))}, {false, false});

%!test % the lowest of several minima: a lower one was known by independent searches, and draws of the posterior agree
%! d = load (fullfile (fileparts (which ("lower_minimum.mat")), "lower_minimum.mat"));
%! net = attnpath_net ([1 3 2], "Width", 16, "Temperature", 0.04088);
%! sol = attnpath_solve (net, d, d.y, "Classes", false);
%! assert (sol.action, 724.78, 0.02);                           # T is rounded here
%! assert (sol.converged && sol.hessian_min > 0);
%! assert (sol.action < sol.starts.action(1) - 30 && numel (sol.starts.action) == 10);
%! higher = sum (sol.starts.action > sol.action + 1);
%! assert (! isempty (strfind (sol.reason, sprintf ("; of 10 starts %d led to it and %d to higher minima", ...
%!                                                  10 - higher, higher))));
%! one = attnpath_solve (net, d, d.y, "Classes", false, "Starts", 1);
%! assert (one.action, 755.43, 0.02);
%! assert ({isfield(one, "starts"), one.action}, {false, sol.starts.action(1)});
%! again = attnpath_solve (net, d, d.y, "Classes", false, "Start", sol.order);        # one search, from there
%! assert (again.action, sol.action, 1e-8);
%! assert (again.iterations <= 1 && ! isfield (again, "starts"));
%! text = evalc ("attnpath_solve (net, d, d.y, 'Classes', false, 'Display', 'iter');");
%! assert (! isempty (strfind (text, "attnpath_solve: start 10 of 10: step   0 ")));
%! evidence = attnpath_evidence (sol);                          # another one by 19, of which the annealed one is sure
%! assert (evidence, -277.8, 0.5);

%!test % large labels that equal paths explain in part: the rest does not end the search in its rounding
%! net = attnpath_net ([1 1 1 2], "Width", [359.6 356.1 145.7 333.3 115.5], "Temperature", 0.0469, ...
%!                     "Variance", [2.387 0.6107 0.7979 0.4864 0.5521 0.5053]);
%! paths = struct ("Xi", repmat ([1.0258 -0.9267 0.4452 0.3907; 0.3608 0.8620 -0.2450 -0.5498], [1 1 2]));
%! y = [54403 -54338; 164058 -59988; -7192 15427; -8242 35522];
%! noise = [0.2114 2.0203 0.3695 7.3531];
%! sol = attnpath_solve (net, paths, y, "Noise", noise, "Classes", false);
%! assert (sol.converged && sol.hessian_min > 0 && sol.evidence_doubt < 1e-2);
%! [Q, ~] = qr (diag (sqrt (1 ./ noise)) * paths.Xi(:,:,1)');           # of what all paths have in common
%! y = diag (sqrt (1 ./ noise)) * y;
%! left = y - Q(:,1:2) * (Q(:,1:2)' * y);
%! assert (sol.energy > sum (left(:) .^ 2) / 0.0469);
%! [~, grad] = attnpath_action (net, paths, diag (sqrt (noise)) * (y - left), sol.order, "Noise", noise);
%! assert (max (cellfun (@(U, g) max (max (abs (chol (U) * g * chol (U)'))), sol.order, grad)) < 1e-3);
%! assert (isfinite (attnpath_evidence (sol)));

%!test % the size of the kernel beside the temperature; a temperature that outweighs it; widths below the paths
%! [net, Xi, y] = random_case ([2 2], 12, 3);
%! net = attnpath_net ([2 2], "Width", 20, "Variance", [0.5 2 1 1.5], "Temperature", 0.3);
%! K = ref_kernel (net, Xi.Xi, 3 * eye (4), Xi.Xi);
%! [id, ~, sol] = warned (@() attnpath_solve (net, Xi, y));
%! assert (id, "");
%! assert (sol.diagonal, mean (diag (K)), 1e-12);
%! assert (isempty (strfind (sol.reason, "attnpath_sample")));
%! text = evalc ("attnpath_solve (net, Xi, y)");
%! assert (! isempty (strfind (text, sprintf ("GP limit %.3g, for a temperature of 0.3", sol.diagonal))));
%! net.temperature = 1e4;
%! [id, ~, sol] = warned (@() attnpath_solve (net, Xi, y));
%! assert (id, "attnpath:solve:noise");
%! f = attnpath_predict (sol, Xi);
%! share = y' * ref_kernel (net, Xi.Xi, sol.U, Xi.Xi) * y / (1e4 * (y' * y));
%! assert (abs (y' * f) / (y' * y) <= share && share < 0.1);
%! net.temperature = 0.3;
%! net.width(1) = 3;
%! evalc ("sol = attnpath_solve (net, Xi, y);");
%! assert (! isempty (strfind (sol.reason, "; the width 3 of layer 1 is below its 4 paths")));

% what a newcomer gives, and what is said: a task in place of its tokens; a number out of range by this function's name
%!error <X is a task: give its tokens, such as task.Xtrain> attnpath_solve (attnpath_net (2), struct ("Xtrain", 1), 1)
%!error <^attnpath_solve: .*temperature.* -1> ...
%! attnpath_solve (setfield (attnpath_net ({eye(2)}), "temperature", -1), ones (2, 3, 4), ones (4, 1))
%!error <it must hold its network and training set, as what attnpath_solve returns does> attnpath_predict (struct (), 1)

%!test % labels out of reach: two examples whose path inputs are opposite, with the same label. No temperature is to blame
%! randn ("state", 1);
%! X = randn (5, 4);
%! net = attnpath_net ({zeros(5)}, "Width", 20, "Temperature", 1e-6);
%! [id, text, sol] = warned (@() attnpath_solve (net, cat (3, X, -X), [1; 1]));
%! assert (id, "attnpath:solve:noise");
%! assert (! isempty (strfind (text, "y'K y / y'y is")) && isempty (strfind (text, "temperature")));
%! assert (attnpath_predict (sol, cat (3, X, -X)), [0; 0], 1e-9);      # eps of the kernel over T
%! hot = setfield (net, "temperature", 1e3);
%! cold = attnpath_net ([2 2], "Temperature", 0);      # one start, and U far from its size in the GP limit
%! sol = attnpath_solve (cold, struct ("Xi", randn (10, 8, 4)), 1e3 * randn (8, 1));
%! assert (! isempty (strfind (sol.reason, "times its size in the GP limit")));
%! for c = {"the kernel is 0", net, {zeros(5, 4, 2), [1; 1]}
%!          "'Noise'", net, {cat(3, X, 2 * X), [1; -1], "Noise", [1e12 1e12]}
%!          "this network cannot fit them", net, {cat(3, X, -X), [1; 1], "Noise", [2 2]}
%!          "a lower temperature helps", hot, {cat(3, X, -X), [1; -1]}}'
%!   [id, text] = warned (@() attnpath_solve (c{2}, c{3}{:}));
%!   assert ({id, isempty(strfind (text, c{1}))}, {"attnpath:solve:noise", false});
%! endfor

%!function list = gateways (call)
%!  % names of the gateways that a call has called
%!  profile ("clear");
%!  profile ("on");
%!  call ();
%!  profile ("off");
%!  names = {profile("info").FunctionTable.FunctionName};
%!  list = names(! cellfun (@isempty, regexp (names, "^attnpath_.*_mex$")));
%!endfunction

%!test % labels far larger than the prior's are named so: of examples, noise of each, outputs, moments
%! for C = [1 2]
%!   [net, Xi, ~] = random_case ([2 2], 12, 3);
%!   y = randn (12, C);
%!   for noise = {[], exp(randn (1, 12))}
%!     t = [noise{1}, ones(1, 12)](1:12)';
%!     sol = attnpath_solve (net, Xi, y, "Noise", noise{1}, "Display", false);
%!     edge = sqrt (30 * (sol.diagonal + net.temperature) / mean ((y ./ sqrt (t))(:) .^ 2));
%!     for s = edge * [0.99 1.01]
%!       id = warned (@() attnpath_solve (net, Xi, s * y, "Noise", noise{1}));
%!       assert (id, {"", "attnpath:solve:scale"}{1 + (s > edge)});
%!       m = attnpath_moments (net, Xi, s * y, "Noise", noise{1}, "Display", false);
%!       assert (warned (@() attnpath_solve (net, m)), id);
%!     endfor
%!   endfor
%! endfor
%! [id, text] = warned (@() attnpath_solve (net, Xi, s * y, "Noise", noise{1}));
%! found = sscanf (text, "attnpath_solve: labels are %f");
%! assert (found, sqrt (30) * 1.01, 5e-3);
%! assert (warned (@() attnpath_solve (net, Xi, s * y / found, "Noise", noise{1})), "");

%!test % a call's way: path inputs and search, nothing else; a prediction is one gateway
%! randn ("twister", 5);
%! net = attnpath_net ({randn(3, 3, 2)}, "Width", 9);
%! [X, y] = deal (randn (3, 4, 12), randn (12, 1));
%! paths = attnpath_paths (net, X);
%! sol = attnpath_solve (net, paths, y);
%! assert (gateways (@() setfield (attnpath_solve (net, X, y), "of", 1)), {"attnpath_paths_mex", "attnpath_solve_mex"});
%! assert (gateways (@() setfield (attnpath_solve (net, paths, y), "of", 1)), {"attnpath_solve_mex"});
%! assert (gateways (@() attnpath_predict (sol, paths)), {"attnpath_predict_mex"});

%!test % examples given twice at the end of double precision: a certificate has no sign that rounding has made
%! shapes = {2, 3, 4, [1 2], [2 1], [2 2], [1 3], [1 1 2], [2 1 1], [2 1 2]};
%! for seed = [79 174 467 636 847]
%!   rand ("twister", seed);
%!   randn ("twister", seed);
%!   H = shapes{ceil(rand () * numel (shapes))};
%!   sizes = [2, 1, 3] + floor ([5, 4, 8] .* rand (1, 3));
%!   X = randn (sizes);
%!   y = 10 ^ (3 * rand ()) * randn (sizes(3), 1);
%!   heads = arrayfun (@(h) randn (sizes(1), sizes(1), h), H, "UniformOutput", false);
%!   net = attnpath_net (heads, "Width", 10 .^ (4 * rand (1, numel (H) + 1)), "Temperature", 10 ^ (-9 - 3 * rand ()));
%!   some = [1:sizes(3), 1:round(rand () * sizes(3) / 2)];
%!   warning ("off", "attnpath:solve:undecided", "local");
%!   sol = attnpath_solve (net, X(:,:,some), y(some), "Display", false);
%!   assert (sol.hessian_min > -sol.hessian_doubt);
%! endfor

%!test % one unknown: rounding alone is left, and it is counted
%! paths.Xi = randn (3, 5);
%! sol = attnpath_solve (attnpath_net (1, "Width", 20, "Temperature", 0.1), paths, randn (5, 1));
%! assert (sol.hessian_doubt > 0 && sol.hessian_doubt < 1e-9 * sol.hessian_min);
