% prune.tst: the search of attnpath_prune, which removes heads one after the other. What it returns where heads are given
% is in scores.tst and train.tst.

%!function value = direct (sol, heads, by)
%!  % the criterion without heads, by public calls, from the GP limit
%!  [net, paths] = attnpath_prune (sol.net, heads, sol.paths);
%!  less = attnpath_solve (net, paths, sol.y);
%!  assert (less.converged && less.hessian_min > 0);
%!  if strcmp (by, "loo"), value = attnpath_loo (less).mse; else, value = attnpath_evidence (less); endif
%!endfunction

%!function s = better (by)
%!  % 1 where the criterion is to be large, -1 where it is to be small
%!  s = 1;
%!  if strcmp (by, "loo"), s = -1; endif
%!endfunction

%!function sol = three_heads (useless)
%!  % labels that two heads tell, the first better. The other is noise, or a copy of the first
%!  randn ("twister", 11);
%!  x = randn (6, 40);
%!  other = randn (6, 40);
%!  if useless
%!    Xi = cat (3, x, randn (6, 40), other);
%!  else
%!    Xi = cat (3, x, other, x);
%!  endif
%!  y = (sum (x, 1) + 0.4 * sum (other, 1))';
%!  net = attnpath_net (3, "Width", 20, "Temperature", 0.1);
%!  sol = attnpath_solve (net, struct ("Xi", Xi), y / std (y));
%!endfunction

%!test % every head at every step, against brute force
%! sol = markov (20);
%! for by = {"loo", "evidence"}
%!   [heads, curve] = attnpath_prune (sol, "By", by{1}, "Display", false);
%!   assert (curve.left, [4; 3; 2]);
%!   assert ({curve.by, curve.heads, curve.complete, size(curve.tried)}, {by{1}, heads, true, [4 2]});
%!   % two starts, tolerance 1e-8 each: scores.tst has the same bound for the same criteria
%!   assert (curve.value(1), direct (sol, zeros (0, 2), by{1}), 1e-10);
%!   list = [1 1; 1 2; 2 1; 2 2];
%!   for step = 1:2
%!     gone = heads(1:step-1,:);
%!     want = NaN (4, 1);
%!     for k = 1:4
%!       alone = sum (gone(:,1) == list(k,1)) == 1;            % of two heads one is gone
%!       if ! alone && ! ismember (list(k,:), gone, "rows")
%!         want(k) = direct (sol, [gone; list(k,:)], by{1});
%!       endif
%!     endfor
%!     assert (curve.tried(:,step), want, 1e-4);
%!     [~, k] = max (better (by{1}) * want);
%!     assert (heads(step,:), list(k,:));
%!     assert (curve.value(step+1), curve.tried(k,step));
%!   endfor
%!   assert (size (curve.order), [1 3]);
%!   [net, paths] = attnpath_prune (sol.net, heads, sol.paths);
%!   again = attnpath_solve (net, paths, sol.y, "Start", curve.order{3});
%!   assert (again.iterations <= 1 && again.converged);
%! endfor

%!test % moments: the same heads for the same evidence, in both forms; and the scores
%! sol = markov (20);
%! [heads, curve] = attnpath_prune (sol, "By", "evidence", "Display", false);
%! [score, largest] = attnpath_scores (sol, "By", "evidence", "Display", false);
%! for form = {"square", "factor"}
%!   m = attnpath_moments (sol.net, sol.paths, sol.y, "Form", form{1});
%!   of_m = attnpath_solve (sol.net, m);
%!   [found, other] = attnpath_prune (of_m, "By", "evidence", "Display", false);
%!   assert (found, heads);
%!   assert (other.value, curve.value, 1e-4);                  % as above
%!   assert (other.tried, curve.tried, 1e-4);
%!   [got, most] = attnpath_scores (of_m, "By", "evidence", "Display", false);
%!   assert (got(:,1:2), score(:,1:2));
%!   assert (got(:,3) * most, score(:,3) * largest, 2e-4);     % a score is a difference of two
%! endfor

%!test % more examples than features times paths: the search gathers them once
%! randn ("twister", 8);
%! Xi = randn (3, 60, 4);
%! y = sum (Xi(:,:,1) + Xi(:,:,4) / 2, 1)' + randn (60, 1) / 2;
%! sol = attnpath_solve (attnpath_net ([2 2], "Width", 20, "Temperature", 0.2), struct ("Xi", Xi), y);
%! [heads, curve] = attnpath_prune (sol, "By", "evidence", "Display", false);
%! for k = 0:2
%!   assert (curve.value(k+1), direct (sol, heads(1:k,:), "evidence"), 1e-4);        % as above
%! endfor
%! assert (curve.tried(:,1), arrayfun (@(l, h) direct (sol, [l h], "evidence"), [1; 1; 2; 2], [1; 2; 1; 2]), 1e-4);

%!test % moments: without a layer's only head nothing is left
%! randn ("twister", 7);
%! net = attnpath_net ([1 2], "Width", 20, "Temperature", 0.5);
%! paths = struct ("Xi", randn (5, 8, 2));
%! y = randn (8, 1);
%! none = -(8 * log (2 * pi * 0.5) + y' * y / 0.5) / 2;
%! for form = {"square", "factor"}
%!   sol = attnpath_solve (net, attnpath_moments (net, paths, y, "Form", form{1}));
%!   [score, largest] = attnpath_scores (sol, "By", "evidence");
%!   assert (score(score(:,1) == 1,3) * largest, attnpath_evidence (sol) - none, 1e-10);
%! endfor

%!test % a head of noise goes first; of two equal heads one goes first, and the other stays to the end
%! for by = {"loo", "evidence"}
%!   heads = attnpath_prune (three_heads (true), "By", by{1}, "Display", false);
%!   assert (heads(1,:), [1 2]);
%!   heads = attnpath_prune (three_heads (false), "By", by{1}, "Display", false);
%!   assert (any (heads(1,2) == [1 3]));
%!   assert (heads(2,:), [1 2]);
%! endfor

%!test % Left: the search ends there, and begins like one that goes on; options as a struct
%! sol = markov (20);
%! [heads, curve] = attnpath_prune (sol, "By", "loo", "Display", false);
%! [first, part] = attnpath_prune (sol, struct ("Left", 3, "Display", false));
%! assert (first, heads(1,:));
%! assert ({part.value, part.tried}, {curve.value(1:2), curve.tried(:,1)});
%! [none, part] = attnpath_prune (sol, "Left", 4);
%! assert ({none, part.left, part.complete}, {zeros(0, 2), 4, true});

%!test % a checkpoint goes on bit for bit, further down too, and belongs to one search
%! sol = markov (20);
%! [heads, curve] = attnpath_prune (sol, "By", "loo", "Display", false);
%! [file, gone] = scratch ("run");
%! attnpath_prune (sol, "By", "loo", "Left", 3, "Checkpoint", file, "Display", false);
%! held = load (file, "-mat").attnpath_prune_run;
%! assert (held.heads, heads(1,:));
%! [again, other] = attnpath_prune (sol, "By", "loo", "Checkpoint", file, "Display", false);
%! assert ({again, other}, {heads, curve});
%! for wrong = {{sol, "By", "evidence"}, {setfield(sol, "y", -sol.y)}, {sol, "Left", 4}}
%!   refuses ("prune:otherRun", ...
%!            @() attnpath_prune (wrong{1}{1}, "Checkpoint", file, "Display", false, wrong{1}{2:end}));
%! endfor

%!testif ; isunix ()
%! % Ctrl-C during a trial: the heads removed so far are kept, and the same call goes on from the checkpoint
%! sol = markov (20);
%! [heads, curve] = attnpath_prune (sol, "By", "loo", "Display", false);
%! [file, gone] = scratch ("run");
%! attnpath_prune (sol, "By", "loo", "Left", 3, "Checkpoint", file, "Display", false);
%! held = press ();
%! [id, ~, got, part] = warned (@() attnpath_prune (sol, "By", "loo", "Checkpoint", file, "Display", false));
%! assert ({id, got}, {"attnpath:prune:interrupted", heads(1,:)});
%! assert ({part.complete, part.value}, {false, curve.value(1:2)});
%! attnpath_interrupt_mex ("forget");
%! [again, other] = attnpath_prune (sol, "By", "loo", "Checkpoint", file, "Display", false);
%! assert ({again, other}, {heads, curve});

%!testif ; isunix ()
%! % Ctrl-C while the whole network is judged: what the gateway returns then is never kept
%! sol = markov (20);
%! [heads, curve] = attnpath_prune (sol, "By", "loo", "Display", false);
%! [file, gone] = scratch ("run");
%! gateway = which ("attnpath_loo_mex");
%! [back, front] = in_front ("attnpath_loo_mex", ["function varargout = attnpath_loo_mex (varargin)\n" ...
%!   "[varargout{1:nargout}] = whole_loo_mex (varargin{:});\n" ...
%!   "if attnpath_interrupt_mex ('seen'), varargout = {zeros(30, 1), zeros(30, 1), zeros(30, 1)}; end\nend\n"]);
%! copyfile (gateway, fullfile (front, "whole_loo_mex.mex"));
%! held = press ();
%! [~, ~, ~, part] = warned (@() attnpath_prune (sol, "By", "loo", "Checkpoint", file, "Display", false));
%! assert (part.value, NaN);
%! attnpath_interrupt_mex ("forget");
%! [again, other] = attnpath_prune (sol, "By", "loo", "Checkpoint", file, "Display", false);
%! assert ({again, other}, {heads, curve});

%!test % a head without which no minimum is found stays, with a warning; where there is no other the search ends
%! sol = markov (20);
%! back = in_front ("attnpath_loo_mex", ["function varargout = attnpath_loo_mex (net, varargin)\n" ...
%!   "if net.H(1) == 1, error ('attnpath:loo:notPositiveDefinite', 'no'); end\n" ...
%!   "varargout = {zeros(30, 1), ones(30, 1), ones(30, 1)};\nend\n"]);
%! [id, ~, heads, curve] = warned (@() attnpath_prune (sol, "By", "loo", "Display", false));
%! assert (id, "attnpath:prune:unreliable");
%! assert ({heads, curve.complete}, {[2 1], false});
%! assert (isnan (curve.tried), logical ([1 1; 1 1; 0 1; 0 1]));

%!error id=attnpath:prune:usage attnpath_prune (attnpath_net ([2 1]))
%!error id=attnpath:prune:usage attnpath_prune (attnpath_net ([2 1]), [1 1], struct ("Xi", ones (1, 1, 2)), 4)
%!error id=attnpath:prune:badValue attnpath_prune (markov (20), "By", "luck")
%!error id=attnpath:prune:unknownOption attnpath_prune (markov (20), "Bye", "loo")
%!error id=attnpath:prune:badValue attnpath_prune (markov (20), "Left", 1)
%!error id=attnpath:prune:badValue attnpath_prune (markov (20), "Left", 5)
%!error id=attnpath:prune:badClass attnpath_prune (5, "By", "loo")
%!error id=attnpath:prune:missingField attnpath_prune (attnpath_net ([2 1]), "By", "loo")
%!error id=attnpath:prune:missingField attnpath_prune (rmfield (markov (20), "order"), "By", "loo")
%!error id=attnpath:prune:missingField % after moments there are no examples to leave out
%! sol = markov (20);
%! attnpath_prune (attnpath_solve (sol.net, attnpath_moments (sol.net, sol.paths, sol.y)), "By", "loo")

%!test % temperature 0: heads without which the kernel is singular stay, and what was found is kept
%! randn ("twister", 3);
%! rand ("twister", 3);
%! net = attnpath_net ([3 2], "Width", 30, "Temperature", 0);
%! A = {rand(4, 4, 3, 25) .^ 3, rand(4, 4, 2, 25) .^ 3};
%! A = cellfun (@(a) bsxfun (@rdivide, a, sum (a, 1)), A, "UniformOutput", false);
%! sol = attnpath_solve (net, attnpath_paths (net, randn (8, 4, 25), A), sign (randn (25, 1)), "Certificate", false);
%! warning ("off", "attnpath:prune:unreliable", "local");
%! [heads, curve] = attnpath_prune (sol, "By", "loo", "Display", false);       % 48 numbers an example, 8 a path
%! assert (rows (heads) < 3);

% what is neither a network nor trained: what to call
%!error <attnpath_prune \(sol.net, heads\)> attnpath_prune (struct ("net", attnpath_net (2), "order", {{eye(2)}}), [1 2])
%!error <the option loo has no value> attnpath_prune (struct ("net", attnpath_net (2), "order", {{eye(2)}}), "loo")
%!error <the field net of a model> attnpath_prune (struct ("net", attnpath_net (2)), [1 2])

%!test % a path that goes through a head removed is not among the path inputs left
%! paths = struct ('Xi', reshape (1:6, 1, 1, 6));
%! [net, left] = attnpath_prune (attnpath_net ([3 2]), [2 1; 1 2], paths);
%! assert ({net.H, squeeze(left.Xi), left.heads}, {[2 1], [2; 6], [1 1; 2 1]});
%! [~, left] = attnpath_prune (attnpath_net ([2 1]), [1 1], struct ('Xi', reshape (1:2, 1, 1, 2)));
%! assert ({left.Xi, left.heads}, {2, [1 1]});
%! gd = struct ('net', attnpath_net ([2 1]), 'w', [3 4]);
%! [gd, left] = attnpath_prune (gd, [1 1], struct ('Xi', reshape (1:2, 1, 1, 2)));
%! assert ({gd.w, gd.net.H, attnpath_predict(gd, left), left.heads}, {4, [1 1], 8, [1 1]});

%!error id=attnpath:prune:usage [net, paths] = attnpath_prune (attnpath_net ([2 1]), [1 1])

%!error id=attnpath:prune:missingField attnpath_prune (attnpath_net ([2 1]), [1 1], ones (1, 1, 2))

%!error id=attnpath:prune:missingField attnpath_prune (struct ('net', attnpath_net ([2 1])), [1 1])

%!error id=attnpath:prune:badShape attnpath_prune (attnpath_net ([2 1]), [1 1], struct ('Xi', ones (1, 1, 3)))
