function restore = ap_sweep_warned ()
%AP_SWEEP_WARNED  Raises an error if Ctrl-C ended a run within a cell of a sweep: its value is no result.
%   restore = AP_SWEEP_WARNED ()
%   Outputs:  restore, an onCleanup that makes such errors warnings again
%   See also attnpath_sweep.

% SPDX-License-Identifier: BSD-3-Clause

stems = {'sample', 'train', 'moments', 'prune', 'scores', 'tune', 'sweep'};           % sweep.tst looks for more
ids = strcat ('attnpath:', stems, ':interrupted');
before = cellfun (@(id) warning ('query', id), ids);
restore = onCleanup (@() arrayfun (@(one) warning (one.state, one.identifier), before));
for k = 1:numel (ids), warning ('error', ids{k}); end
end
