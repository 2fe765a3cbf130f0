function s = ref_head_scales (net)
% REF_HEAD_SCALES  Prior scales of heads relative to their layer (T34), {1 x H_1, ..}; ones if the net has none.
s = arrayfun (@(H) ones (1, H), net.H, 'UniformOutput', false);
if isfield (net, 'headscale'), s = net.headscale; end
end
