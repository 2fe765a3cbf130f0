% no_output.tst: a call without an output leaves the user's functions that are called as its output is.

%!function task (), end
%!function net (), end
%!function paths (), end
%!function sol (), end
%!function m (), end
%!function post (), end
%!function d (), end
%!function ex (), end
%!function loo (), end
%!function in (), end
%!function score (), end
%!function cmp (), end
%!function result (), end
%!function t (), end
%!function h (), end
%!function mu (), end
%!function names (), end
%!function gd (), end

%!test
%! work = struct ("task", attnpath_task_markov ("P", 12, "Ptest", 2, "Features", 6, "Tokens", 3));
%! work.net = attnpath_net (work.task.heads, "Width", 50);
%! work.sol = attnpath_solve (work.net, work.task.Xtrain, work.task.ytrain);
%! work.cells = attnpath_sweep (@(c) struct ("x", c.a), struct ("a", 1:2), "Display", false);
%! few = '"Draws", 20, "Warmup", 20, "Chains", 2, "Display", false';
%! Xy = "work.net, work.task.Xtrain, work.task.ytrain";
%! for call_of = {"task", "attnpath_task_markov ('P', 4)"; "task", "attnpath_task_copy ('P', 4)"
%!                "task", "attnpath_task_exchangeable ('P', 4)"; "net", "attnpath_net (work.task.heads)"
%!                "paths", "attnpath_paths (work.net, work.task.Xtrain)"; "sol", ["attnpath_solve (" Xy ")"]
%!                "sol", ["attnpath_tune (" Xy ", 'Tune', 'temperature', 'MaxPoints', 2, 'Display', false)"]
%!                "m", ["attnpath_moments (" Xy ")"]; "post", ["attnpath_sample (" Xy ", " few ")"]
%!                "d", "attnpath_diagnose (cos (reshape (1:40, 20, 2)))"; "ex", "attnpath_expand (work.sol)"
%!                "loo", "attnpath_loo (work.sol)"; "in", "attnpath_influence (work.sol)"
%!                "score", "attnpath_scores (work.sol, 'By', 'share')"; "cmp", "attnpath_compare (work.sol, work.sol)"
%!                "result", "attnpath_sweep (@(c) 1, struct ('a', 1), 'Display', false)"
%!                "t", "attnpath_table (work.cells)"; "h", "attnpath_plot (work.sol, 'order')"
%!                "mu", "attnpath_predict (work.sol, work.task.Xtest)"; "names", "attnpath_demo ()"
%!                "gd", "attnpath_train (work.task.Xtrain, work.task.ytrain, 'Steps', 2, 'Display', false)"}'
%!   if strcmp (call_of{1}, "h") && ! drawable (), continue; endif
%!   evalc ([call_of{2} ";"]);
%!   assert (exist (call_of{1}) == 103, call_of{2});
%! endfor
