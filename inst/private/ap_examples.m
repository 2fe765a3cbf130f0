function [Xi, y] = ap_examples (fname, net, X, y, lengths)
%AP_EXAMPLES  Training examples: path inputs from tokens or from a paths struct, and their labels.
%
%   [Xi, y] = AP_EXAMPLES (fname, net, X, y, lengths)
%   Inputs :  fname, stem of the calling function;  X, N0 x T x P tokens or a struct from attnpath_paths;  y, labels;
%             lengths, the option 'Lengths', which belongs to tokens
%   Outputs:  Xi, N0 x P x Pi;  y, P x 1
%   Errors:   attnpath:<fname>: those of ap_check_inputs, ap_inputs and ap_labels
%   See also ap_check_inputs, ap_inputs, ap_labels.

% SPDX-License-Identifier: BSD-3-Clause

if isstruct (X)
  Xi = ap_check_inputs (fname, 'X', X, net, net.N0, lengths);
else
  Xi = ap_inputs (fname, net, X, lengths, []);
end
y = ap_labels (fname, 'y', y, size (Xi, 2));
end
