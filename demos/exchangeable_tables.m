function exchangeable_tables (a, d, e, plan)
%EXCHANGEABLE_TABLES  Print what experiment_exchangeable has found.
%
%   exchangeable_tables (a, d, e, plan)
%   Inputs :  a, d, e, from exchangeable_means;  plan, struct of settings

% SPDX-License-Identifier: BSD-3-Clause

print_lengths (a, plan);
print_networks (d, plan);
print_masked (e, plan);
fprintf ('\nMeasured here: all errors, slopes and condition numbers. In closed form: the posterior of z, the limit\n');
fprintf ('of softmax in (a), the bound in (e). Cited from arXiv:2212.14852, whose constants are not known\n');
fprintf ('here: that errors fall like n^(-1/2) where the model is right, that the error of trained attention does\n');
fprintf ('not grow with the length, and that a condition number decides what masked training is worth downstream.\n');
end

function print_lengths (a, plan)
fprintf ('\nExchangeable tokens: keys uniform on the sphere in %d dimensions, noise %g, %d seeds\n', ...
         plan.dimension, plan.noise, plan.seeds);
fprintf ('Values: z''k (linear), or z''phi(k) with %d random cosines (all but the first column)\n', plan.features);
fprintf ('Right kernels: ridge noise^2, which makes the posterior mean. Exponential kernel: bandwidth %g, of the\n', ...
         plan.gamma);
fprintf ('largest evidence of %s on pilot sequences, ridge noise^2 exp (1/%g) = %.3f.\n', mat2str (plan.grid), ...
         plan.gamma, plan.ridge);
fprintf ('Softmax: bandwidth %g at every length, so that its bias stays\n', plan.softmax_bandwidth);
fprintf ('\n(a) rms error of attention, over queries and seeds\n');
heading = {'right,', 'right,', 'exponen-', 'wrong', 'softmax', 'softmax'
           'linear', 'cosine', 'tial', '(linear)', '- truth', '- limit'};
six = repmat ('%10s', 1, 6);
fprintf (['  %7s' six '\n'], '', heading{1,:});
fprintf (['  %7s' six '\n'], 'n', heading{2,:});
errors = arrayfun (@(x) sprintf ('%10.4f', x), a.err, 'UniformOutput', false);
print_rows (['  %7d' six '\n'], plan.lengths', strrep (errors, 'NaN', '  -'));
fprintf ('  slope  %s   fitted from n = %d\n', sprintf ('%10.3f', a.slope(:,1)), plan.fitted);
fprintf ('    +-   %s   95 %% confidence\n', sprintf ('%10.3f', a.slope(:,2)));
fprintf (['  rate   ' six '   of theory; in brackets: up to powers of log n\n'], ...
         '-1/2', '-1/2', '(-1/2)', 'none', 'none', '-1/2');
fprintf ('  none: what remains is bias, of a kernel without the function, or of a bandwidth that stays\n');
fprintf ('  right kernels: computed as the posterior mean at the query; attention differs from it by up to %.0e\n', ...
         max (a.same));
fprintf ('\n(b) rms error of the posterior mean of z, per component; what the posterior''s own variance says\n');
fprintf ('  %7s%18s%24s\n', 'n', a.latents{:});
print_rows ('  %7d%10.4f%10.4f%14.4f%10.4f\n', plan.lengths', a.err_z(:,1), a.known_z(:,1), a.err_z(:,2), ...
            a.known_z(:,2));
fprintf ('  slope  %10.3f %24.3f   fitted from n = %d\n', a.slope_z(:,1), plan.fitted);
fprintf ('    +-   %10.3f %24.3f   95 %% confidence\n', a.slope_z(:,2));
fprintf ('  rate   %10s %24s\n', '-1/2', '-1/2');
fprintf ('\n(c) largest change of an output when tokens are shuffled: %.1e softmax, %.1e cme (eps is %.1e)\n', ...
         max (a.moved, [], 1), eps);
end

function print_networks (d, plan)
fprintf (['\n(d) rms error of networks of width %d trained on %d sequences of %d tokens, at other lengths, ' ...
          '%d seeds\n'], plan.net_width, plan.net_P(1), plan.net_train, plan.net_seeds);
fprintf ('  softmax heads of bandwidths %s; a cme head with the exponential kernel of (a)\n', ...
         mat2str (plan.net_bandwidths));
fprintf ('  %7s %18s %18s %18s\n', 'n', 'softmax heads', 'a cme head', 'posterior mean');
print_rows (['  %7d' repmat(' %9.4f +- %6.4f', 1, 3) '\n'], plan.net_test', d.mean(:,1), d.error(:,1), ...
            d.mean(:,2), d.error(:,2), d.mean(:,3), d.error(:,3));
end

function print_masked (e, plan)
fprintf (['\n(e) cme with a linear kernel, ridge tuned on masked tokens (n = %d, %d dimensions), then frozen; ' ...
          '%d seeds\n'], plan.masked_tokens, plan.masked_dimension, plan.seeds);
fprintf ('  condition of        of K K''   of K K'' +    tuned    rms error                          wrong signs\n');
fprintf ('  the covariance    (median)   ridge I    ridge     masked   elsewhere   bound on it     elsewhere\n');
print_rows ('  %14g%12.1f%10.1f%9.4f%11.4f%12.4f%14.4f%14.1f %%\n', plan.conditions', e.number, e.ridge, e.err, ...
            e.bound, 100 * e.wrong_signs);
fprintf ('  errors against the conditional mean, that of the masked token too (its noise is not in them)\n');
fprintf ('  bound: masked error times (d smallest eigenvalue of the keys'' covariance)^(-1/2)\n');
end
