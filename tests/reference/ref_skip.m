function s = ref_skip (net)
% REF_SKIP  Gains of the skip connections (T26), 1 x L, 0 for none; zeros if the net has no such field.
s = zeros (1, numel (net.H));
if isfield (net, 'skip'), s = net.skip; end
end
