function s = ref_head_scales (net)
% REF_HEAD_SCALES  Prior scales of heads over their layer's (T34), {1 x H_1, ..}; a net without the field has ones.
s = arrayfun (@(H) ones (1, H), net.H, 'UniformOutput', false);
if isfield (net, 'headscale'), s = net.headscale; end
end
