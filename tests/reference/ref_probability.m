function p = ref_probability (a, b, mu, s2)
% REF_PROBABILITY  Mean of Phi (a f + b) over f ~ N (mu, s2), one at a time, by the trapezoidal rule on 12 deviations.
p = zeros (size (mu));
for k = 1:numel (mu)
  f = mu(k) + sqrt (s2(k)) * (-12:0.01:12);
  w = exp (-(-12:0.01:12) .^ 2 / 2);
  p(k) = sum (w .* erfc (-(a * f + b) / sqrt (2)) / 2) / sum (w);
end
end
