function worth = tuned_worth (sol, varargin)
%TUNED_WORTH  What each head is worth by the scales that the evidence gives the heads.
%
%   worth = tuned_worth (sol, Name, Value, ...)
%   Inputs :  sol, solution from path inputs;  what follows, options of attnpath_tune
%   Outputs:  struct of two scores, 1 x heads, layer by layer: large for a head that matters. scale, what the evidence
%             prefers to 1;  gain, what that is worth in nats, negative where the scale is below 1. A head without a
%             gain is alone in its layer: nothing is worth more
%   See also head_worth, attnpath_tune.

% SPDX-License-Identifier: BSD-3-Clause

saved = warning ('off', 'attnpath:tune:bound');
back = onCleanup (@() warning (saved));
[best, info] = attnpath_tune (sol.net, sol.paths, sol.y, 'Tune', 'heads', 'Scale', 'net', 'Display', false, ...
                              varargin{:});
worth.scale = [best.net.headscale{:}];
worth.gain = sign (worth.scale - 1) .* [info.gained.heads{:}];
worth.gain(isnan (worth.gain)) = Inf;
end
