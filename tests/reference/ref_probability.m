function p = ref_probability (mu, s2, y, at_mu, at_s2)
% REF_PROBABILITY  Probabilities of two classes, averaged over slope, bias and share of the variance: sums over grids.
%   mu, s2, y: outputs for new examples, and their labels; at_mu, at_s2: outputs whose probabilities are computed
%   The exact posterior, which attnpath_probability approximates by a Gaussian at each share w.
u = sqrt (mean (mu .^ 2));
b = -3:0.1:3;
Z = 0;
p = zeros (size (at_mu));
for w = 0:0.25:0.75
  for alpha = 0.05:0.1:16
    z = (alpha * mu / u + b) ./ sqrt (1 - w + w * s2 / mean (s2));
    weight = prod (erfc (-y .* z / sqrt (2)) / 2, 1) .* exp (-alpha ^ 2 / 50 - b .^ 2 / 2);
    Z = Z + sum (weight);
    z = (alpha * at_mu / u + b) ./ sqrt (1 - w + w * at_s2 / mean (s2));
    p = p + erfc (-z / sqrt (2)) / 2 * weight';
  end
end
p = p / Z;
end
