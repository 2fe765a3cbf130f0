// ap_explained.c: labels without what no path input explains
// SPDX-License-Identifier: BSD-3-Clause
//
// Examples' path inputs, end to end, are the rows of Phi [P x N0 Pi]. A part z of the labels with Phi' z = 0 meets no
// kernel, whatever U is: K z = 0, A^{-1} z = z / T, and
//
//   y' A^{-1} y = (y - z)' A^{-1} (y - z) + z'z / T
//
// the last term being `rest` of ap_energy.c, without derivatives. Where it is kept in y, eps |A| |z|^2 / T^2 is what
// its rounding adds to the action, and as much to the gradient: labels of 10^5 at T = 0.05, half of which two equal
// paths could not explain, ended a search after 4 steps, 10^5 above the minimum. Predictions and the Hessian do not
// depend on z, but labels of 10^11 made means of 10^17. Leave-one-out values and derivatives by path inputs do: they
// have b = A^{-1} (y - z) + z / T, in which places where z is 0 must be so to more than eps |z|. So z is corrected by
// what path inputs still meet of it, summed in twice the precision.
//
// P < N0 Pi examples have such a part where path inputs repeat each other: equal maps, one token, equal examples. From
// Phi P = Q R with columns in the order of their norms, the rows of R beyond its rank are rounding: z is Q times what
// Q'y has there. Cost: 4 P^2 N0 Pi flops, so that it is done only where rounding would matter.

#include <float.h>
#include <math.h>
#include <string.h>

#include "saddle/ap_saddle.h"

bool ap_explained_matters(const ap_problem *p) {
    const size_t numbers = p->kernel->P * ap_problem_columns(p);
    const double T = p->net->temperature, yy = ap_dot(numbers, p->y, p->y);
    const double A = T + ap_solution_diagonal(p) + yy / (double)numbers;  // its size: it grows to that of the labels
    return T > 0.0 && DBL_EPSILON * A * yy / (T * T) > ap_explained_noise;
}

// x := (I - tau v v') x, v = 1 and then `below`
static void reflect(double *x, double tau, const double *below, size_t n) {
    const double along = tau * (x[0] + ap_dot(n - 1, below, x + 1));
    x[0] -= along;
    ap_axpy(n - 1, -along, below, x + 1);
}

// a + b c: sum becomes that of the rounded terms, lost takes what rounding dropped
static void add_product(double *sum, double *lost, double b, double c) {
    const double product = b * c, before = *sum, after = before + product, part = after - before;
    *lost += (before - (after - part)) + (product - part) + fma(b, c, -product);
    *sum = after;
}

// z := less what of it the `rank` first columns meet; w [rank]
static void correct(double *z, double *w, const ap_kernel *k, const double *Phi, const double *tau, const size_t *pivot,
                    size_t rank) {
    const size_t P = k->examples, N0 = k->N0;
    for (size_t j = 0; j < rank; j++) {
        const double *x = k->Xi + pivot[j] % N0 + N0 * P * (pivot[j] / N0);
        double sum = 0.0, lost = 0.0;
        for (size_t mu = 0; mu < P; mu++) add_product(&sum, &lost, x[N0 * mu], z[mu]);
        w[j] = sum + lost;
        for (size_t i = 0; i < j; i++) w[j] -= Phi[i + P * j] * w[i];
        w[j] /= Phi[j * (P + 1)];
    }
    memset(w + rank, 0, (P - rank) * sizeof(double));
    for (size_t j = rank; j-- > 0;) reflect(w + j, tau[j], Phi + j * (P + 1) + 1, P - j);
    ap_axpy(P, -1.0, w, z);
}

ap_status ap_explained(double *y, double *apart, double *rest, const ap_problem *p, ap_work *work, ap_error *err) {
    const ap_kernel *k = p->kernel;
    const size_t P = k->examples, q = ap_times(k->N0, k->inputs), mark = work->used, most = P < q ? P : q,
                 columns = ap_problem_outputs(p);
    double *Phi = ap_take_matrix(work, P, q), *tau = ap_take(work, q);
    double *scratch = ap_take_matrix(work, ap_qr_panel + 1, q), *w = ap_take(work, P);
    size_t *pivot = (size_t *)(void *)ap_take(work, q), rank = 0;
    ap_status status = pivot == NULL ? ap_not_taken(work, err, "ap_explained") : AP_OK;
    if (status < 0) goto done;
    for (size_t a = 0; a < k->inputs; a++)
        for (size_t mu = 0; mu < P; mu++)
            for (size_t i = 0; i < k->N0; i++) Phi[mu + P * (i + k->N0 * a)] = k->Xi[i + k->N0 * (mu + P * a)];
    if (!ap_geqp3(P, q, Phi, P, pivot, tau, scratch)) {
        status = ap_fail(err, AP_ELAPACK, "dgeqp3 refused its arguments");
        goto done;
    }
    const double rounding = (double)(P + q) * DBL_EPSILON * fabs(Phi[0]);
    while (rank < most && fabs(Phi[rank * (P + 1)]) > rounding) rank++;
    memcpy(y, p->y, P * columns * sizeof(double));
    memset(apart, 0, P * columns * sizeof(double));
    *rest = p->null_sumsq;
    for (size_t c = 0; rank < P && c < columns; c++) {
        double *z = apart + P * c;
        memcpy(z, y + P * c, P * sizeof(double));
        for (size_t j = 0; j < rank; j++) reflect(z + j, tau[j], Phi + j * (P + 1) + 1, P - j);
        memset(z, 0, rank * sizeof(double));
        for (size_t j = rank; j-- > 0;) reflect(z + j, tau[j], Phi + j * (P + 1) + 1, P - j);
        correct(z, w, k, Phi, tau, pivot, rank);
        ap_axpy(P, -1.0, z, y + P * c);
        *rest += (ap_dot(P, z, z) + 2.0 * ap_dot(P, y + P * c, z)) / (double)ap_problem_columns(p);
    }
done:
    work->used = mark;
    return status;
}
