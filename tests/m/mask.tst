% mask.tst: the mask for a transformer of your own, and its file. Bad input is in badinput.tst; that PyTorch does with
% the file what it says is in tests/export.

%!test % a row for each layer, shorter ones filled up with ones
%! net = attnpath_net ([4 2 3]);
%! assert (attnpath_mask (net, [1 4; 3 1; 2 2]), [1 1 1 0; 1 0 1 1; 0 1 1 1]);
%! assert (attnpath_mask (net, zeros (0, 2)), ones (3, 4));
%!test % the file: the numbers of heads, then the rows, which load reads as well
%! [file, gone] = scratch ("mask.txt");
%! mask = attnpath_mask (attnpath_net ([4 2]), [1 1; 2 2], file);
%! text = fileread (file);
%! assert (text, sprintf ("# heads 4 2\n0 1 1 1\n1 0 1 1\n"));
%! assert (load (file), mask);
%!test % a head twice is refused, as attnpath_prune does
%! twice = [1 4; 3 1; 2 2; 3 1];
%! refuses ("mask:badValue", @() attnpath_mask (attnpath_net ([4 2 3]), twice), {"1 of layer 3", "2 and 4"});
%!error id=attnpath:mask:badValue % filled up, but no head of its own is left
%! attnpath_mask (attnpath_net ([4 2]), [2 1; 2 2])
