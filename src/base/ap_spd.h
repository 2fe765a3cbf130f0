// ap_spd.h: algebra of symmetric positive definite matrices (internal to the core)
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_SPD_H
#define AP_SPD_H

#include "base/ap_core.h"

// In place, lower; AP_ENOTSPD with the failing pivot in *err. `name` names the matrix in the sentence.
AP_CHECKED ap_status ap_spd_chol(double *A, size_t n, const char *name, ap_error *err);
double ap_spd_logdet(const double *F, size_t n);                         // log det (F F') from the lower factor F
void ap_spd_solve(const double *F, size_t n, double *B, size_t m);       // B [n x m] becomes (F F')^{-1} B
bool ap_spd_invert_factor(double *F, size_t n, size_t ldf);              // F := F^{-1}; false if a pivot is zero
AP_CHECKED ap_status ap_spd_invert(double *F, size_t n, ap_error *err);  // F becomes (F F')^{-1}, lower triangles
AP_CHECKED ap_status ap_spd_inverse(double *Y, const double *F, size_t n, ap_error *err);   // both triangles
void ap_spd_sandwich(double *B, const double *Y, const double *M, size_t n, double *work);  // Y M Y, work [n x n]
// `largest`, A's largest diagonal entry, times the sum of 1/F_ii^2: a cheap stand-in for the condition of A = F F'.
double ap_spd_condition(double largest, const double *F, size_t n);
double ap_spd_largest(const double *A, size_t n);                                   // largest diagonal entry
void ap_spd_identity(double *A, size_t n);                                          // A := I
void ap_spd_gram(double *G, double scale, const double *A, size_t rows, size_t n);  // G := scale A' A, A [rows x n]
void ap_spd_outer(double *G, double scale, const double *A, size_t n,
                  size_t columns);  // G := scale A A', A [n x columns]
void ap_spd_congruence(double *B, const double *A, const double *F, size_t n, double *work);  // F' A F, work [n x n]
// In place, F lower: X := F X F', or with t 'T' F' X F; and the other way, X := F^{-1} X F^{-T}, or F^{-T} X F^{-1}.
void ap_spd_multiply(char t, double *X, const double *F, size_t n);
void ap_spd_divide(char t, double *X, const double *F, size_t n);
void ap_spd_mirror(double *A, size_t n);       // upper triangle := lower triangle
void ap_spd_symmetrise(double *A, size_t n);   // A := (A + A') / 2, of what is symmetric but for rounding
void ap_spd_clear_upper(double *F, size_t n);  // strict upper triangle := 0
// A (lower) becomes its eigenvectors, w [n] its eigenvalues, the least one first; work [3n]. `name` as above.
AP_CHECKED ap_status ap_spd_eigen(double *w, double *A, size_t n, const char *name, double *work, ap_error *err);
// Least eigenvalue of A (lower, destroyed); w [n], work [3n]. For sentences, not for speed.
AP_CHECKED ap_status ap_spd_smallest(double *smallest, double *A, size_t n, double *w, double *work, ap_error *err);

#endif
