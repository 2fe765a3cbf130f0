function price = ap_say_price (fname, net, order, Xi_size, C, times, display)
%AP_SAY_PRICE  Prints the price of a Hessian before long work, for (T24) or (T25), and refuses what memory cannot hold.
%
%   price = AP_SAY_PRICE (fname, net, order, [N0, P, Pi], C, times, display)
%   Inputs :  fname, 'loo', 'scores', 'tune' or 'evidence';  order, cell of order parameters;  P, examples that are
%             used;  C, outputs;  times, how often it is done, about, 0 for the price alone;  display, whether it may be
%             printed, a level of ap_check_value
%   Outputs:  struct of seconds and bytes of one time;  n, the unknowns;  fits, whether memory holds them
%   It is printed from ten seconds on. Seconds are at 1e10 flops, one core of 2020. For coupled outputs the Hessian is
%   nearly all of it (ap_hessian.c): with M = PC rows and q pairs of order parameters M^2 q^2 / 2, of which the zeros
%   above the diagonal blocks leave 8/45. 6.2 and 2.5 s were foretold, and 6.4 and 2.5 s taken. The six products and
%   factors of M x M run at six times that rate (P = 2000, 20 features, 4 and 16 paths: 1.7 and 5.8 s foretold, 1.1 and
%   3.7 s of one processor taken).
%   Errors:   attnpath:<fname>: tooLarge
%   See also attnpath_loo, attnpath_scores, attnpath_tune.

% SPDX-License-Identifier: BSD-3-Clause

Pi = Xi_size(end) * (numel (Xi_size) > 2) + (numel (Xi_size) < 3);
[~, rows] = ap_unknowns (net, order);
blocks = rows(1) / Pi;
price = of (rows, Xi_size(1), Xi_size(2), Pi, blocks);
most = Inf;
if price.bytes > 2^26, most = ap_free_memory (); end         % which takes 0.2 ms
price.fits = price.bytes <= most;
if times == 0, return; end
gib = 2 ^ 30;
others = '';
left_out = ~strcmp (fname, 'evidence');
if left_out && blocks > 1
  [~, rows] = ap_unknowns (net, order(1:end-1));
  small = of (rows / blocks, Xi_size(1), Xi_size(2), Pi, 1);
  others = sprintf (['. Outputs that share U, ''Outputs'', ''shared'' where the solution is made, take %s and %.2g ' ...
                     'GiB'], ap_duration (small.seconds), small.bytes / gib);
end
without = struct ('loo', 'attnpath_loo with ''Corrected'', false', 'scores', '''By'', ''ablation''', ...
                  'tune', '''Corrected'', false, where ''By'' is not ''evidence'',', 'evidence', '''Probes'', 30');
if ~price.fits
  ap_fail (fname, 'tooLarge', ['the Hessian of %d unknowns takes %.3g GiB with its workspace, and %.3g are ' ...
           'free%s. %s needs no Hessian'], price.n, price.bytes / gib, most / gib, others, without.(fname));
elseif display && display < 3 && price.seconds * times > 10
  often = ap_either (times > 1, sprintf (' each time, %d times or so', times), '');
  if left_out && C == 1 && ap_is_wide (net, order) && Xi_size(2) > Xi_size(1) * Pi
    others = ['. With more examples than features times paths, attnpath_moments and the evidence cost a fraction ' ...
              'of it'];
  end
  ap_say (fname, true, 'the Hessian of %d unknowns takes about %s%s, and %.2g GiB%s', price.n, ...
          ap_duration (price.seconds), often, price.bytes / gib, others);
end
end

function price = of (rows, N0, P, Pi, C)
q = rows(1) * (rows(1) + 1) / 2;
n = sum (rows .* (rows + 1)) / 2;
M = P * C;
share = ap_either (C > 1, 8 / 45, 1) / 2;
flops = share * M ^ 2 * q ^ 2 + n ^ 3 / 3 + 2 * P * n ^ 2 + 4 * M ^ 2 * N0 * Pi + 2 * M ^ 3;
price = struct ('seconds', flops / 1e10, 'n', n, ...
                'bytes', 8 * (n ^ 2 + (1 + (C > 1)) * q ^ 2 + max (M, 256) * q + N0 * M * Pi * C + 3 * M ^ 2));
end
