% task_copy.tst: the copy task, whose labels are those of tokens some places before.

%!test % shapes, labels, positions, and equal parts for a larger P
%! task = attnpath_task_copy ("P", 7, "Ptest", 3, "Tokens", 6, "Symbols", 4, "Back", 2, "Heads", [3 2], "Seed", 5);
%! assert ({size(task.Xtrain), size(task.ytrain), size(task.ytest)}, {[10 6 7], [6 7], [6 3]});
%! assert (cellfun (@size, task.heads, "UniformOutput", false), {[10 10 3], [10 10 2]});
%! [~, symbol] = max (task.Xtrain(1:4,:,:), [], 1);
%! symbol = reshape (symbol, 6, 7);
%! assert (task.ytrain(3:end,:), symbol(1:4,:));
%! assert (all (isnan (task.ytrain(1:2,:)(:))));
%! assert (task.Xtrain(5:10,:,4), eye (6));
%! assert (task.path_names, [{"copying"}; repmat({"random"}, 5, 1)]);
%! more = attnpath_task_copy (setfield (task.settings, "P", 9));
%! assert (more.Xtrain(:,:,1:7), task.Xtrain);
%! assert (more.heads, task.heads);
%! two = attnpath_task_copy ("P", 4, "Ptest", 1);
%! assert (two.ytrain(2:end,:), 2 * reshape (two.Xtrain(2,1:end-1,:), 11, 4) - 1);

%!test % learned from few sequences, in one layer and in two
%! for heads = {2, [2 2]}
%!   task = attnpath_task_copy ("P", 10, "Ptest", 20, "Heads", heads{1});
%!   net = attnpath_net (task.heads, "Readout", "all", "Width", 20, "Causal", true);
%!   sol = attnpath_solve (net, task.Xtrain, task.ytrain, "Display", false);
%!   mu = attnpath_predict (sol, task.Xtest);
%!   there = ! isnan (task.ytest);
%!   assert (sign (mu(there)), task.ytest(there));
%!   score = attnpath_scores (sol, "By", "ablation");
%!   assert (score(score(:,1) == 1 & score(:,2) == 1,3), 1);         % the copying head is the largest
%! endfor

%!test % a line without an output
%! text = evalc ("attnpath_task_copy ('P', 3, 'Ptest', 2);");
%! assert (! isempty (strfind (text, "3 training and 2 test sequences, of 12 tokens")));

%!error id=attnpath:task_copy:badValue attnpath_task_copy ("Tokens", 5, "Back", 5)
%!error id=attnpath:task_copy:badValue attnpath_task_copy ("Symbols", 1)
%!error id=attnpath:task_copy:badValue attnpath_task_copy ("Heads", 2.5)
%!error id=attnpath:task_copy:tooLarge attnpath_task_copy ("Tokens", 1e4, "P", 1e4)
%!error id=attnpath:task_copy:unknownOption attnpath_task_copy ("Lag", 1)
