function [X, y] = ref_oneshot (images, choice, embedding, side, patch, channels)
% REF_ONESHOT  Sequences of the one-shot image task, pixel by pixel: theory.md section 10.
%   [X, y] = ref_oneshot (images, choice, embedding, side, patch, channels)
%   images n x n x drawings x classes; choice with class, drawing, label, one column per sequence, the query last.
P = size (choice.class, 2);
N0 = channels * patch ^ 2;
grid = side / patch;
T = rows (choice.class) * grid ^ 2;
pos = zeros (N0, T);
for t = 0:T-1
  for i = 0:2:N0-1
    pos(i+1,t+1) = sin (t / 10000 ^ (i / N0));
    pos(i+2,t+1) = cos (t / 10000 ^ (i / N0));
  end
end
pos = pos(1:N0,:);                                         % N0 may be odd
pos = (pos - mean (pos(:))) / std (pos(:));

X = zeros (N0, T, P);
y = zeros (P, 1);
for mu = 1:P
  t = 0;
  for k = 1:rows (choice.class)
    image = resize (double (images(:,:,choice.drawing(k,mu),choice.class(k,mu))), side);
    image = (image - 0.922) / 0.084;
    switch choice.label(k,mu)
      case 0,   e = embedding(:,end);                      % the query
      case -1,  e = embedding(:,2);                        % two ways: labels +1, -1; more: 1 to C
      otherwise, e = embedding(:,choice.label(k,mu));
    end
    for down = 1:grid
      for right = 1:grid
        t = t + 1;
        i = 0;
        for r = 1:patch
          for c = 1:patch
            for channel = 1:channels
              i = i + 1;
              X(i,t,mu) = image((down - 1) * patch + r, (right - 1) * patch + c);
            end
          end
        end
        x = X(:,t,mu);
        x = (x - mean (x)) / sqrt (mean ((x - mean (x)) .^ 2) + 1e-5);
        X(:,t,mu) = x + e + pos(:,t);
      end
    end
  end
  for k = 1:rows (choice.class) - 1                        % the label of the shown image of the query's class
    if choice.class(k,mu) == choice.class(end,mu)
      y(mu) = choice.label(k,mu);
    end
  end
end
end

function small = resize (image, side)
% every new pixel is the average of the old ones with a triangular weight around its centre
n = rows (image);
scale = n / side;
small = zeros (side);
for i = 1:side
  for j = 1:side
    up = max (0, 1 - abs ((1:n) - 0.5 - (i - 0.5) * scale) / scale);
    across = max (0, 1 - abs ((1:n) - 0.5 - (j - 0.5) * scale) / scale);
    r = find (up);
    c = find (across);
    weight = up(r)' * across(c);
    small(i,j) = sum ((weight .* image(r,c))(:)) / sum (weight(:));
  end
end
end
