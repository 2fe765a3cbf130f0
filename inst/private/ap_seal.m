function [seal, place] = ap_seal (bytes)
%AP_SEAL  A text in the header of a MAT file with a checksum of all its other bytes.
%   [seal, place] = AP_SEAL (bytes)
%   Inputs :  bytes, 1 x n uint8, all of the file
%   Outputs:  seal, 1 x 116 char, with the SHA-256 of the bytes behind it; '' where they are too few for a MAT file;
%             place, 1:116, where it stands. MAT files keep this place for words, which load does not read
%   See also ap_save, ap_load.

% SPDX-License-Identifier: BSD-3-Clause

place = 1:116;
seal = '';
if numel (bytes) < 128, return; end
seal = sprintf ('%-116s', ['MATLAB 5.0 MAT-file of attnpath, SHA-256 ' ap_sha256(bytes(117:end))]);
end
