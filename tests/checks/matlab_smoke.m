function matlab_smoke ()
%MATLAB_SMOKE  README's calls against golden numbers, in the dialect that Octave and MATLAB share.
%   cd tests/checks; matlab_smoke, after make_mex in MATLAB; `make test` runs it in Octave.
%   An error unless a solution, its predictions and head scores are those of the authors' program (tests/data), and the
%   posterior's draws, the next order and a prediction beside them come out finite and of the promised sizes.
here = fileparts (mfilename ('fullpath'));
addpath (fullfile (here, '..', 'reference'));
if isempty (which ('attnpath_solve'))                                % else the one that is installed
  addpath (fullfile (here, '..', '..', 'inst'), fullfile (here, '..', '..', 'src'));
end
[g, gold] = ref_golden ('two_layer_mean_qk');
net = attnpath_net (g.heads, 'Width', g.width, 'Variance', g.variance, 'Temperature', g.temperature, ...
                    'Readout', g.readout);
sol = attnpath_solve (net, gold.X, gold.y, 'Display', false);
[mu, s2] = attnpath_predict (sol, gold.Xt);
gp = attnpath_predict (sol, gold.Xt, 'Limit', 'gp');
scores = attnpath_scores (sol, 'By', 'order');
near (sol.converged, true, 0, 'converged');
near (sol.U, gold.order{1}, 1e-6, 'order parameters');
near (mu, gold.mu, 1e-6, 'predictor');
near (s2, gold.s2, 1e-6, 'variance');
near (gp, gold.mu_gp, 1e-9, 'predictor of the GP limit');
near (scores(:,1:3), gold.scores, 1e-6, 'head scores');
ex = attnpath_expand (sol);
near (all (isfinite (ex.U(:))), true, 0, 'next order');
post = attnpath_sample (net, gold.X, gold.y, 'Chains', 2, 'Draws', 50, 'Warmup', 50, 'Seed', 1, 'Display', false);
near (size (post.U), [size(sol.U), 50, 2], 0, 'size of the draws');
near (all (isfinite (attnpath_predict (post, gold.Xt))), true, 0, 'predictor of the draws');
fprintf ('%d passed, %d failed\n', 9, 0);
end

function near (got, want, tol, what)
got = double (got);
want = double (want);
if ~isequal (size (got), size (want)) || ~all (abs (got(:) - want(:)) <= tol * max ([1; abs(want(:))]))
  error ('attnpath:smoke:differs', '%s: %s instead of %s', what, mat2str (got, 6), mat2str (want, 6));
end
end
