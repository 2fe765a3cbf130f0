function p = ref_class_probability (a, b, mu, S)
% REF_CLASS_PROBABILITY  Probability that a f_c + b_c + e_c is the largest of C, for f ~ N (mu, S), e_c ~ N (0, 1/2).
%   p = ref_class_probability (a, b, mu, S)
%   mu and b 1 x C, S C x C; p 1 x C. All differences from the others must be positive: integrated one after the other,
%   given the previous ones, by the trapezoidal rule on 9 deviations. Slow beyond C = 4.
C = numel (mu);
V = a ^ 2 * S + eye (C) / 2;
p = zeros (1, C);
for c = 1:C
  B = -eye (C);
  B(:,c) += 1;
  B(c,:) = [];
  p(c) = positive (B * (a * mu + b)', B * V * B');
end
end

function p = positive (m, W)
% P (all of h > 0), h ~ N (m, W)
s = sqrt (W(1,1));
if numel (m) == 1
  p = erfc (-m / s / sqrt (2)) / 2;
  return
end
h = linspace (max (0, m(1) - 9 * s), max (m(1), 0) + 9 * s, 1201);
w = exp (-((h - m(1)) / s) .^ 2 / 2) / (s * sqrt (2 * pi)) * (h(2) - h(1));
w([1 end]) /= 2;
gain = W(2:end,1) / W(1,1);
rest = W(2:end,2:end) - gain * W(1,2:end);
p = 0;
if numel (m) == 2                                          % the last one in closed form, all points at once
  p = sum (w .* erfc (-(m(2) + gain * (h - m(1))) / sqrt (2 * rest)) / 2);
  return
end
for k = 1:numel (h)
  p += w(k) * positive (m(2:end) + gain * (h(k) - m(1)), rest);
end
end
