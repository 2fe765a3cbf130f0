function blocks = ap_output_blocks (net, U, C)
%AP_OUTPUT_BLOCKS  Outputs that have an index of their own in U: all C of them, or 1 where they share one U.
%
%   blocks = AP_OUTPUT_BLOCKS (net, U, C)
%   Inputs :  U, Pi C x Pi C of coupled outputs, Pi x Pi where they share it, with draws behind; or a cell of order
%             parameters, which has L members where outputs share U, and L + 1 where they are coupled;  C, outputs
%   What fits neither counts as coupled, and is refused where its size is checked.
%   See also ap_path_count, ap_outputs, ap_check_blocks.

% SPDX-License-Identifier: BSD-3-Clause

blocks = C;
if iscell (U) && numel (U) == net.L, blocks = 1; end
if ~iscell (U) && size (U, 1) == ap_path_count (net), blocks = 1; end
end
