// bench_gradient.c: one gradient of the weights' posterior against its floor, and against a pass token by token
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: bench_gradient MARKOV_FILE MARKOV_TOKENS_FILE TEMPERATURE WIDTH...
//
// Two gradients of ap_langevin.c at a draw from the prior: that of every weight (T2), and that of the weights above
// V_0, which is integrated out (T12). Floor and bound are those of bench_eval.c, taken in turns with the gradient, in
// the same memory:
//
//   weights   read twice (once forward, once backward), and as many numbers written: ddot over the weights, then memcpy
//             from weights to gradient; and their 6 sum_l N_l N_{l+1} Pi_l flops at the speed of dgemm (n = 1000)
//   data      floor, every weight: dgemv on the path inputs [N0 x P] of each path, transposed, then not transposed;
//             V_0 integrated out: dgemv on the packed kernels, dpotrf, dpotri, dgemv transposed
//             bound: the same flops at the speed of dgemm, and path inputs or packed kernels read twice by ddot
//
// Token by token: forward and backward pass written from (T1), every token and example at each layer, all examples in
// one dgemm a head and layer, attention maps by one dgemm a head, layer and example. Its gradient by every weight must
// agree with that of ap_langevin.c. All variances are 1, and the readout is the last token.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "posterior/ap_posterior.h"
#include "problem.h"

// ---- token by token -------------------------------------------------------------------------------------------------

typedef struct tokens {
    size_t T;
    double *X, *A[most_layers];  // [N0 x T x P]; of each layer [T x T x H_l x P]
} tokens;

static double *part(FILE *in, size_t count) {
    double *x = doubles(count);
    must_be(fread(x, sizeof *x, count, in) == count, "reading the tokens");
    return x;
}

static void tokens_read(tokens *t, const problem *b, const char *file) {
    FILE *in = fopen(file, "rb");
    double *T = doubles(1);
    must_be(in != NULL && fread(T, sizeof *T, 1, in) == 1, file);
    *t = (tokens){.T = (size_t)*T};
    t->X = part(in, b->N0 * t->T * b->P);
    for (size_t l = 0; l < b->L; l++) t->A[l] = part(in, t->T * t->T * b->H[l] * b->P);
    fclose(in);
    free(T);
}

typedef struct network {
    const problem *b;
    const tokens *t;
    size_t N, columns;       // width; T P
    double *Z, *D, *E;       // [N x columns] tokens of one layer, derivatives by them, scratch
    double *M[most_layers];  // [N x columns x H_l] z^{l-1} Omega^{l,h}
} network;

static network network_take(const problem *b, const tokens *t) {
    network n = {.b = b, .t = t, .N = (size_t)b->width[0], .columns = t->T * b->P};
    n.Z = doubles(n.N * n.columns);
    n.D = doubles(n.N * n.columns);
    n.E = doubles(n.N * n.columns);
    for (size_t l = 0; l < b->L; l++) n.M[l] = doubles(n.N * n.columns * b->H[l]);
    return n;
}

static void network_free(network *n) {
    free(n->Z);
    free(n->D);
    free(n->E);
    for (size_t l = 0; l < n->b->L; l++) free(n->M[l]);
}

// Y = Z Omega^{l,h} + beta Y, or with Omega', example by example
static void attend(const network *n, double *Y, const double *Z, size_t l, size_t h, char transposed, double beta) {
    const size_t T = n->t->T, N = n->N, heads = n->b->H[l];
    for (size_t mu = 0; mu < n->b->P; mu++)
        ap_gemm('N', transposed, N, T, T, 1.0, Z + N * T * mu, N, n->t->A[l] + T * T * (h + heads * mu), T, beta,
                Y + N * T * mu, N);
}

static double network_gradient(double *grad, network *n,
                               const double *weights) {  // of sum (f - y)^2 / (2T); returns it
    const problem *b = n->b;
    const size_t N = n->N, N0 = b->N0, P = b->P, columns = n->columns, cells = N * columns, skip = N * n->t->T;
    const size_t last = skip - N;
    const double *V = weights, root = sqrt((double)N), T = b->net.temperature;
    double sum = 0.0;
    ap_gemm('N', 'N', N, columns, N0, 1.0 / sqrt((double)N0), V, N, n->t->X, N0, 0.0, n->Z, N);
    V += N * N0;
    for (size_t l = 0; l < b->L; l++) {
        const double scale = 1.0 / (root * sqrt((double)b->H[l]));
        for (size_t h = 0; h < b->H[l]; h++) attend(n, n->M[l] + cells * h, n->Z, l, h, 'N', 0.0);
        for (size_t h = 0; h < b->H[l]; h++, V += N * N)
            ap_gemm('N', 'N', N, columns, N, scale, V, N, n->M[l] + cells * h, N, h == 0 ? 0.0 : 1.0, n->Z, N);
    }
    const double *a = V;
    double *dV = grad + (V - weights);
    memset(n->D, 0, cells * sizeof *n->D);
    memset(dV, 0, N * sizeof *dV);
    for (size_t mu = 0; mu < P; mu++) {
        const double *z = n->Z + last + skip * mu, r = ap_dot(N, a, z) / root - b->y[mu];
        sum += r * r / (2.0 * T);
        ap_axpy(N, r / (T * root), z, dV);
        ap_axpy(N, r / (T * root), a, n->D + last + skip * mu);
    }
    for (size_t l = b->L; l-- > 0;) {
        const double scale = 1.0 / (root * sqrt((double)b->H[l]));
        double *above = n->D;
        n->D = n->Z;
        n->Z = above;
        for (size_t h = b->H[l]; h-- > 0;) {
            V -= N * N;
            dV -= N * N;
            ap_gemm('N', 'T', N, N, columns, scale, above, N, n->M[l] + cells * h, N, 0.0, dV, N);
            ap_gemm('T', 'N', N, columns, N, scale, V, N, above, N, 0.0, n->E, N);
            attend(n, n->D, n->E, l, h, 'T', h + 1 == b->H[l] ? 0.0 : 1.0);
        }
    }
    ap_gemm('N', 'T', N, N0, columns, 1.0 / sqrt((double)N0), n->D, N, n->t->X, N0, 0.0, grad, N);
    return sum;
}

// ---- gradients and floors -------------------------------------------------------------------------------------------

typedef struct place {  // one of the two targets at a draw from the prior, and the arrays of the floor
    problem *b;
    bool input;
    ap_target target;
    double *z, *grad, psi;
    double *A, *F, *wide, *small;  // [P x P] K + T I, its factor, vectors
    ap_work work;
} place;

static place place_take(problem *b, bool input) {
    ap_error err;
    const size_t P = b->P, triangle = P * (P + 1) / 2, cells = b->N0 * b->paths;
    place x = {
        .b = b, .input = input, .target = input ? ap_langevin_every_target(&b->p) : ap_langevin_upper_target(&b->p)};
    must_be(b->kernel.packed != NULL, "storing the kernels");
    x.z = doubles(x.target.dim);
    x.grad = doubles(x.target.dim);
    x.A = doubles(P * P);
    x.F = doubles(P * P);
    x.wide = doubles(cells > triangle ? cells : triangle);
    x.small = doubles(b->kernel.pairs + P);
    x.work = arena();
    normal(x.z, x.target.dim, 1);
    normal(x.wide, cells, 2);
    normal(x.small, b->kernel.pairs + P, 3);
    must(ap_kernel_combine(x.A, &b->kernel, b->point.order, NULL, &b->work, &err), &err);
    for (size_t i = 0; i < P; i++) x.A[i + P * i] += b->net.temperature;
    return x;
}

static void place_free(place *x) {
    double *all[] = {x->z, x->grad, x->A, x->F, x->wide, x->small};
    ap_work_close(&x->work);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}

enum { GRADIENT, WEIGHTS, BARE, READING, kinds };

static void gradient(place *x) {
    ap_error err;
    must(x->target.evaluate(&x->psi, x->grad, &x->target, x->z, &x->work, &err), &err);
}

static double read_all(const double *x, size_t n) { return ap_dot(n / 2, x, x + n / 2); }

static void weights(place *x) {
    must_be(isfinite(read_all(x->z, x->target.dim)), "reading the weights");
    memcpy(x->grad, x->z, x->target.dim * sizeof *x->grad);
}

static void bare(place *x) {
    const size_t N0 = x->b->N0, P = x->b->P, paths = x->b->paths;
    const ap_kernel *k = &x->b->kernel;
    const size_t triangle = P * (P + 1) / 2;
    if (x->input) {
        for (size_t i = 0; i < paths; i++)
            ap_gemv('T', N0, P, 1.0, k->Xi + N0 * P * i, N0, x->wide + N0 * i, i == 0 ? 0.0 : 1.0, x->small);
        for (size_t i = 0; i < paths; i++)
            ap_gemv('N', N0, P, 1e-9, k->Xi + N0 * P * i, N0, x->small, 0.0, x->wide + N0 * i);
    } else {
        ap_gemv('N', triangle, k->pairs, 1.0, k->packed, triangle, x->small, 0.0, x->wide);
        must_be(ap_potrf(P, x->F, P) == 0 && ap_potri(P, x->F, P) == 0, "factorising");
        ap_gemv('T', triangle, k->pairs, 1e-9, k->packed, triangle, x->wide, 0.0, x->small);
    }
}

static void reading(place *x) {
    const size_t P = x->b->P, triangle = P * (P + 1) / 2;
    const double *from = x->input ? x->b->Xi : x->b->kernel.packed;
    const size_t n = x->input ? x->b->N0 * P * x->b->paths : triangle * x->b->kernel.pairs;
    for (int i = 0; i < 2; i++) must_be(isfinite(read_all(from, n)), "reading the data");
}

static void measure(double *times, place *x) {
    static void (*const what[kinds])(place *) = {gradient, weights, bare, reading};
    for (size_t k = 0; k < kinds; k++) {
        memcpy(x->F, x->A, x->b->P * x->b->P * sizeof *x->F);
        const double start = seconds();
        what[k](x);
        times[k] = seconds() - start;
    }
}

static double weight_flops(const place *x) {
    const ap_net *net = &x->b->net;
    double sum = x->input ? net->width[0] * (double)(x->b->N0 * x->b->paths) : 0.0;
    for (size_t l = 1; l <= net->L; l++) sum += net->width[l - 1] * net->width[l] * (double)ap_net_paths(net, l);
    return 6.0 * sum;
}

static void row(const place *x, double (*times)[kinds], size_t n, double speed, double by_token) {
    const double P = (double)x->b->P, data = x->input ? 4.0 * P * (double)(x->b->N0 * x->b->paths) : P * P * P;
    double middle[kinds], one[301];
    for (size_t k = 0; k < kinds; k++) {
        for (size_t i = 0; i < n; i++) one[i] = times[i][k];
        middle[k] = median(one, n);
    }
    const double time = middle[GRADIENT], common = middle[WEIGHTS] + weight_flops(x) / speed;
    const double bottom = common + middle[BARE], bound = common + middle[READING] + data / speed;
    printf("| %g | %s | %zu | %.3g | %.3g | %.2f | %.3g | %.2f | %.3g | %.3g | %.0f |\n", x->b->width[0],
           x->input ? "every weight" : "V_0 integrated out", x->target.dim, 1e3 * time, 1e3 * bottom, time / bottom,
           1e3 * bound, time / bound, 1.0 / time, 1e3 * by_token, by_token / time);
    fflush(stdout);
}

static double difference(const double *x, const double *y, size_t n) {  // largest, divided by the largest of y
    double most = 0.0, scale = 0.0;
    for (size_t i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i] - y[i]));
        scale = fmax(scale, fabs(y[i]));
    }
    return most / scale;
}

// The time of a token-by-token gradient at x, and its difference from x->grad, which is overwritten.
static double token_time(double *apart, place *x, const tokens *t) {
    network n = network_take(x->b, t);
    double *grad = doubles(x->target.dim), times[31];
    gradient(x);
    double start = seconds();
    const double psi = network_gradient(grad, &n, x->z), once = seconds() - start;
    *apart = fmax(difference(grad, x->grad, x->target.dim), fabs(psi / x->psi - 1.0));
    must_be(*apart < 1e-10, "agreement of the two gradients");
    const size_t runs = once > 0.5 ? 3 : once > 0.1 ? 9 : 31;
    for (size_t i = 0; i < runs; i++) {
        start = seconds();
        network_gradient(x->grad, &n, x->z);
        times[i] = seconds() - start;
    }
    free(grad);
    network_free(&n);
    return median(times, runs);
}

int main(int count, char **args) {
    must_be(count > 4, "usage: bench_gradient MARKOV_FILE MARKOV_TOKENS_FILE TEMPERATURE WIDTH...");
    const double speed = dgemm_speed();
    double apart[8] = {0.0};
    problem b;
    tokens t;
    problem_read(&b, args[1]);
    tokens_read(&t, &b, args[2]);
    must_be(count - 4 <= (int)(sizeof apart / sizeof *apart), "counting the widths");
    printf("At best in this run: dgemm %.1f Gflop/s.\n\n", 1e-9 * speed);
    puts(
        "| N | gradient | unknowns | time (ms) | floor (ms) | ratio | bound (ms) | ratio | gradients per s "
        "| token by token (ms) | over it |");
    puts("|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    for (int k = 4; k < count; k++) {
        double times[2][301][kinds];
        problem_network(&b, atof(args[k]), atof(args[3]));
        problem_plan(&b, STORED, 2.0);
        problem_room(&b);
        problem_build(&b);
        place every = place_take(&b, true), upper = place_take(&b, false);
        const double by_token = token_time(&apart[k - 4], &every, &t);
        measure(times[0][0], &every);
        measure(times[1][0], &upper);
        const size_t n = rounds(2.0 * times[0][0][GRADIENT] + 2.0 * times[1][0][GRADIENT], 2.0);
        for (size_t i = 0; i < n; i++) {
            measure(times[0][i], &every);
            measure(times[1][i], &upper);
        }
        row(&every, times[0], n, speed, by_token);
        row(&upper, times[1], n, speed, by_token);
        place_free(&every);
        place_free(&upper);
        problem_free(&b);
    }
    printf("\nToken by token and by paths, log likelihood and gradient by every weight differ, relatively, by at most");
    for (int k = 4; k < count; k++) printf("%s %.0e", k == 4 ? "" : ",", apart[k - 4]);
    puts(".");
    free(t.X);
    for (size_t l = 0; l < b.L; l++) free(t.A[l]);
    free(b.Xi);
    free(b.y);
    return 0;
}
