function unit = last_digits (words)
% LAST_DIGITS  One unit of the last digit of numbers as they are written, 1e-12 for '9.9935e-08'.
%   unit = last_digits (words)      words: cell of texts, such as check_numbers and check_readme find
unit = zeros (size (words));
for k = 1:numel (words)
  mantissa = regexp (words{k}, '^[^e]*', 'match', 'once');
  exponent = [regexp(words{k}, '(?<=e).*', 'match'), {'0'}];
  digits = numel (regexp (mantissa, '(?<=\.)\d*', 'match', 'once'));
  unit(k) = 10 ^ (str2double (exponent{1}) - digits);
end
end
