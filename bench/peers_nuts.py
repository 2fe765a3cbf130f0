# peers_nuts.py: draws from the posterior by NumPyro's No-U-Turn sampler, for bench_peers_nuts.m
#   python peers_nuts.py problem.mat draws.mat MODEL
# All variances are 1. Models:
#   weights    every weight is a parameter (T2), and V_0 with them; the data enter by path inputs (T4)
#   out        V_0 integrated out (T12): the weights above V_0 alone
#   bartlett   the order parameters (T11) by Bartlett factors (T14), whose entries are independent a priori
# MODEL:dense uses a dense mass matrix instead of a diagonal one; all other settings are NumPyro's defaults. Chains run
# one after the other, on one processor. problem.mat: path inputs Xi and probes (N0 x P x paths), labels y, heads H,
# width N, temperature T; chains, warmup, draws (of a chain, at most), seconds (of the processor, after which no further
# block of draws begins) and seed. draws.mat: U [paths x paths x draws x chains], f [probes x draws x chains], logpost,
# steps and diverged [draws x chains]; compilation, warmup and sampling, [processor seconds, wall seconds]. Draws come
# in blocks of 25: warmup and draws are rounded up to whole blocks.
# SPDX-License-Identifier: BSD-3-Clause
import os
import sys
import time

if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
try:
    import jax
    import jax.numpy as jnp
    import numpy as np
    import numpyro
    import numpyro.distributions as dist
    import scipy.io
    from numpyro.infer import NUTS
except ImportError as missing:
    print(missing)
    sys.exit(1)
numpyro.enable_x64()
jax.config.update("jax_platforms", "cpu")

problem = scipy.io.loadmat(sys.argv[1])
Xi, probes, y = problem["Xi"], problem["probes"], problem["y"].ravel()
H = problem["H"].ravel().astype(int)
N, T = int(problem["N"].item()), float(problem["T"].item())
chains, warmup, draws, seed = (int(problem[name].item()) for name in ("chains", "warmup", "draws", "seed"))
N0, P, paths = Xi.shape
scale = 1 / (N0 * paths)

# K(U) is a sum over pairs of paths a <= b of U_ab times one matrix (T6)
rows, columns = np.triu_indices(paths)


def pairs(left, right):
    C = scale * np.einsum("ima,inb->abmn", left, right, optimize=True)
    both = C + C.transpose(1, 0, 2, 3)
    return np.stack([C[a, a] if a == b else both[a, b] for a, b in zip(rows, columns)])


D = pairs(Xi, Xi)
D_probes = pairs(probes, Xi)
d_probes = np.diagonal(pairs(probes, probes), axis1=1, axis2=2)
features = np.sqrt(scale) * Xi.transpose(1, 2, 0).reshape(P, -1)
features_probes = np.sqrt(scale) * probes.transpose(1, 2, 0).reshape(probes.shape[1], -1)


def noisy(U):
    return jnp.tensordot(U[rows, columns], D, 1) + T * jnp.eye(P)


def labels_given(U):
    numpyro.deterministic("U", U)
    numpyro.sample("y", dist.MultivariateNormal(0.0, covariance_matrix=noisy(U)), obs=y)


def above():  # u^(1), N x paths
    u = numpyro.sample("a", dist.Normal(0, 1).expand([N]))[:, None]
    for l in reversed(range(len(H))):
        V = numpyro.sample(f"V{l + 1}", dist.Normal(0, 1).expand([H[l], N, N]))
        u = jnp.einsum("hji,jp->ihp", V, u).reshape(N, -1) / np.sqrt(N)
    return u


def weights():
    u = above()
    V0 = numpyro.sample("V0", dist.Normal(0, 1).expand([N, N0]))
    w = (u.T @ V0).ravel() / np.sqrt(N)
    numpyro.deterministic("U", u.T @ u / N)
    numpyro.deterministic("f", features_probes @ w)
    numpyro.sample("y", dist.Normal(features @ w, np.sqrt(T)), obs=y)


def out():
    u = above()
    labels_given(u.T @ u / N)


def bartlett():
    R = jnp.sqrt(numpyro.sample("ua", dist.Chi2(N)) / N)[None, None]
    for l in reversed(range(len(H))):
        n = H[l] * R.shape[0]  # at most N
        chi2 = numpyro.sample(f"chi{l + 1}", dist.Chi2(N - jnp.arange(n)))
        below = numpyro.sample(f"below{l + 1}", dist.Normal(0, 1).expand([n * (n - 1) // 2]))
        B = jnp.diag(jnp.sqrt(chi2)).at[np.tril_indices(n, -1)].set(below)
        R = jnp.kron(np.eye(H[l]), R) @ B / np.sqrt(N)
    labels_given(R @ R.T)


@jax.jit
def output(U, key):  # a draw of f at each probe, given U (T10)
    L = jnp.linalg.cholesky(noisy(U))
    u = U[rows, columns]
    half = jax.scipy.linalg.solve_triangular(L, jnp.tensordot(u, D_probes, 1).T, lower=True)
    mean = half.T @ jax.scipy.linalg.solve_triangular(L, y, lower=True)
    return mean + jnp.sqrt(u @ d_probes - jnp.sum(half**2, 0)) * jax.random.normal(key, mean.shape)


def seconds():
    return np.array([time.process_time(), time.perf_counter()])


name, _, mass = sys.argv[3].partition(":")
model = {"weights": weights, "out": out, "bartlett": bartlett}[name]
nuts = NUTS(model, dense_mass=mass == "dense")
block = 25
warmup, draws = (block * -(-count // block) for count in (warmup, draws))


# numpyro.infer.MCMC compiles its loop in every run of every chain. This loop over the same kernel is compiled once;
# the kernel adapts while its own count of draws is below warmup.
@jax.jit
def some(state, key):
    def move(state, key):
        state = nuts.sample(state, (), {})
        at = nuts.postprocess_fn((), {})(state.z)
        f = at["f"] if name == "weights" else output(at["U"], key)
        return state, (at["U"], f, -state.potential_energy, state.num_steps, state.diverging)

    return jax.lax.scan(move, state, jax.random.split(key, block))


keys = jax.random.split(jax.random.PRNGKey(seed), 2 * chains).reshape(chains, 2, -1)
start = seconds()
states = [nuts.init(key[0], warmup, None, (), {}) for key in keys]
keys = list(keys[:, 1])
parts = []
jax.block_until_ready(some(states[0], keys[0]))
compiled = seconds()
for done in range(0, warmup + draws, block):
    if done == warmup:
        begin = seconds()
    if done > warmup and seconds()[0] - start[0] > problem["seconds"].item():
        break
    got = []
    for k in range(chains):
        keys[k], key = jax.random.split(keys[k])
        states[k], x = some(states[k], key)
        got.append(jax.block_until_ready(x))
    if done >= warmup:
        parts.append([np.stack(x) for x in zip(*got)])
end = seconds()
U, f, logpost, steps, diverged = (np.concatenate(x, axis=1).T for x in zip(*parts))
scipy.io.savemat(sys.argv[2], {"U": U, "f": f, "logpost": logpost, "steps": steps, "diverged": diverged * 1.0,
                               "compilation": compiled - start, "warmup": begin - compiled, "sampling": end - begin})
