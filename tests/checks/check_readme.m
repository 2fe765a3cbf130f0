function check_readme (file, folder__)
% CHECK_README  Run the fenced blocks of a README that are marked matlab or octave, in order, in one workspace.
%   check_readme (file)
%   check_readme (file, folder)
%   Where "prints" and a plain block follow, the numbers printed must be those that the block promises:
%     to one unit of the last digit promised, since both are rounded by up to half a unit; other BLAS libraries change
%     these numbers by far less (the searches end at 1e-8);
%     a number below 1e-6 is what a search has left of a gradient, and its digits are those of one BLAS on one machine:
%     any number up to the next power of ten will do, which for a promised 2.3519e-09 is 1e-08, the tolerance itself.
%     Lines of progress are not looked at: the load of the machine decides whether there are any.
%   So are the numbers at the start of a comment behind an expression that shows its value: size (A)   % 24 24: why
%   A page may use files that a reader is told to bring. They lie in the current directory, as doc/export_attention.py
%   writes them: maps_, held_ and lower_001.mat with one layer, both_001.mat with two, costs.mat with one. With a
%   folder, that is the current directory, and has its own.
%   The last line is "N passed, N failed"; an error if any failed.
warning ('off', 'Octave:shadowed-function');
text__ = fileread (file);
blocks__ = regexp (text__, '(?<=\n)```(?:matlab|octave)\n(.*?)\n```\n(?:prints\n```\n(.*?)\n```\n)?', 'tokens');
own__ = nargin < 2;
if own__
  folder__ = tempname ();
  mkdir (folder__);
  cd (folder__);
  write_parts ();
else
  cd (folder__);
end
passed__ = 0;
failed__ = 0;
set (0, 'defaultfigurevisible', 'off');
for k__ = 1:numel (blocks__)
  code__ = blocks__{k__}{1};
  try
    shown__ = evalc (code__);
    if ~isempty (getenv ('VERBOSE')), printf ('%s\n', shown__); end
    ok__ = numel (blocks__{k__}) == 1 || kept (blocks__{k__}{2}, shown__);
    if ~ok__
      printf ('%s: block %d promises\n%s\nand prints\n%s\n', file, k__, blocks__{k__}{2}, shown__);
    end
    remarks__ = remarks (code__);
    for j__ = 1:size (remarks__, 1)
      shown__ = evalc (remarks__{j__,1});
      if ~kept (remarks__{j__,2}, shown__)
        printf ('%s: block %d says that %s is %s, and it is\n%s\n', file, k__, remarks__{j__,:}, shown__);
        ok__ = false;
      end
    end
  catch err__
    printf ('%s: block %d: %s\n%s\n', file, k__, err__.message, code__);
    ok__ = false;
  end
  passed__ = passed__ + ok__;
  failed__ = failed__ + ~ok__;
end
cd ('/');
if own__
  confirm_recursive_rmdir (false, 'local');
  rmdir (folder__, 's');                                   % with what the blocks have written
end
printf ('%d passed, %d failed\n', passed__, failed__);
if failed__ > 0 || passed__ == 0
  exit (1);
end
end

function list = remarks (code)
% {expression, the numbers that its comment begins with}, a row for each such line
tokens = regexp (code, '^([^%\n=]*[^%\n=;\s])[ ]+%[ ](-?\d[\d.]*(?:e[-+]?\d+)?(?:[ ]+-?\d[\d.]*(?:e[-+]?\d+)?)*)', ...
                 'tokens', 'lineanchors');
list = cell (numel (tokens), 2);
for k = 1:numel (tokens)
  list(k,:) = tokens{k};
end
end

function ok = kept (promised, shown)
[want, unit] = numbers (promised);
got = numbers (without_progress (shown));
ok = ~isempty (want) && numel (got) == numel (want);
if ~ok, return, end
left = want ~= 0 & abs (want) < 1e-6;                      % of a gradient
ok = all (abs (got(~left) - want(~left)) <= unit(~left) * (1 + 1e-6)) ...
     && all (abs (got(left)) <= 10 .^ ceil (log10 (abs (want(left)))));
end

function [x, unit] = numbers (text)
% Those of the values shown, not of names such as x1; and one unit of each one's last digit
words = regexp (text, '(?<![\w.])-?\d+\.?\d*(?:e[-+]?\d+)?(?![\w.])', 'match');
x = str2double (words);
unit = last_digits (words);
end

function write_parts ()
rand ('twister', 1);
randn ('twister', 1);
[P, H, T, N0] = deal (20, 4, 5, 8);
for l = 1:2
  A{l} = rand (T, T, H, P);
  A{l} = A{l} ./ sum (A{l}, 1);
end
X = randn (N0, T, P);
y = sign (randn (P, 1));
Lengths = T * ones (1, P);
save ('-v6', 'both_001.mat', 'X', 'A', 'y', 'Lengths');
A = A(1);
[layer, head, cost, cost_se] = deal (ones (1, 4), 1:4, [0.1 0.3 0.2 0], 0.05 * ones (1, 4));
save ('-v6', 'costs.mat', 'layer', 'head', 'cost', 'cost_se');
for name = {'maps_001.mat', 'held_001.mat', 'lower_001.mat'}, save ('-v6', name{1}, 'X', 'A', 'y', 'Lengths'); end
end
