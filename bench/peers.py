# peers.py: times of other programs, for bench_peers.m
#   python peers.py evidence problem.mat   one evaluation of evidence and gradient by scikit-learn's dense Gaussian
#       process on the kernel K(U). Prints the log marginal likelihood, the norm of its derivative by the entries of U
#       on and above the diagonal, and the median processor seconds of an evaluation of both from the stored
#       derivatives of the kernel, dK/dU_ab, which scikit-learn requires from a kernel
#   python peers.py adam problem.mat       the minimum of the action by the published procedure, in PyTorch:
#       double precision, the kernel from path inputs, derivatives by backpropagation, Adam at a rate of 0.1 on the
#       entries of all U_l, u_a eliminated, from the GP point, until the largest entry of the gradient of S / N is
#       below 1e-5, at most 50 000 steps or `seconds` of the processor. The published schedule, which lowers the rate
#       while the gradient stagnates, is omitted. Prints evaluations with gradient, processor seconds, and those of
#       one step, the action, the largest entry, |U_1|
#   python peers.py step problem.mat       a step of gradient descent of the network of attnpath_train, in the usual
#       PyTorch implementation and single precision: queries, keys and values of every token, Adam with weight decay.
#       Prints the norm of the outputs of the given weights, and the median processor seconds of a step
# One thread. All variances are 1.
# SPDX-License-Identifier: BSD-3-Clause
import sys
import time
import warnings

import numpy as np
import scipy.io


def evidence(p):
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import Hyperparameter, Kernel

    class Paths(Kernel):
        """K(U) = sum of u_p D_p over the pairs of paths p; theta is u."""

        def __init__(self, u, D):
            self.u = u
            self.D = D

        @property
        def hyperparameter_u(self):
            return Hyperparameter("u", "numeric", "fixed", len(self.u))

        @property
        def theta(self):
            return np.asarray(self.u)

        @theta.setter
        def theta(self, value):
            self.u = np.asarray(value)

        @property
        def bounds(self):
            return np.tile([-np.inf, np.inf], (len(self.u), 1))

        def clone_with_theta(self, theta):
            return Paths(np.array(theta), self.D)

        def __call__(self, X, Y=None, eval_gradient=False):
            K = self.D @ self.u
            return (K, self.D) if eval_gradient else K

        def diag(self, X):
            return np.einsum("iip,p->i", self.D, self.u)

        def is_stationary(self):
            return False

    Xi, U, y, T = p["Xi"], p["U"], p["y"].ravel(), p["T"].item()
    N0, P, paths = Xi.shape
    pairs = [(a, b) for b in range(paths) for a in range(b + 1)]
    D = np.empty((P, P, len(pairs)))
    for k, (a, b) in enumerate(pairs):
        C = Xi[:, :, a].T @ Xi[:, :, b] / (N0 * paths)
        D[:, :, k] = C if a == b else C + C.T
    u = np.array([U[a, b] for a, b in pairs])
    gp = GaussianProcessRegressor(Paths(u, D), alpha=T, optimizer=None, copy_X_train=False)
    gp.X_train_, gp.y_train_, gp.kernel_ = np.arange(P)[:, None], y, Paths(u, D)
    seconds = []
    for turn in range(3):
        start = time.process_time()
        value, slope = gp.log_marginal_likelihood(u, eval_gradient=True, clone_kernel=False)
        seconds.append(time.process_time() - start)
    print("%.15g %.12g %.4g" % (value, np.linalg.norm(slope), np.median(seconds)))


def adam(p):
    import torch
    torch.set_num_threads(1)
    N0, P, paths = p["Xi"].shape
    H, N, T = p["H"].ravel().astype(int), p["N"].item(), p["T"].item()
    features = torch.tensor(np.ascontiguousarray(p["Xi"].transpose(1, 0, 2)) / np.sqrt(N0 * paths))
    y = torch.tensor(p["y"].ravel())
    sizes = np.cumprod(H[::-1])[::-1]               # of U_1 .. U_L

    def action(order):                              # (T7), (T8) over N, all widths being N
        order = [(U + U.T) / 2 for U in order]
        K = torch.einsum("mia,nia->mn", features, torch.einsum("nib,ba->nia", features, order[0]))
        A = K + T * torch.eye(P, dtype=K.dtype)
        S = (torch.logdet(A) + y @ torch.linalg.solve(A, y)) / N
        above, b = torch.trace(order[-1]), H[-1] - 1.0
        above = ((torch.sqrt(b**2 + 4 * above) - b) / 2).reshape(1, 1)
        S = S + above.sum() - torch.logdet(above)
        for h, U in zip(H[::-1], order[::-1]):
            traced = torch.einsum("hahb->ab", U.reshape(h, len(above), h, len(above)))
            S = S + torch.trace(torch.linalg.solve(above, traced)) - torch.logdet(U) + h * torch.logdet(above)
            above = U
        return S

    def search(most, seconds):
        start = time.process_time()
        order = [torch.nn.Parameter(torch.eye(n, dtype=torch.float64)) for n in sizes]
        optimiser = torch.optim.Adam(order, lr=0.1)
        for evaluations in range(1, most + 2):
            optimiser.zero_grad()
            S = action(order)
            S.backward()
            largest = max(U.grad.abs().max().item() for U in order)
            spent = time.process_time() - start
            if largest < 1e-5 or evaluations > most or spent > seconds:
                return evaluations, spent, S.item() * N, largest, ((order[0] + order[0].T) / 2).norm().item()
            optimiser.step()

    search(3, np.inf)
    evaluations, seconds, S, largest, U = search(50000, p["seconds"].item())
    print("%d %.6g %.6g %.15g %.3g %.12g" % (evaluations, seconds, seconds / evaluations, S, largest, U))


def step(p):
    import torch
    torch.set_num_threads(1)

    def weights(array):
        return torch.nn.Parameter(torch.tensor(np.ascontiguousarray(array), dtype=torch.float32))

    x = torch.tensor(np.ascontiguousarray(p["X"].transpose(2, 1, 0)))
    y = torch.tensor(p["y"].ravel(), dtype=torch.float32)
    P, tokens, N0 = x.shape
    # each weight in the layout of its products, heads below one another
    keys, heads = p["Q"].ravel()[0].shape[0], p["Q"].ravel()[0].shape[2]
    Q, K = ([weights(W.transpose(2, 0, 1).reshape(-1, N0)) for W in p[name].ravel()] for name in "QK")
    V = [weights(W.transpose(2, 0, 1).reshape(-1, W.shape[1]) / np.sqrt(W.shape[1])) for W in p["V"].ravel()]
    V0, a = weights(p["V0"] / np.sqrt(N0)), weights(p["a"].ravel() / np.sqrt(p["a"].size))

    def by_head(z):
        return z.reshape(P, tokens, heads, -1).transpose(1, 2)

    def outputs():
        z = x @ V0.T
        for q, k, v in zip(Q, K, V):
            scores = by_head(x @ q.T) @ by_head(x @ k.T).transpose(2, 3) / np.sqrt(keys)
            z = (torch.softmax(scores, 3) @ by_head(z @ v.T)).sum(1) / np.sqrt(heads)
        return z.mean(1) @ a

    with torch.no_grad():
        f = outputs().double().norm().item()
    optimiser = torch.optim.Adam([*Q, *K, *V, V0, a], lr=3e-4, weight_decay=5e-5)
    seconds = []
    for turn in range(6):
        start = time.process_time()
        optimiser.zero_grad()
        torch.nn.functional.mse_loss(outputs(), y).backward()
        optimiser.step()
        seconds.append(time.process_time() - start)
    print("%.9g %.4g" % (f, np.median(seconds[1:])))


warnings.simplefilter("ignore")
programs = {"evidence": evidence, "adam": adam, "step": step}
try:
    programs[sys.argv[1]](scipy.io.loadmat(sys.argv[2]))
except ImportError as missing:
    print(missing)
    sys.exit(1)
