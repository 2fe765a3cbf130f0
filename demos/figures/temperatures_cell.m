function out = temperatures_cell (c, plan)
%TEMPERATURES_CELL  Test accuracy and log evidence of the four-path Markov task at a width and a temperature.
%
%   out = temperatures_cell (c, plan)
%   Inputs :  c, struct of width (Inf: the GP limit), temperature and seed;  plan, struct of Ptest
%   Outputs:  struct of accuracy (percent), evidence (NaN in the GP limit), gradnorm

% SPDX-License-Identifier: BSD-3-Clause

d = markov_data ('Ptest', plan.Ptest, 'Seed', c.seed);
net = d.net;
net.temperature = c.temperature;
out = struct ('accuracy', NaN, 'evidence', NaN, 'gradnorm', NaN);
if c.width == Inf
  mu = attnpath_predict (struct ('net', net, 'paths', d.train, 'y', d.ytrain), d.test, 'Limit', 'gp');
else
  net.width(:) = c.width;
  sol = attnpath_solve (net, d.train, d.ytrain);
  mu = attnpath_predict (sol, d.test);
  out.evidence = sol.evidence;
  out.gradnorm = sol.gradnorm;
end
out.accuracy = percent_right (mu, d.ytest);
end
