% check.m: reads the files of check.py in the current folder by attnpath_source and attnpath_paths.
% The mean readout of one layer is the mean over real queries of the tokens averaged by each query, as written here.
root = fullfile (fileparts (mfilename ('fullpath')), '..', '..');
addpath (fullfile (root, 'inst'), fullfile (root, 'src'));
source = attnpath_source ('parts_*.mat');
net = attnpath_net ([4 4], 'Readout', 'mean');
[paths, y, small] = attnpath_paths (net, source, 'Heads', [1 2; 2 1; 2 4]);
assert ({size(paths.Xi), size(y), small.H, paths.brought}, {[24 60 2], [60 1], [1 2], true});
assert (all (abs (y) == 1));
k = 1;
mu = 0;
part = source (1);
while (! isempty (part))
  assert (class (part.X), 'single');
  for e = 1:size (part.X, 3)
    n = part.Lengths(e);
    mu = mu + 1;
    X = double (part.X(:,1:n,e));
    for path = [1 4; 1 2](1,:)                             % heads of the second layer
      want = X * double (part.A{1}(1:n,1:n,2,e)) * double (part.A{2}(1:n,1:n,path,e)) * ones (n, 1) / n;
      assert (paths.Xi(:,mu,1 + (path == 4)), want, 1e-12);  % both in double, of numbers below 10
    end
  end
  k = k + 1;
  part = source (k);
end
assert (mu, 60);
[~, y] = attnpath_paths (attnpath_net (4, 'Readout', 'mean'), attnpath_source ('plain_001.mat'));
assert (y, {'a'; 'bc'; 'a'});                              % labels remain words
for name = {'rms', 'layer'}                                % norms frozen: outputs are sums over paths, (T27) and (T4)
  frozen = attnpath_net ([2 3], 'Attention', 'cme', 'Readout', 'mean', 'Skip', true);   % maps need not sum to 1
  paths = attnpath_paths (frozen, attnpath_source ([name{1} '_001.mat']));
  whole = load ([name{1} '_paths.mat']);
  output = 0;
  for p = 1:12
    gain = sqrt (12) * prod ((1 ./ sqrt ([2 3])) .^ (paths.heads(p,:) > 0));
    output = output + double (whole.W(:,:,p)) * paths.Xi(:,:,p) / gain;
  end
  assert (output, double (whole.output), 1e-4);            % single precision, see TOL of check.py
end
[cost, se] = attnpath_scores ('groups.mat');
assert ({size(cost), issorted(cost(:,3)), all(se > 0)}, {[8 6], true, true});
assert (cost(1:2:end,[1 3:5]), cost(2:2:end,[1 3:5]));     % of four groups the two heads each, adjacent
printf ('%d passed, 0 failed\n', 1);
