// ap_krylov.h: what can be known of a symmetric map from its products with vectors (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause
//
// The map is a function and what it keeps. A status that is not AP_OK ends a method, which hands it on.

#ifndef AP_KRYLOV_H
#define AP_KRYLOV_H

#include "attnpath.h"

typedef ap_status (*ap_krylov_map)(double *y, void *self, const double *x);  // y := H x

// x := its part orthogonal to the first k columns of V [n x .], whose norm is returned; what it had along them is added
// to c [k], which may be NULL. h [k] scratch
double ap_krylov_project(double *x, const double *V, size_t n, size_t k, double *c, double *h);
// x := that part over its norm; false if nothing is left.
bool ap_krylov_orthonormalise(double *x, const double *V, size_t n, size_t k, double *h);

// ---- H d = r by conjugate gradients ---------------------------------------------------------------------------------

typedef struct ap_krylov_vectors {  // what the method keeps
    size_t n;
    double *z, *p, *q;  // [n] scratch; where H is not definite, p is the direction that bends down
    bool definite;      // output: no direction bent down
} ap_krylov_vectors;

typedef struct ap_krylov_gradients {
    ap_krylov_map apply;
    void (*precondition)(double *z, void *self, const double *r);
    // After step k along p, with q = H p: is d as much as is wanted? NULL: it never is.
    bool (*enough)(void *self, size_t k, const double *d, const double *p, const double *q);
    void *self;       // of all three
    double accuracy;  // of the residual, in the preconditioner's norm, over that of the right-hand side
    size_t most;      // products
} ap_krylov_gradients;

AP_CHECKED ap_status ap_krylov_vectors_take(ap_krylov_vectors *t, size_t n, ap_work *work, ap_error *err);
AP_CHECKED ap_status ap_krylov_solve(double *d,  // output: H^{-1} r, or what was found before a direction bent down
                                     ap_krylov_vectors *t, const ap_krylov_gradients *how,
                                     double *r);  // in: right-hand side; out: residual

// ---- the lowest eigenvector by Davidson's method --------------------------------------------------------------------

typedef struct ap_krylov_space {  // a subspace with its image
    size_t n, k, count;           // numbers of a vector; room for columns, columns so far
    double *V, *HV;               // [n x k] orthonormal; its image
    double *small, *vectors;      // [k x k] V' H V; its eigenvectors
    double *theta;                // [4 k] its eigenvalues, increasing, and scratch
    double *x, *r, *h;            // [n] lowest Ritz vector; its residual; [k] scratch
    double miss, skew;            // |r|; the largest share in theta of V' H V less its transpose, which rounding makes
} ap_krylov_space;

typedef struct ap_krylov_davidson {
    ap_krylov_map apply;
    ap_krylov_map expand;  // next := from the residual, which it is at first, what shall join; x the Ritz vector
    void *self;            // of both
    double close, floor;   // of the residual: over the value, and absolutely
    size_t least;          // columns before the residual counts
    size_t kept;           // Ritz vectors with which a full space begins again; 0: it ends
} ap_krylov_davidson;

AP_CHECKED ap_status ap_krylov_space_take(ap_krylov_space *s, size_t n, size_t k, ap_work *work, ap_error *err);
// From s->x. The value is theta[0], an upper bound at any time. AP_OK: the residual is small, or the space is the
// whole; AP_LIMIT: it is full; AP_STALLED: there is nothing to join.
AP_CHECKED ap_status ap_krylov_lowest(ap_krylov_space *s, const ap_krylov_davidson *how, ap_error *err);

// ---- z' log H z by Lanczos' method ----------------------------------------------------------------------------------

typedef struct ap_krylov_lanczos {  // what the method keeps
    size_t n, most;                 // numbers of a vector; most steps
    double *V;                      // [n x (most + 1)] orthonormal basis: z comes in the first column
    double *T, *theta, *h;      // [most x most] tridiagonal matrix, its eigenvectors; [4 most] eigenvalues; [most + 1]
    double *diagonal, *beside;  // [most] of the matrix
} ap_krylov_lanczos;

AP_CHECKED ap_status ap_krylov_lanczos_take(ap_krylov_lanczos *t, size_t n, size_t most, ap_work *work, ap_error *err);
AP_CHECKED ap_status ap_krylov_log(double *value,  // output: to `enough`; AP_ENOTSPD where H is not definite
                                   ap_krylov_lanczos *t, ap_krylov_map apply, void *self,
                                   double squares,  // |z|^2, which is also the dimension of the space that H acts on
                                   double enough, ap_error *err);

#endif
