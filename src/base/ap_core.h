// ap_core.h: what the modules of the core share with each other, beyond attnpath.h
// SPDX-License-Identifier: BSD-3-Clause
//
// A function notes work->used on entry, takes what it needs and restores the note on its one way out. After several
// takes in a row it is enough to look at the last: a function that got NULL returns ap_not_taken.

#ifndef AP_CORE_H
#define AP_CORE_H

#include "attnpath.h"

static const double ap_log_two_pi = 1.8378770664093454836;  // of the density of a Gaussian

// ---- status, memory, threads (ap_status.c, ap_work.c, ap_team.c) ----------------------------------------------------

ap_status ap_fail(ap_error *err, ap_status status, const char *format, ...) AP_PRINTF(3, 4);  // returns status
// A point that was tried is none: a search takes a shorter step. Any other failure ends it.
bool ap_is_no_point(ap_status status);

double *ap_take_matrix(ap_work *work, size_t m, size_t n);  // m n doubles
size_t ap_lines(size_t size);  // doubles of whole cache lines that hold so many: what ap_take takes

size_t ap_team_threads(const ap_team *team, size_t parts);  // that will run for so many parts
// One of several equal parts of a job, with memory of its thread.
typedef ap_status (*ap_task)(void *job, size_t part, ap_work *work, ap_error *err);
ap_status ap_team_run(const ap_team *team, ap_task task, void *job, size_t parts, ap_work *work, ap_error *err);

// ---- random numbers (ap_rng.c) --------------------------------------------------------------------------------------

typedef struct ap_rng {           // Philox4x32-10, a plain value: copy it to save it
    uint32_t key[2], counter[4];  // key: the seed; counter[2..3]: the stream; counter[0..1]: blocks used so far
    uint32_t out[4];              // the current block
    uint32_t used;                // words of it already given out, 0..4
} ap_rng;

void ap_rng_block(uint32_t out[4], const uint32_t counter[4], const uint32_t key[2]);  // the bare generator
ap_rng ap_rng_start(uint64_t seed, uint64_t stream);  // streams of one seed do not meet within 2^64 blocks
double ap_rng_uniform(ap_rng *rng);                   // in the open interval (0, 1)
double ap_rng_normal(ap_rng *rng);
void ap_rng_normals(double *x, size_t n, ap_rng *rng);  // output: what n calls of ap_rng_normal would give, but faster
double ap_rng_gamma(double shape, ap_rng *rng);         // shape > 0 (else NaN), unit scale
double ap_rng_chi(double degrees, ap_rng *rng);         // root of chi-square, degrees > 0 (else NaN)
AP_CHECKED ap_status ap_rng_frame(double *Q,            // output: [n x m] orthonormal columns, Haar-distributed, m <= n
                                  size_t n, size_t m, ap_rng *rng, ap_work *work, ap_error *err);

enum { ap_rng_words = 11 };  // the state as doubles: key, counter, out, used
void ap_rng_save(double words[ap_rng_words], const ap_rng *rng);
AP_CHECKED ap_status ap_rng_load(ap_rng *rng, const double words[ap_rng_words], ap_error *err);

#endif
