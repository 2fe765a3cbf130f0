function data = ready (Xi, y)
% a training set as functions give it to gateways, without a basis or stored kernels
data = struct ('Xi', Xi, 'basis', [], 'y', y, 'P', size (Xi, 2), 'rest', 0, 'store', [], 'rounding', 0, ...
               'shared', false, 'of', [], 'lognoise', 0, 'gradrel', 1e-4);
end
