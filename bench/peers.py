# peers.py: one evaluation of evidence and gradient by scikit-learn's dense Gaussian process, on the kernel K(U)
#   python peers.py problem.mat: called by bench_peers.m. Prints the log marginal likelihood, the norm of its derivative
# by the entries of U on and above the diagonal, and the median processor seconds of an evaluation of both, made from the
# stored derivatives of the kernel, dK/dU_ab, as scikit-learn's kernels are asked for them. One thread.
# SPDX-License-Identifier: BSD-3-Clause
import sys
import time
import warnings

import numpy as np
import scipy.io

try:
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import Hyperparameter, Kernel
except ImportError:
    print("scikit-learn is not installed")
    sys.exit(0)


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


warnings.simplefilter("ignore")
p = scipy.io.loadmat(sys.argv[1])
Xi, U, y, T, scale = p["Xi"], p["U"], p["y"].ravel(), float(p["T"].item()), float(p["scale"].item())
P, paths = Xi.shape[1], Xi.shape[2]
pairs = [(a, b) for b in range(paths) for a in range(b + 1)]
D = np.empty((P, P, len(pairs)))
for k, (a, b) in enumerate(pairs):
    C = scale * Xi[:, :, a].T @ Xi[:, :, b]
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
