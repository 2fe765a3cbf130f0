function ap_say_paths (net, N0, P, many, say)
%AP_SAY_PATHS  Prints what a solution and a tuning of so many paths will take, and refuses what takes hours.
%
%   AP_SAY_PATHS (net, N0, P, many, say)
%   Inputs :  N0, features;  P, examples, or tokens where all are read;  many, true: no time is too long;  say, true:
%             a line is printed where a tuning takes more than five minutes
%   Errors:   attnpath:paths: manyPaths where a tuning takes more than an hour even with 'Corrected', false
%
%   A solution is some 15 evaluations of 2 P^2 N0 Pi + 3 N0 P Pi^2 flops (ap_kernel.c), N0 Pi examples standing for more
%   of them, and 20 Pi^3 for the matrices of order parameters. A tuning of the temperature is 13 solutions, with the
%   Hessians of (T24), P^2 Pi^4 / 4 flops at twice the speed, unless 'Corrected' is false. More examples than N0 Pi are
%   tuned by the evidence, of those that stand for them. Seconds are at 2e10 flops, one core of 2020.
%   Foretold and taken by 300 examples, in seconds: 36 paths, 48 features 0.3 and 0.5, tuning 17 and 15; 384 features
%   1.7 and 1.7, tuning 35 and 60; 1728 paths, 48 features 185, and 15 for each of its steps.
%   See also attnpath_paths, ap_say_price.

% SPDX-License-Identifier: BSD-3-Clause

Pi = ap_path_count (net);
pairs = Pi * (Pi + 1) / 2;
rows = min (P, N0 * Pi);
solution = (15 * (2 * rows ^ 2 * min (N0, rows) * Pi + 3 * min (N0, rows) * rows * Pi ^ 2 + 20 * Pi ^ 3) ...
            + (P > rows) * P * rows ^ 2) / 2e10;
tuning = 13 * (solution + (rows ^ 2 * pairs ^ 2 + pairs ^ 3) / 4e10);
if tuning < 300, return; end
text = sprintf ('with %d paths of %d %s a solution takes about %s, a tuning of the temperature %s', Pi, P, ...
                ap_either (strcmp (net.readout, 'all'), 'tokens', 'examples'), ap_duration (solution), ...
                ap_duration (tuning));
if P > rows
  text = [text, ' by the evidence'];
else
  text = sprintf ('%s, and %s with ''Corrected'', false', text, ap_duration (13 * solution));
end
ap_refuse ('paths', 'manyPaths', 13 * solution > 3600 && ~many, ['%s. Take the heads of each layer that matter ' ...
           'most, ''Heads'', or fewer layers; ''Many'', true goes on all the same'], text);
ap_say ('paths', say, '%s', text);
end
