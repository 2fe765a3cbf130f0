% net.tst: attnpath_net, the description of a network. Nothing is computed, so everything is compared exactly.

%!test % defaults, and one number for all layers
%! net = attnpath_net ({ones(3, 3, 2), eye(3)});
%! assert (fieldnames (net)', {"heads", "L", "H", "N0", "width", "variance", "temperature", "readout", "attention", ...
%!                             "bandwidth", "kernel", "ridge", "causal", "skip", "headscale"});
%! assert ({net.L, net.H, net.N0}, {2, [2 1], 3});
%! assert ({net.width, net.variance, net.temperature}, {[100 100 100], [1 1 1 1], 0.01});
%! assert ({net.readout, net.attention, net.causal}, {"last", "softmax", false});
%! assert ({net.bandwidth, net.kernel, net.ridge}, {1, "exponential", 1e-3});
%! assert (net.heads, {ones(3, 3, 2), eye(3)});

%!test % every option, in any case, as pairs or as a struct
%! opt = struct ("width", [5 7], "VARIANCE", [1 2 3], "Temperature", 0, "Readout", "MEAN", ...
%!               "Attention", "HardMax", "Causal", true, "Bandwidth", single (2), "Kernel", "Gaussian", "RIDGE", 3);
%! net = attnpath_net ({eye(2)}, opt);
%! assert ({net.width, net.variance, net.temperature}, {[5 7], [1 2 3], 0});
%! assert ({net.readout, net.attention, net.causal}, {"mean", "hardmax", true});
%! assert ({net.bandwidth, class(net.bandwidth), net.kernel, net.ridge}, {2, "double", "gaussian", 3});
%! args = [fieldnames(opt), struct2cell(opt)]';
%! assert (attnpath_net ({eye(2)}, args{:}), net);

%!test % widths and variances may come as columns, and in single
%! net = attnpath_net ({eye(2)}, "Width", single ([5; 7]), "Variance", [1; 2; 3]);
%! assert ({net.width, net.variance}, {[5 7], [1 2 3]});
%! assert (class (net.width), "double");

%!test % readout of a token
%! assert (attnpath_net ({1}, "Readout", 4).readout, 4);

%!test % queries and keys, in single; other fields of the struct are dropped; both kinds of head in one network
%! pair = struct ("Q", ones (4, 3, 2, "single"), "K", zeros (4, 3, 2), "note", "from a file");
%! net = attnpath_net ({pair, eye(3)});
%! assert (fieldnames (net.heads{1})', {"Q", "K"});
%! assert (class (net.heads{1}.Q), "double");
%! assert ({net.H, net.N0}, {[2 1], 3});
%! net = attnpath_net ({eye(3), pair});
%! assert ({net.H, net.N0}, {[1 2], 3});

%!test % head counts alone
%! net = attnpath_net ([12 12], "Width", 768);
%! assert ({net.heads, net.L, net.H, net.N0}, {{}, 2, [12 12], 0});
%! assert (net.width, [768 768 768]);

%!test % one token feature, one head, one layer
%! net = attnpath_net ({2});
%! assert ({net.L, net.H, net.N0}, {1, 1, 1});

%!test % the published task fits
%! task = attnpath_task_markov ("P", 2, "Ptest", 2);
%! assert (attnpath_net (task.heads).H, [2 2]);

%!test % heads in a column; the ends of the ranges
%! assert (attnpath_net ({ones(3, 3, 2); eye(3)}), attnpath_net ({ones(3, 3, 2), eye(3)}));
%! net = attnpath_net (1, "Width", [1e-300 1e15], "Variance", [1e-30 1 1e30], "Temperature", 1e30);
%! assert ({net.width, net.variance, net.temperature}, {[1e-300 1e15], [1e-30 1 1e30], 1e30});

%!test % cme heads have queries and keys, or are not known at all
%! pair = struct ("Q", ones (4, 3, 2), "K", zeros (4, 3, 2));
%! net = attnpath_net ({pair, pair}, "Attention", "CME");
%! assert ({net.attention, net.H, attnpath_net([2 2], "Attention", "cme").attention}, {"cme", [2 2], "cme"});
%! for heads = {{eye(3), pair}, {pair, eye(3)}}
%!   refuses ("net:badValue", @() attnpath_net (heads{1}, "Attention", "cme"), ...
%!            sprintf ("heads{%d}", find (! cellfun (@isstruct, heads{1}))));
%! endfor

%!test # what cannot be transposed is refused by name
%! map = containers.Map ();
%! for value = {@sin, map}
%!   refuses ("net:badClass", @() attnpath_net (1, "Width", value{1}));
%!   refuses ("attention:badClass", ...
%!            @() attnpath_attention (attnpath_net ({eye(2)}), ones (2, 3, 4), "Lengths", value{1}));
%! endfor

%!test % without an output: a summary instead of a struct
%! text = evalc ("attnpath_net ({zeros(2, 2, 3), zeros(2)}, 'Width', 7, 'Readout', 2)");
%! assert (text, ["2 layers, heads [3 1], 3 paths, attention softmax\n" ...
%!                "widths [7 7 7], prior variances [1 1 1 1], temperature 0.01, readout token 2\n"]);
%! assert (strfind (evalc ("attnpath_net ([2 2])"), "attention to be brought") > 0);

% one number put in the place of several; shapes in words
%!error <net.width must be 1 x 3, not 50: net.width\(:\) = 50> attnpath_paths (setfield (attnpath_net ([2 2]), "width", 50), 1)
%!error <1 x 4, not 2: net.variance\(:\) = 2> attnpath_paths (setfield (attnpath_net ([2 2]), "variance", 2), 1)
%!error <must be 5 features x T tokens x P examples, not a 3 x 4> attnpath_paths (attnpath_net ({ones(5)}), ones (3, 4))
%!error <must be 5 features x P examples x 1 paths, not a 3 x 7> attnpath_solve (attnpath_net ({ones(5)}), struct ("Xi", ones (3, 7)), ones (7, 1))

%!error <Skip must be double or single, not int8 2> attnpath_net ([2 2], "Skip", int8 (2))
