function markov_tables (result, plan)
%MARKOV_TABLES  Print what experiment_markov has found.
%
%   markov_tables (result, plan)
%   Inputs :  result, of the sweep, widths (the last Inf) x seeds x experiments;  plan, struct of settings

% SPDX-License-Identifier: BSD-3-Clause

for e = 1:numel (plan.experiments)
  print_experiment (result(:,:,e), plan.experiments{e}, plan);
end
first = result(plan.widths == plan.sampled(1),1,strcmp (plan.experiments, 'four')).langevin;
if isempty (first), return; end
fprintf ('\nU at N = %d, four paths, by Langevin dynamics of the weights (standard errors up to %.2g; %s)\n', ...
         plan.sampled(1), first.mcse, first.reason);
print_U (first.U(plan.shown.four,plan.shown.four), 'four', plan);
end

function print_experiment (r, name, plan)
theory = r(1:end-1,:);
column = @(field, of) reshape ([theory(of,:).(field)], numel (of), []);
all_widths = 1:numel (plan.widths);
[~, drawn] = ismember (plan.sampled, plan.widths);
gp = reshape ([r(end,:).gp], [], size (r, 2))';
fprintf ('\nHidden Markov chain task, %s. Tasks: %d, each of %d training and %d test sequences\n', ...
         plan.title.(name), size (r, 2), 100, plan.Ptest);
fprintf ('  width N   test accuracy   gradnorm  hessian_min  evaluations  time per solve\n');
print_rows ('  %7d   %s   %8.1e  %11.4f  %11.1f  %11.1f ms\n', plan.widths', ...
            percent_text (column ('accuracy', all_widths)'), max (column ('gradnorm', all_widths), [], 2), ...
            min (column ('hessian_min', all_widths), [], 2), mean (column ('evaluations', all_widths), 2), ...
            1000 * median (column ('seconds', all_widths), 2));
fprintf ('  width N   sampled         largest R-hat   smallest ESS   time per sample\n');
print_rows ('  %7d   %s   %10.3f   %12.0f   %13.1f s\n', plan.sampled', percent_text (column ('sampled', drawn)'), ...
            max (column ('rhat', drawn), [], 2), min (column ('ess', drawn), [], 2), ...
            median (column ('sampling', drawn), 2));
print_rows ('            %s   %s\n', percent_text (gp), plan.gp.(name)(:,1));
for N = plan.U_at.(name)
  fprintf ('  U at N = %d, seed 1: theory', N);
  at = theory(plan.widths == N,1);
  U = at.U(plan.shown.(name),plan.shown.(name));
  if ~isempty (at.Udraws)
    U = [U, at.Udraws(plan.shown.(name),plan.shown.(name))];
    fprintf (' on the left, mean of the draws on the right, standard errors up to %.2g', at.mcse);
  end
  fprintf ('\n');
  print_U (U, name, plan);
end
end

function print_U (U, name, plan)
print_rows (['    %-10s' repmat('%9.3f', 1, size (U, 2)) '\n'], plan.path_names.(name)(plan.shown.(name)), U);
end
