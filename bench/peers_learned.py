"""One evaluation, value and gradient, of the posterior of heads at the GP limit: attnpath against torch, one thread.

usage: OPENBLAS_NUM_THREADS=1 PYTHON bench/peers_learned.py build/bench/bench_learned

Turns of both in one run, medians of processor time. torch has it as one function of the heads in double precision,
compiled (torch.compile) and not; batched products over examples, features where they are fewer than examples, and the
gradient by its own differentiation.
"""
# SPDX-License-Identifier: BSD-3-Clause

import statistics
import subprocess
import sys
import time

import torch

torch.set_num_threads(1)
torch.set_default_dtype(torch.float64)
TURNS = 7


def energy_of(X, Y, layers, read_all, temperature=0.1):
    """-log posterior of heads, a list of W [H, N0, N0] or of pairs Q, K [H, G, N0]; X [P, N0, T], Y [rows, C]"""
    P, N0, T = X.shape

    def maps(head, last):
        asked = X[:, :, -1:] if last else X
        if isinstance(head, tuple):
            Q, K = head
            scores = torch.einsum("hgi,pis,hgj,pjt->hpst", K, X, Q, asked) / Q.shape[1] ** 0.5
        else:
            scores = torch.einsum("pis,hij,pjt->hpst", X, head, asked)
        return torch.softmax(scores, 2)

    def energy(*heads):
        value = 0.5 * sum((h**2).sum() for h in heads)
        heads = [(heads[2 * k], heads[2 * k + 1]) for k in range(layers)] if len(heads) > layers else heads
        if read_all:  # up from the tokens, all readouts at once
            z = X[None]
            for k, head in enumerate(heads):
                omega = maps(head, False)
                z = torch.einsum("apit,hpts->ahpis", z, omega).reshape(-1, P, N0, T)
            Xi = z.permute(0, 1, 3, 2).reshape(len(z), P * T, N0)
        else:  # down from the last token
            a = None
            for k in reversed(range(layers)):
                omega = maps(heads[k], k == layers - 1)
                if a is None:
                    a = omega[..., 0]
                else:
                    a = torch.einsum("hpst,apt->haps", omega, a).reshape(-1, P, T)
            Xi = torch.einsum("pit,apt->api", X, a)
        flat = Xi.permute(1, 0, 2).reshape(Xi.shape[1], -1) / (len(Xi) * N0) ** 0.5
        rows, features = flat.shape
        A = (flat.T @ flat if features < rows else flat @ flat.T) + temperature * torch.eye(min(flat.shape))
        F = torch.linalg.cholesky(A)
        half = torch.linalg.solve_triangular(F, flat.T @ Y if features < rows else Y, upper=False)
        fit = (half**2).sum()
        if features < rows:
            fit = ((Y**2).sum() - fit) / temperature
        return value + Y.shape[1] * torch.log(torch.diagonal(F)).sum() + 0.5 * fit

    return energy


def problem(N0, T, P, layers, H, G, outputs, read_all):
    torch.manual_seed(1)
    X = torch.rand(P, N0, T) - 0.5
    Y = torch.rand(P * T if read_all else P, outputs) - 0.5
    shapes = [(H, N0, N0)] * layers if G == 0 else [(H, G, N0)] * (2 * layers)
    heads = [(torch.rand(s) - 0.5).requires_grad_() for s in shapes]
    return energy_of(X, Y, layers, read_all), heads


def timed(energy, heads):
    def once():
        return torch.autograd.grad(energy(*heads), heads)

    once()
    once()
    begun = time.process_time()
    once()
    repeat = max(1, int(0.1 / (time.process_time() - begun)))
    begun = time.process_time()
    for _ in range(repeat):
        once()
    return 1e3 * (time.process_time() - begun) / repeat


def main():
    print("| problem | torch (ms) | torch, compiled (ms) | attnpath (ms) | ratio, compiled |\n|---|--:|--:|--:|--:|")
    table = [
        ("copy, 8 outputs, 144 rows", (14, 6, 24, 1, 1, 0, 8, True)),
        ("queries and keys, 64 features, P = 100", (64, 20, 100, 2, 2, 16, 1, False)),
        ("Markov, 231 features, P = 100", (231, 31, 100, 2, 2, 0, 1, False)),
    ]
    for name, shape in table:
        energy, heads = problem(*shape)
        compiled = torch.compile(energy)
        N0, T, P, layers, H, G, outputs, read_all = shape
        call = [sys.argv[1]] + [str(int(v)) for v in (N0, T, P, layers, H, G, 1, outputs, read_all)]
        seen = [[], [], []]
        for _ in range(TURNS):
            seen[0].append(timed(energy, heads))
            seen[1].append(timed(compiled, heads))
            seen[2].append(float(subprocess.run(call, check=True, capture_output=True, text=True).stdout))
        ms = [statistics.median(s) for s in seen]
        print(f"| {name} | {ms[0]:.3g} | {ms[1]:.3g} | {ms[2]:.3g} | {ms[1] / ms[2]:.1f} |", flush=True)


if __name__ == "__main__":
    main()
