function check_readme (file)
% CHECK_README  Run the fenced blocks of a README that are marked matlab or octave, in order, in one workspace.
%   check_readme (file)
%   Where "prints" and a plain block follow, the numbers printed must be those, to 1e-3 of the larger of 1 and the
%   number. Blocks may use what a reader is told to bring: attn1, attn2 (P x H x query x key), X (N0 x T x P), y, here
%   with 4 heads a layer where the README speaks of 12: 16 paths take milliseconds, 144 take minutes.
%   The same arrays lie in maps.mat of the current directory, as a page about them tells to save them.
%   The last line is "N passed, N failed"; an error if any failed.
warning ('off', 'Octave:shadowed-function');
text__ = fileread (file);
blocks__ = regexp (text__, '(?<=\n)```(?:matlab|octave)\n(.*?)\n```\n(?:prints\n```\n(.*?)\n```\n)?', 'tokens');
[attn1, attn2, X, y] = brought ();
brought__ = struct ('X', permute (X, [3 2 1]), 'attn1', attn1, 'attn2', attn2, 'y', y');      % P x T x N0
folder__ = tempname ();
mkdir (folder__);
cd (folder__);
save ('-v6', 'maps.mat', '-struct', 'brought__');
passed__ = 0;
failed__ = 0;
set (0, 'defaultfigurevisible', 'off');
for k__ = 1:numel (blocks__)
  code__ = strrep (blocks__{k__}{1}, '[12 12]', '[4 4]');
  want__ = [];
  if numel (blocks__{k__}) > 1
    want__ = numbers (blocks__{k__}{2});
  end
  try
    shown__ = evalc (code__);
    if isempty (want__)
      ok__ = true;
    else
      got__ = numbers (shown__);
      ok__ = numel (got__) == numel (want__) && all (abs (got__ - want__) <= 1e-3 * max (1, abs (want__)));
    end
    if ~ok__
      printf ('README block %d promises\n%s\nand prints\n%s\n', k__, blocks__{k__}{2}, shown__);
    end
  catch err__
    printf ('README block %d: %s\n%s\n', k__, err__.message, code__);
    ok__ = false;
  end
  passed__ = passed__ + ok__;
  failed__ = failed__ + ~ok__;
end
cd ('/');
delete (fullfile (folder__, 'maps.mat'));
rmdir (folder__);
printf ('%d passed, %d failed\n', passed__, failed__);
if failed__ > 0 || passed__ == 0
  exit (1);
end
end

function x = numbers (text)
% Those of the values shown, not of names such as x1
x = str2double (regexp (text, '(?<![\w.])-?\d+\.?\d*(?:e[-+]?\d+)?(?![\w.])', 'match'));
end

function [attn1, attn2, X, y] = brought ()
rand ('twister', 1);
randn ('twister', 1);
[P, H, T, N0] = deal (20, 4, 5, 8);
attn1 = rand (P, H, T, T);
attn1 = attn1 ./ sum (attn1, 4);
attn2 = rand (P, H, T, T);
attn2 = attn2 ./ sum (attn2, 4);
X = randn (N0, T, P);
y = sign (randn (P, 1));
end
