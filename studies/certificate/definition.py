"""The smallest eigenvalue of the Hessian of S / max(N), by its definition, with 80 digits: see study_certificate.m.

S is (T7) and (T8) of doc/theory.md, with u_a where dS/du_a = 0. The Hessian is over symmetric perturbations of U_1..U_L
in the Frobenius product, by second differences whose step is 1e-20 of the smallest eigenvalue of the U_l.
"""
# SPDX-License-Identifier: BSD-3-Clause
import sys

from mpmath import cholesky, eigsy, inverse, log, lu_solve, matrix, mp, mpf, sqrt

mp.dps = 80


def read(line):
    group, *arrays = line.rstrip("\n").split(";")
    return group, [[mpf(float(v)) for v in a.split()[1:]] for a in arrays]


def square(values):
    n = int(len(values) ** 0.5 + 0.5)
    return matrix([values[i * n : (i + 1) * n] for i in range(n)])


def logdet(a):
    factor = cholesky(a)
    return 2 * sum(log(factor[i, i]) for i in range(a.rows))


def partial_trace(u, heads):  # over the head of the layer, the slowest index of a path
    n = u.rows // heads
    return matrix(n, n) + sum((u[h * n : (h + 1) * n, h * n : (h + 1) * n] for h in range(heads)), matrix(n, n))


def trace(a):
    return sum(a[i, i] for i in range(a.rows))


def problem(arrays):
    """The action as a function of the list U_1..U_L."""
    H, N, variance, T, Xi, y = arrays[:6]
    H, L, P = [int(h) for h in H], len(H), len(y)
    y = matrix(y)
    paths = len(square(arrays[7]))
    N0 = len(Xi) // (P * paths)
    x = [matrix(N0, P) for _ in range(paths)]
    for k, value in enumerate(Xi):  # Pi x P x N0, the path fastest
        x[k % paths][k // (paths * P), k // paths % P] = value
    C = [[variance[0] / N0 / paths * (x[a].T * x[b]) for b in range(paths)] for a in range(paths)]

    def action(U):
        A = matrix(P, P)
        for a in range(paths):
            for b in range(paths):
                A += U[0][a, b] * C[a][b]
        for mu in range(P):
            A[mu, mu] += T[mu]
        s, Na, NL = variance[L + 1], N[L], N[L - 1]
        b = s * (H[-1] * NL / Na - 1)
        ua = (-b + sqrt(b * b + 4 * s * NL * trace(U[-1]) / (Na * variance[L]))) / 2
        S = logdet(A) + (y.T * lu_solve(A, y))[0] + Na * (ua / s - log(ua))
        above = list(U[1:]) + [matrix([[ua]])]
        for n, h, v, u, w in zip(N, H, variance[1:], U, above):
            S += n * (trace(inverse(w) * partial_trace(u, h)) / v - logdet(u) + h * logdet(w))
        return S

    return action


def smallest(arrays):
    action, U = problem(arrays), [square(u) for u in arrays[7:]]
    basis = []
    for layer, u in enumerate(U):
        for j in range(u.rows):
            for i in range(j + 1):
                E = matrix(u.rows, u.rows)
                E[i, j] = E[j, i] = 1 if i == j else 1 / sqrt(mpf(2))
                basis.append((layer, E))
    h = mpf(10) ** -20 * min(min(eigsy(u, eigvals_only=True)) for u in U)

    def at(*moves):
        moved = list(U)
        for step, (layer, E) in moves:
            moved[layer] = moved[layer] + step * E
        return action(moved)

    n, here = len(basis), at()
    one = [[at((side * h, b)) for side in (1, -1)] for b in basis]
    hessian = matrix(n, n)
    for i in range(n):
        hessian[i, i] = one[i][0] + one[i][1] - 2 * here
        for j in range(i):
            both = at((h, basis[i]), (h, basis[j])) + at((-h, basis[i]), (-h, basis[j]))
            hessian[i, j] = hessian[j, i] = (both - sum(one[i]) - sum(one[j]) + 2 * here) / 2
    return min(eigsy(hessian / h**2, eigvals_only=True)) / max(arrays[1])


def main():
    rows = {}
    with open(sys.argv[1], encoding="ascii") as lines:
        for line in lines:
            group, arrays = read(line)
            value, doubt = arrays.pop(6)
            exact = smallest(arrays[:6] + [None] + arrays[6:])
            row = rows.setdefault(group, [0, 0, 0, 0, 0])
            right = (value > 0) == (exact > 0)
            row[0] += 1
            row[1 if abs(value) > doubt and right else 2 if abs(value) > doubt else 3] += 1
            row[4] += abs(value - exact) > doubt + abs(exact) / 1000
    print("| problems | number | sign right | sign wrong | undecided | value off |\n|---|--:|--:|--:|--:|--:|")
    for group, row in rows.items():
        print(f"| {group} |", " | ".join(map(str, row)), "|")


main()
