% answers.tst: some problems of `make fuzz-answers` (try_answer.m), at a fixed seed.

%!testif ; thorough ()
%! for k = 1:256
%!   out = try_answer (1, k);
%!   assert (isempty (out.wrong), "problem %d, %s, of %s: %s", k, out.identity, out.problem, strjoin (out.wrong, "; "));
%! endfor

%!test % what others found: coarse factors in leave-one-out and predictions; labels that a square cannot hold; rotated
%! % outputs, whose certificate missed the lowest eigenvalue; products of the certificate that lose their symmetry; a
%! % solution whose U is singular within rounding, which the gradient took for one of other labels; an evidence of
%! % 1.5e19 with nine digits, which states its error
%! for problem = {11 11 101 101 101 101 1 5 5252 9173; 1089 1112 1022 1472 2451 556 136 18 168 2914; ...
%!                "maps brought" "copies" "copies" "copies" "action" "outputs rotated" "outputs rotated" "twice" ...
%!                "temperature as noise" "copies"}
%!   out = try_answer (problem{:});
%!   assert (isempty (out.wrong), "%s, of %s: %s", out.identity, out.problem, strjoin (out.wrong, "; "));
%! endfor
