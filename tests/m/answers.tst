% answers.tst: some problems of `make fuzz-answers` (try_answer.m), at a fixed seed.

%!testif ; thorough ()
%! for k = 1:240
%!   out = try_answer (1, k);
%!   assert (isempty (out.wrong), "problem %d, %s, of %s: %s", k, out.identity, out.problem, strjoin (out.wrong, "; "));
%! endfor
