function out = moments_part (c)
%MOMENTS_PART  One cell of the sweep of moments.sbatch: the moments of one file of a data set.
%
%   out = moments_part (c)
%   Inputs :  c, struct of part, the number of the file: data/part_001.mat, .., with variables X and y as
%             attnpath_source reads them; data/net.mat has the network, net
%   Outputs:  struct of m, from attnpath_moments: some megabytes, however many examples the file has

% SPDX-License-Identifier: BSD-3-Clause

content = load (fullfile ('data', 'net.mat'), 'net');
source = attnpath_source ({fullfile('data', sprintf ('part_%03d.mat', c.part))});
out.m = attnpath_moments (content.net, source, 'Display', false);
end
