// ap_mexutil.h: what all gateways share: checking what comes in, making what goes out
// SPDX-License-Identifier: BSD-3-Clause
//
// A gateway trusts nothing: it can be called directly, with anything. The functions here either return a checked value
// or raise attnpath:<stem>:<what> with a sentence that names the argument, its value and the required one:
//
//   usage          number of inputs or outputs         badShape              sizes, with those wanted
//   missingField   a struct lacks a field              empty                 no elements
//   badClass       not double, struct, cell, text      tooLarge              beyond any memory
//   sparse         sparse                              badValue              out of its range
//   notReal        complex                             notFinite             NaN or Inf, with its indices
//
// noHeads: attention should be computed, and there are no heads. blasInteger: the wrong BLAS was linked. The core's
// errors have the words of ap_status_name. Pointers returned belong to the arguments or come from mxMalloc: the host
// frees them when the gateway returns or raises an error, so nothing here needs to be freed by hand.

#ifndef AP_MEXUTIL_H
#define AP_MEXUTIL_H

#include <time.h>

#include "attnpath.h"
#include "mex.h"

#ifndef mexFunction
#define mexFunction ap_mex_gateway
#endif
void ap_mex_gateway(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]);

_Noreturn void ap_mex_fail(const char *what, const char *format, ...) AP_PRINTF(2, 3);
// Every gateway begins with it. stem: of all identifiers of its errors.
void ap_mex_usage(const char *stem, bool ok, const char *usage);
void ap_mex_advise(const char *what);  // what needs less memory, where that of most gateways does not help
// Raises a negative status, and AP_INTERRUPTED while attnpath_interrupt_mex holds interrupts back. Without a hold the
// host ends the call when the gateway returns. Gateways that keep partial results do not pass that status.
void ap_mex_check(ap_status status);
void ap_mex_keep(ap_status status);  // the same of a gateway that returns what was done before an interrupt
extern ap_error ap_mex_err;          // which calls of the core fill in for ap_mex_check

bool ap_mex_interrupted(void);    // Ctrl-C was pressed: end at once
bool ap_mex_stop(void *context);  // the same, in the form for the core

// Lines of progress, 2, 4, 8, 16, 24 .. seconds after the work began, and before their time where ten seconds would
// pass without one until the next test.
typedef struct ap_mex_progress {  // of draws, or of `what`
    time_t seen;                  // when the clock was looked at last; one that is set back stands still
    double passed;                // seconds from the beginning until then
    double next;                  // seconds from the beginning to the next line
    const char *name;             // of the function, or NULL: nothing is printed
    size_t draws;
    const char *what;  // NULL: draws
    double before;     // seconds that calls before this one took
    char part[96];     // of the work, or nothing
} ap_mex_progress;
bool ap_mex_due(ap_mex_progress *p);  // reads the clock; true if a line is due, and then sets the time of the next
bool ap_mex_watch(void *progress);    // kernel->stop where no threads ask: the same
bool ap_mex_draws_done(void *progress, size_t done);  // the monitor of ap_many: a line if one is due

// ---- the host (ap_mexhost.c) ----------------------------------------------------------------------------------------

// The arena of the call, which needs about so many doubles, and is refused where the machine has fewer. The host's
// mexFunction (ap_mexhost.c) calls the gateway's and then gives the arena back.
ap_work *ap_mex_work(size_t about);
double *ap_mex_take(ap_work *work, size_t count);
void *ap_mex_list(size_t count, size_t size);  // room for count things, from mxMalloc
bool ap_mex_has(size_t count);                 // the machine has that many doubles
void ap_mex_fits(size_t count);                // refuses so many that cannot be had

// The host's threads, for the core. While parts run side by side BLAS has one thread each: results are then the same
// for any number of threads. That holds for OpenBLAS; another BLAS must be set by its own means. Without OpenMP, as
// make_mex.m builds for MATLAB, the parts run one after another.
const ap_team *ap_mex_team(void);
void ap_mex_print(const char *format, ...) AP_PRINTF(1, 2);  // while the core runs
// BLAS has so many threads until the next ap_mex_check. 0: one, or the host's number where OPENBLAS_NUM_THREADS is set
// and there are enough flops.
void ap_mex_threads(int count, double flops);
double ap_mex_flops(const ap_kernel *kernel, size_t unknowns);  // of an evaluation, and of the Hessian

// ---- single values (ap_mexarg.c) ------------------------------------------------------------------------------------

bool ap_mex_absent(const mxArray *arg);  // [], which stands for what is not given, or NULL
// Fields by their full names: "settings.seed" is field seed of arg, whose name is settings.
const mxArray *ap_mex_field(const char *name, const mxArray *arg);
#define AP_MEX_FIELD(name, arg) name, ap_mex_field(name, arg)  // the first two arguments of all that follow
const mxArray *ap_mex_cell(const char *name, const mxArray *arg, size_t index, size_t count);
double ap_mex_number(const char *name, const mxArray *arg, double lo, double hi);
size_t ap_mex_as_count(const char *name, double value, double lo, double hi);
size_t ap_mex_count(const char *name, const mxArray *arg, double lo, double hi);  // an integer; the largest as hi:
#define AP_MEX_MANY 2147483647.0         // heads, paths, layers or steps beyond any use
#define AP_MEX_SEED 4294967295.0         // of 32 bits
#define AP_MEX_EXACT 4503599627370496.0  // with all integers below it
bool ap_mex_flag(const char *name, const mxArray *arg);
// Index of the text in words [count].
size_t ap_mex_choice(const char *name, const mxArray *arg, size_t count, const char *const *words);

// ---- arrays (ap_mexarg.c) -------------------------------------------------------------------------------------------

// Real, full, finite, not empty, double. size [rank]: sizes wanted, 0 for any; on return the sizes found.
const double *ap_mex_array(const char *name, const mxArray *arg, size_t rank, size_t *size);
const double *ap_mex_unread(const char *name, const mxArray *arg, size_t rank, size_t *size);  // of any values
const float *ap_mex_single(const char *name, const mxArray *arg, size_t rank, size_t *size);
// Entry {index} of a 1 x count cell, under that name; otherwise as ap_mex_array.
const double *ap_mex_cell_array(const char *name, const mxArray *arg, size_t index, size_t count, size_t rank,
                                size_t *size);

double *ap_mex_put(mxArray **out, size_t rank, const size_t *size);  // a new array of zeros
float *ap_mex_put_single(mxArray **out, size_t rank, const size_t *size);
mxArray *ap_mex_new(double **data, size_t rank, const size_t *size);  // the same, for a cell or a table of fields
typedef struct ap_mex_named {
    const char *name;
    mxArray *value;
} ap_mex_named;
mxArray *ap_mex_struct(size_t count, const ap_mex_named *fields);
void ap_mex_give(mxArray *plhs[], int nlhs, mxArray *out[]);  // as many as were wanted, one at least
void ap_mex_finite(const char *name, const mxArray *out);     // raises notFinite after an overflow

// ---- things of this package (ap_mexnet.c) ---------------------------------------------------------------------------

ap_net ap_mex_net(const mxArray *arg, size_t *N0);  // N0: features of its heads; 0, any
// The same with its marks. of: marks, of which those of another network are refused; NULL or [] is none. Heads of the
// same mark are known to be finite, and are read once.
ap_net ap_mex_marked_net(const mxArray *arg, size_t *N0, double mark[ap_net_marks], const mxArray *of);
// Fields attention, bandwidth, kernel and ridge.
ap_rule ap_mex_rule(const char *name, const mxArray *arg);
ap_form ap_mex_form(const char *name, const mxArray *arg);  // of moments: 'square' or 'factor'
ap_tokens ap_mex_tokens(const mxArray *X, const mxArray *lengths, size_t N0);
const double *const *ap_mex_maps(const mxArray *A, const ap_net *net, const ap_tokens *x);
double *const *ap_mex_put_maps(mxArray **out, const ap_net *net, const ap_tokens *x);  // new ones, of zeros
// N0: features wanted, or 0 for any.
ap_inputs ap_mex_inputs(const char *name, const mxArray *Xi, const ap_net *net, size_t N0);

typedef struct ap_mex_plan {  // the settings of attnpath_prepare_mex
    ap_span_use use;
    bool store;
    int threads;
} ap_mex_plan;

typedef struct ap_mex_training {  // a network and its training set: the one door by which labels come in
    ap_net net;                   // with several outputs the chain that ap_net_outputs makes
    ap_inputs x;                  // with features of a token, also where there is no basis
    const double *y;              // [P x outputs]
    size_t outputs;               // C >= 1
    bool shared;                  // C > 1 outputs share one U: the net is as it was given
    size_t null_examples;  // examples without path inputs, as in ap_moments.c, and the sum of their labels' squares
    double rest;           //
    double gradrel;        // that a solution has at most, as ap_point has it
    double rounding;       // ap_moments_rounding, 0 of examples
    double *store;         // kernels stored before, or NULL; only read
    size_t store_size;     // doubles
    ap_mex_plan plan;
    ap_kernel kernel;
    ap_problem problem;
    ap_mex_progress progress;  // the context of kernel->stop, which is ap_mex_stop until a gateway prints its lines
} ap_mex_training;

// Examples, or moments, made ready in the arena (ap_mexprepare.c).
ap_mex_training ap_mex_prepare(const mxArray *net, const mxArray *examples, const mxArray *y, const mxArray *settings);
ap_net ap_mex_chain(const ap_net *net, size_t C);  // of so many outputs (ap_net_outputs)
// data: as attnpath_prepare_mex returned it, or with a field settings, which are then followed here. memory: bytes for
// stored kernels, where none came with data.
ap_mex_training *ap_mex_problem(const mxArray *net, const mxArray *data, double memory);
void ap_mex_explain(ap_mex_training *t, ap_work *work);  // large labels without what no path input explains
AP_CHECKED ap_status ap_mex_build(ap_kernel *kernel, ap_work *work);

// Taken, with U_1..U_L of the cell; NULL: at the GP limit. The training set is explained before (ap_mex_explain).
ap_point ap_mex_place(ap_mex_training *t, const mxArray *order, ap_work *work);
// With value and gradient there. A point that is no solution is refused.
ap_point ap_mex_point(ap_mex_training *t, const mxArray *order, ap_work *work);
mxArray *ap_mex_new_order(const ap_net *net, const double *order);

#endif
