% demo.tst: the demos in their quick form: they run, print tables that agree with the theory and with each other, and
% draw. Those of all functions, and the shortest demo, are in tests/m/demo.tst.

%!function found = cells_in (folder)
%!  % all cells that sweeps have left in the folder, by name, without the seconds that they took; and which file each is
%!  found = struct ();
%!  for sweep = setdiff (readdir (folder)', {".", ".."})
%!    for file = glob (fullfile (folder, sweep{1}, "cell_*.mat"))'
%!      [~, name] = fileparts (file{1});
%!      info = stat (file{1});
%!      record = load (file{1});
%!      assert (record.status, "done");
%!      record.value = rmfield (record.value, intersect (fieldnames (record.value), "seconds"));
%!      found.([sweep{1} "_" name]) = struct ("record", record, "at", [info.ino, info.mtime]);
%!    endfor
%!  endfor
%!endfunction

%!function tables = without_times (shown, first)
%!  % what a demo prints of its numbers, from its first words on
%!  tables = regexp (shown, ['(?s)' first '.*(?=\nthis call took)'], "match"){1};
%!  tables = regexprep (tables, {'(?m) +[\d.]+ s$', '; \d+ s; '}, {"", "; "});
%!endfunction

%!function kill_demo (demo, folder, count)
%!  % a session that runs the demo is killed as soon as there are so many cells in the folder
%!  [command, over] = session (sprintf ("attnpath_demo ('%s');", demo));
%!  [log, gone] = scratch ("log");
%!  pid = system (sprintf ("exec %s >%s 2>&1 </dev/null", command, log), false, "async");
%!  started = tic ();
%!  do
%!    pause (0.05);
%!    there = numel (glob (fullfile (folder, "*", "cell_*.mat")));
%!    ended = waitpid (pid, WNOHANG ()) != 0;
%!  until there >= count || ended || toc (started) > 600
%!  if ! ended
%!    kill (pid, SIG ().KILL);
%!    waitpid (pid);
%!  endif
%!  assert (there >= count && ! ended, fileread (log));
%!endfunction

%!testif ; thorough ()
%! % oneshot: on made-up characters, runs, prints its tables, writes both figures. Killed half way, it goes on where it
%! % was, and in the end all is as if it had never been killed
%! [folder, gone] = scratch ();
%! figures = numel (get (0, "children"));
%! alone = fullfile (folder, "alone");
%! back = with_env ("ATTNPATH_QUICK", "1", "ATTNPATH_DEMO_DIR", folder, "ATTNPATH_OMNIGLOT", "", "ATTNPATH_TRAIN", "", ...
%!                  "XDG_CACHE_HOME", folder, "ATTNPATH_WORKERS", "", "ATTNPATH_CELLS", alone);
%! shown = evalc ("attnpath_demo ('oneshot');");
%! assert (numel (get (0, "children")), figures);
%! assert (! isempty (strfind (shown, "Training: generator, seed 1: 100 classes")));
%! assert (! isempty (strfind (shown, "Trained network: data_background_small1.mat")));
%! numbers = @(form) str2double (vertcat (regexp (shown, form, "tokens"){:}));
%! share = '([\d.]+) \+- +[\d.]+ %';
%! table = numbers (['(?m)^ +(\d+) +' share ' +[\d. ]+ +' share ' +[\d. ]+ +' share]);
%! assert (table(:,1), [10; 20; 1000]);
%! % 60 sequences are too few to learn new characters from, so that 200 answers are tosses of a coin: 5 standard
%! % errors. More would be a test set that was trained on
%! assert (table(:,2:4), 50 * ones (3, 3), 100 * 5 * sqrt (1/4 / 200));
%! % at N = 1000 theory and GP limit differ by O(1/N), in a few of 200 examples
%! gp = numbers (['(?m)^ +GP +' share ' +' share ' +' share]);
%! assert (table(3,2:4), gp, 4);
%! assert (numbers ('largest gradnorm of all \d+ solutions ([-+\d.e]+)') <= 1e-6);
%! % theory and draws of the same posterior, whose U is the prior's but for what 60 sequences say
%! r = numbers ('(?m)^  (?:theory|draws) and [a-z ]+ ([-\d.]+) \+- [\d.]+$');
%! assert (size (r), [3 1]);
%! assert (r(1) > 0.5 && all (abs (r) <= 1));
%! shares = numbers ('(?m)^ +(\d+) of 60: N = 10 ([\d.]+) \+- [\d.]+, GP limit ([\d.]+) \+- [\d.]+$');
%! assert (shares(:,1), [5; 50]);
%! assert (all (shares(1,2:3) < shares(2,2:3)) && all (shares(:,2:3)(:) > 0 & shares(:,2:3)(:) <= 1));
%! % a table of heads for each of two networks: a drop is the difference of two accuracies of the same table
%! full = numbers ('all classes of the test data: ([\d.]+) \+- [\d.]+ % with all heads');
%! assert (all (full > 50 + 100 * 5 * sqrt (1/4 / 400)));         % they have learned, on other characters
%! row = ['(?m)^ +([12]) +([1-4])' repmat(' +([-\d.]+)', 1, 6) ' +([\d.]+) % +([-\d.]+) \+- ([\d.]+)$'];
%! tables = numbers (row);
%! correlations = numbers ('(?m)^  [-|,\w]+(?: trained)? +([-\d.]+) +([-\d.]+) \+- ([\d.]+) +([-\d.]+)$');
%! row = ['(?m)^ +(\d)' repmat(' +([\d.]+) %', 1, 6) ' +' share ' +' share ' of (\d+)$'];
%! removals = numbers (row);
%! first = numbers ('(?m)^ +the search, draw \d: heads (\d)\.(\d)');
%! found = numbers (['(?m)^ +the search, draw \d: heads' repmat(' (\d)\.(\d)', 1, 6) ';']);
%! assert ({size(full), size(tables), size(correlations), size(removals), size(found)}, ...
%!         {[2 1], [16 11], [12 4], [14 10], [4 12]});
%! for n = 1:2
%!   heads = tables(8*n-7:8*n,:);
%!   assert (sortrows (heads(:,1:2)), sortrows ([kron([1; 2], ones (4, 1)), repmat((1:4)', 2, 1)]));
%!   assert (issorted (heads(:,3)));
%!   assert (heads(:,10), full(n) - heads(:,9), 0.11);
%!   r = correlations(6*n-5:6*n,:);
%!   assert (all (abs (r(:,[1 2 4])(:)) <= 1));
%!   % of the columns as they are printed, where ties may stand for an order of two neighbours or of three
%!   want = in_demos (@() arrayfun (@(w) rank_correlation (heads(:,2+w), heads(:,10)), (1:6)'));
%!   assert (r(:,1), want, 0.15);
%!   removal = removals(7*n-6:7*n,:);
%!   assert (removal(:,[1 10]), [(0:6)', [1 8 28 56 68 48 16]']);  # choices that leave each layer of four a head
%!   assert (removal(1,2:9), full(n) * ones (1, 8), 0.06);
%!   assert (removal(2,2), heads(1,9), 0.11);
%!   assert (removal(2,9), mean (heads(:,9)), 0.11);
%!   [~, k] = ismember (first(2*n-1:2*n,:), heads(:,1:2), "rows");
%!   assert (removal(2,8), mean (heads(k,9)), 0.11);
%!   for d = 2*n-1:2*n
%!     assert (rows (unique (reshape (found(d,:), 2, 6)', "rows")), 6);    # each head once, and one left in each layer
%!     assert (sum (found(d,1:2:end) == 1), 3);
%!   endfor
%! endfor
%! drawn (folder, "demo_oneshot", "demo_oneshot_scores");
%! if isunix () && exist (fullfile (OCTAVE_HOME, "bin", "octave-cli"), "file")
%!   killed = fullfile (folder, "killed");
%!   setenv ("ATTNPATH_CELLS", killed);
%!   kill_demo ("oneshot", killed, 19);                       # theory, draws, and a part of the outputs
%!   before = cells_in (killed);
%!   [complaints, again] = by_gnuplot ("attnpath_demo ('oneshot')");         # which goes on without a display
%!   assert (complaints, "");
%!   want = cells_in (alone);
%!   assert (numfields (before) < numfields (want));
%!   block = '\(b\) accuracy';
%!   assert (without_times (again, block), without_times (shown, block));
%!   found = cells_in (killed);
%!   assert (fieldnames (found), fieldnames (want));
%!   for name = fieldnames (want)', assert (isequaln (found.(name{1}).record, want.(name{1}).record)); endfor
%!   for name = fieldnames (before)', assert (found.(name{1}).at, before.(name{1}).at); endfor     # none ran again
%! endif

%!testif ; thorough ()
%! % exchangeable: runs, its errors and slopes are those of the theory, writes both figures
%! [folder, gone] = scratch ();
%! figures = numel (get (0, "children"));
%! back = with_env ("ATTNPATH_QUICK", "1", "ATTNPATH_DEMO_DIR", folder);
%! shown = evalc ("attnpath_demo ('exchangeable');");
%! assert (numel (get (0, "children")), figures);
%! block = regexp (shown, '(?s)\(a\) rms(.*)\n\(b\)(.*)\n\(c\)(.*)\n\(d\)(.*)\n\(e\)(.*)\nMeasured', "tokens"){1};
%! numbers = @(text, form) cell2mat (cellfun (@(line) sscanf (line{1}, "%f")', ...
%!                                            regexp (text, form, "tokens")', "UniformOutput", false));
%! n = 2 .^ (4:9)';
%! a = numbers (block{1}, '(?m)^ +(\d+ +[\d. ]+)$');
%! assert (size (a), [6 7]);
%! assert (a(:,1), n);
%! % the right kernel: posterior variance noise^2 d / (n + d noise^2) at a query, up to O(1/n) relatively; mean
%! % squares over 8 seeds and 16 sequences of 3 independent components each, 5 standard errors
%! want = sqrt (0.25 * 3 ./ (n + 0.75));
%! assert (a(:,2) ./ want, ones (6, 1), 1 / 16 + 5 / sqrt (2 * 3 * 8 * 16));
%! slope = numbers (block{1}, 'slope +([-\d. ]+)');
%! half = numbers (block{1}, '\+- +([\d. ]+?) +95');
%! assert ({size(slope), size(half)}, {[1 6], [1 6]});
%! se = half / 2.365;                                   % Student's quantile of 8 seeds
%! assert (all (half < 0.1));                           % a slope that is not known says nothing
%! % n / (n + 0.75) instead of 1 in the slope, and the like for softmax with 3.4 tokens to one that counts: 0.03
%! assert (all (abs (slope([1 6]) + 0.5) < 5 * se([1 6]) + 0.03));
%! assert (all (slope([4 5]) > -0.2));                  % bias stays, without which -1/2 were left
%! assert (all (a(end,[5 6]) > 5 * a(end,[2 2])));
%! b = numbers (block{2}, '(?m)^ +(\d+ +[\d. ]+)$');
%! assert (b(:,1), n);
%! % measured and the posterior's own: 3 and 8 components; of the 8 some count little, say half
%! assert (b(:,2) ./ b(:,3), ones (6, 1), 5 / sqrt (2 * 3 * 8 * 16));
%! assert (b(:,4) ./ b(:,5), ones (6, 1), 5 / sqrt (2 * 4 * 8 * 16));
%! slope = numbers (block{2}, 'slope +([-\d. ]+)');
%! half = numbers (block{2}, '\+- +([\d. ]+?) +95');
%! assert (abs (slope(1) + 0.5) < 5 * half(1) / 2.365 + 0.03);
%! % orders of summation: softmax n eps |v|, and cme n eps cond |v| with cond below n e^2 / (0.25 e^2)
%! moved = str2double (regexp (block{3}, ': (\S+) softmax, (\S+) cme', "tokens"){1});
%! assert (moved(1) < 512 * eps * 5 && moved(2) < 512 * eps * 5 * 512 * 4);
%! d = numbers (strrep (block{4}, "+-", ""), '(?m)^ +(\d+ +[\d. ]+)$');
%! assert (d(:,1), [16 64 256]');
%! assert (all (d(3,[2 4 6]) <= d(2,[2 4 6]) + 2 * d(2,[3 5 7])));         % no growth with the length
%! assert (all ((d(:,[2 4]) > d(:,[6 6]))(:)));         % nobody is better than the posterior mean
%! e = numbers (block{5}, '(?m)^ +(\d+ +[\d. ]+) %$');
%! assert (e(:,1), [1 16 256]');
%! assert (all (diff (e(:,2)) > 0) && all (e(:,3) < e(:,2)));
%! assert (all (diff (e(:,[6 8])) > 0));                 % the condition number counts downstream
%! assert (all (e(:,6) < e(:,7) * (1 + 5 / sqrt (2 * 8 * 30))));           % 8 seeds of 30 sequences
%! drawn (folder, "demo_exchangeable");

%!testif ; thorough ()
%! % classes: runs, its tables agree with each other, writes both figures. That a demo which was killed goes on where it
%! % was is asked of oneshot
%! [folder, gone] = scratch ();
%! figures = numel (get (0, "children"));
%! back = with_env ("ATTNPATH_QUICK", "1", "ATTNPATH_DEMO_DIR", folder, "ATTNPATH_WORKERS", "", ...
%!                  "ATTNPATH_CELLS", fullfile (folder, "alone"));
%! shown = evalc ("attnpath_demo ('classes');");
%! assert (numel (get (0, "children")), figures);
%! rows_of = @(form) str2double (vertcat (regexp (shown, form, "tokens"){:}));
%! table = rows_of ('(?m)^ +(\d+) +([\d.]+) % +([\d.]+e[-+]\d+)');
%! assert (table(:,1), repmat ([10; 100; 1000], 3, 1));     % coupled, shared, one against the rest
%! assert (all (table(:,3) <= 1e-8));
%! gp = rows_of ('GP +([\d.]+) %');
%! % the paths of the right class are found at small widths; at N = 1000 theory and GP limit differ by O(1/N), in a
%! % few of 300 examples
%! assert (table([1 4 7],2) > table([3 6 9],2) & table([1 4 7],2) > gp);
%! assert (table([3 6 9],2), gp * ones (3, 1), 4);
%! % draws are of the same task, and far fewer than are trusted, as the demo says. At N = 10 they tell the classes
%! % apart better than the GP limit, and at N = 1000 as well as the theory, up to a few of 300 examples
%! four = repmat (' +([\d.]+)', 1, 4);
%! draws = rows_of (['(?m)^ +(\d+) +([\d.]+) % +([-+][\d.]+) \(1 task\)' four ' +[\d.]+ s$']);
%! assert (draws(:,1), [10; 1000]);
%! assert (draws(:,2) - draws(:,3), table([1 3],2), 0.11);
%! assert (draws(1,2) > gp);
%! assert (draws(2,2), table(3,2), 4);
%! met = rows_of ('(\d+) of (\d+) samples have it');
%! assert (met, [0 2]);                                # 16 draws cannot be worth 400
%! assert (! isempty (regexp (shown, '(?m)^ +not converged: R-hat')));
%! correlation = rows_of ('U at N = (\d+), seed 1: [^\n]+ ([-\d.]+)\n');
%! assert (correlation(:,1), [10; 1000]);
%! assert (all (correlation(:,2) > 0.5 & correlation(:,2) <= 1));      # unrelated: 0, standard error 0.06
%! confusion = rows_of ('(?m)^ +(\d+) +(\d+) +(\d+)$');
%! assert (size (confusion), [12 3]);
%! assert (sum (confusion, 2), 100 * ones (12, 1));
%! right = arrayfun (@(k) 100 * trace (confusion(3*k-2:3*k,:)) / 300, (1:4)');
%! assert (right, [table([1 4 7],2); gp], 0.051);
%! gain = rows_of ('(?m)^ +(\d+) +([-+][\d.]+) \(1 task\)');
%! assert (gain(:,2), table([1:3 1:3],2) - table(4:9,2), 0.11);
%! score = rows_of ('(?m)^ +([12]) ([1-4]) +([\d.]+) +([\d.]+) +([\d.]+)$');
%! assert (score(:,1:2), repmat ([1 1; 1 2; 1 3; 1 4; 2 1; 2 2], 3, 1));
%! for k = 1:3, assert (max (score(6*k-5:6*k,3:5)(:)), 1); endfor
%! [~, best] = max (score(1:3,3:5));                   % each class has its own head of the first layer
%! assert (best, 1:3);
%! [~, best] = max (score(13:15,3:5));
%! assert (best, 1:3);
%! assert (score(7:12,3:4), score(7:12,4:5));          % one U for all
%! drawn (folder, "demo_classes");
%! if any (strcmp (available_graphics_toolkits (), "gnuplot"))
%!   assert (by_gnuplot ("attnpath_demo ('classes')"), "");        # from the same cells, without a display
%! endif

%!testif ; thorough ()
%! % residual: runs, prints its tables, finds the kind of network behind labels, writes both figures
%! [folder, gone] = scratch ();
%! back = with_env ("ATTNPATH_QUICK", "1", "ATTNPATH_DEMO_DIR", folder);
%! shown = evalc ("attnpath_demo ('residual');");
%! accuracy = str2double (cellfun (@(t) t{1}, regexp (shown, '(?m)^ +10+ +(\d+\.\d) \+-', "tokens"), ...
%!                                 "UniformOutput", false));
%! assert (numel (accuracy), 4);
%! assert (all (accuracy >= 50));                       % 100 sequences each of two tasks, 85 expected
%! chosen = cellfun (@str2double, vertcat (regexp (shown, 'error in (\d), by the evidence in (\d) of 2', "tokens"){:}));
%! assert (size (chosen), [4 2]);                       % of labels, and of trained networks, which learn nothing here
%! assert (chosen(1:2,:), [2 2; 2 2]);                  % differences of 12 and more nats
%! assert (numel (regexp (shown, '(?m)^  (order|predictor|loo|evidence|importance|ablation) +-?\d')), 6);
%! drawn (folder, "demo_residual");

%!testif ; thorough ()
%! % copy: runs, prints its tables, the posterior copies on new sequences where even attention does not, writes both figures
%! [folder, gone] = scratch ();
%! back = with_env ("ATTNPATH_QUICK", "1", "ATTNPATH_DEMO_DIR", folder);
%! shown = evalc ("attnpath_demo ('copy');");
%! rows_of = @(form) str2double (vertcat (regexp (shown, form, "tokens"){:}));
%! percent = ' +([\d.]+) \+- [\d.]+ %';
%! table = rows_of (['(?m)^ +(\d+)' repmat(percent, 1, 5)]);
%! assert (table(:,1), [3; 8]);
%! % 4 symbols: guessing has 25 %, 60 answers have a standard deviation of 6 %, two tasks of 4 %
%! assert (table(2,2) > 75 && table(2,3) > 75 && table(2,6) > 75);
%! assert (table(2,5) < 65);
%! drawn (folder, "demo_copy");
