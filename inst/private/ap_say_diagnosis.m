function ap_say_diagnosis (d, moved)
%AP_SAY_DIAGNOSIS  The summary of a diagnosis: the worst of each kind of quantity, and the chains of a posterior.
%
%   AP_SAY_DIAGNOSIS (d, moved)
%   Inputs :  d, from attnpath_diagnose, of an array or of a posterior;  moved, 1 x chains fraction of trajectories
%             accepted, of a posterior; [] of an array
%   See also attnpath_diagnose, attnpath_sample.

% SPDX-License-Identifier: BSD-3-Clause

if isempty (moved)
  print_groups ({'draws'}, {d});
  return
end
groups = {d.U, d.f, d.logpost};
if any (moved > 0) && all (d.U.sd(:) == 0), groups{1}.rhat = []; end        % U of the GP limit is one number
print_groups ({'U', 'f', 'log posterior'}, groups);
fprintf ('%-16s%11s%11s%11s%11s\n', 'chain', 'acceptance', 'moved', 'diverged', 'E-BFMI');
for k = 1:numel (d.stuck)
  fprintf ('%-16d%11.3g%11.3g%11d%11.3g\n', k, d.acceptance(k), moved(k), d.divergences(k), d.ebfmi(k));
end
if d.converged, fprintf ('converged: '); end
fprintf ('%s\n', d.reason);
end

function print_groups (names, groups)
fprintf ('%-16s%11s%11s%11s%11s\n', 'worst of', 'R-hat', 'bulk ESS', 'tail ESS', 'MCSE/sd');
for k = 1:numel (groups)
  g = groups{k};
  count = numel (g.rhat);
  if count == 0, continue; end
  name = names{k};
  if count > 1, name = [name ' (' strjoin(arrayfun (@num2str, size (g.rhat), 'UniformOutput', false), ' x ') ')']; end
  fprintf ('%-16s%11.4g%11.0f%11.0f%11.2g\n', name, max (g.rhat(:)), min (g.ess_bulk(:)), min (g.ess_tail(:)), ...
           max (g.mcse(:) ./ g.sd(:)));
end
end
