% answers.tst: some problems of `make fuzz-answers` (try_answer.m), at a fixed seed.

%!testif ; thorough ()
%! for k = 1:256
%!   out = try_answer (1, k);
%!   assert (isempty (out.wrong), "problem %d, %s, of %s: %s", k, out.identity, out.problem, strjoin (out.wrong, "; "));
%! endfor

%!test % what others found: coarse factors in leave-one-out and predictions; labels that a square cannot hold; rotated
%! % outputs, whose certificate missed the lowest eigenvalue; products of the certificate that lose their symmetry
%! for problem = {11 11 101 101 101 101 1 5; 1089 1112 1022 1472 2451 556 136 18; "maps brought" "copies" ...
%!                "copies" "copies" "action" "outputs rotated" "outputs rotated" "twice"}
%!   out = try_answer (problem{:});
%!   assert (isempty (out.wrong), "%s, of %s: %s", out.identity, out.problem, strjoin (out.wrong, "; "));
%! endfor
