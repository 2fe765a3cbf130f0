// ap_mexutil.c: what all gateways share
// SPDX-License-Identifier: BSD-3-Clause
//
// Only the part of the MEX interface that Octave and MATLAB (-R2017b) share is used: real data through mxGetPr after
// complex and sparse arrays have been refused. mwSize is signed in Octave and size_t in MATLAB, hence the casts.

#include "ap_mexutil.h"

#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

enum { NAME = 96, TEXT = 512, RANK = 4 };
static const double LARGEST_BLOCK = 70368744177664.0;  // 2^46 bytes: beyond any machine, well within size_t
static const double LARGEST_COUNT = 2147483647.0;      // a number of heads, paths, layers or steps beyond any use
static const double SYMMETRY = 1e-10;                  // of the largest entry: well above what rounding leaves in U

_Noreturn void ap_mex_fail(const char *stem, const char *what, const char *format, ...) {
    char id[NAME], text[TEXT];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    (void)snprintf(id, sizeof id, "attnpath:%s:%s", stem, what);
    mexErrMsgIdAndTxt(id, "%s", text);
    abort();  // never reached: the line above does not return, which its prototype does not say
}

void ap_mex_usage(const char *stem, bool ok, const char *usage) {
    if (!ok) ap_mex_fail(stem, "usage", "wrong number of arguments; the call is %s", usage);
}

void ap_mex_check(const char *stem, ap_status status, const ap_error *err) {
    if (status < 0) ap_mex_fail(stem, ap_status_name(status), "%s", err->text);
}

#ifdef HAVE_OCTAVE  // from mex.h. No header promises the flag, so it is looked up weakly; MATLAB has none
extern volatile sig_atomic_t octave_interrupt_state __attribute__((weak));
bool ap_mex_interrupted(void) { return &octave_interrupt_state != NULL && octave_interrupt_state != 0; }
void ap_mex_forget_interrupt(void) {
    if (&octave_interrupt_state != NULL) octave_interrupt_state = 0;
}
#else
bool ap_mex_interrupted(void) { return false; }
void ap_mex_forget_interrupt(void) {}
#endif

#if defined(__GNUC__) && !defined(MATLAB_MEX_FILE)  // looked up weakly: whichever BLAS the host was linked with
extern int openblas_get_num_threads(void) __attribute__((weak));
extern void openblas_set_num_threads(int count) __attribute__((weak));
int ap_mex_blas_threads(int count) {
    if (openblas_get_num_threads == NULL || openblas_set_num_threads == NULL) return 0;
    const int before = openblas_get_num_threads();
    if (count > 0 && count != before) openblas_set_num_threads(count);
    return before;
}
#else
int ap_mex_blas_threads(int count) {
    (void)count;
    return 0;
}
#endif

#ifdef _OPENMP
size_t ap_mex_threads(size_t parts) {
    const size_t most = (size_t)omp_get_max_threads();
    return parts < most ? parts : most;
}
size_t ap_mex_thread(void) { return (size_t)omp_get_thread_num(); }
#else
size_t ap_mex_threads(size_t parts) { return parts < 1 ? parts : 1; }
size_t ap_mex_thread(void) { return 0; }
#endif

void ap_mex_worst(ap_status *worst, ap_error *err, ap_status status, const ap_error *own) {
#ifdef _OPENMP
#pragma omp critical(ap_mex_worst)
#endif
    if (status != AP_OK && (*worst == AP_OK || status < *worst)) {
        *worst = status;
        *err = *own;
    }
}

// ---- words for messages ---------------------------------------------------------------------------------------------

static size_t dimension(const mxArray *arg, size_t k) {  // the k-th size, 1 beyond the last
    return k < (size_t)mxGetNumberOfDimensions(arg) ? (size_t)mxGetDimensions(arg)[k] : 1;
}

static void append(char *text, size_t room, const char *format, size_t number) {
    const size_t used = strlen(text);
    (void)snprintf(text + used, room - used, format, (unsigned long)number);
}

static void describe_size(char text[NAME], const mxArray *arg) {
    text[0] = '\0';
    const size_t rank = (size_t)mxGetNumberOfDimensions(arg);
    for (size_t k = 0; k < rank && k < 8; k++) append(text, NAME, k == 0 ? "%lu" : " x %lu", dimension(arg, k));
}

static void describe_wanted(char text[NAME], size_t rank, const size_t *size) {
    text[0] = '\0';
    for (size_t k = 0; k < rank; k++) {
        if (k > 0) append(text, NAME, " x ", 0);
        append(text, NAME, size[k] == 0 ? "any" : "%lu", size[k]);
    }
}

static void describe_element(char text[NAME], const mxArray *arg, size_t index) {
    text[0] = '\0';
    const size_t rank = (size_t)mxGetNumberOfDimensions(arg);
    for (size_t k = 0; k < rank && k < 8; k++) {
        append(text, NAME, k == 0 ? "(%lu" : ",%lu", index % dimension(arg, k) + 1);
        index /= dimension(arg, k);
    }
    append(text, NAME, ")", 0);
}

// ---- arrays ---------------------------------------------------------------------------------------------------------

static size_t first_not_finite(const mxArray *arg) {  // index of an element, or their number
    const void *data = mxGetData(arg);                // once: it is a call for every element otherwise
    const float *f = mxIsSingle(arg) ? data : NULL;
    const double *d = f == NULL ? data : NULL;
    const size_t count = mxGetNumberOfElements(arg);
    size_t i = 0;
    if (f != NULL)
        while (i < count && isfinite(f[i])) i++;
    else
        while (i < count && isfinite(d[i])) i++;
    return i;
}

static bool is_nan(const mxArray *arg, size_t i) {
    const void *data = mxGetData(arg);
    return mxIsSingle(arg) ? isnan(((const float *)data)[i]) : isnan(((const double *)data)[i]);
}

static const void *plain_data(const char *stem, const char *name, const mxArray *arg, bool single) {
    const char *type = single ? "single" : "double";
    char size[NAME], element[NAME];
    if (arg == NULL) ap_mex_fail(stem, "empty", "%s is empty", name);
    if (mxIsSparse(arg)) ap_mex_fail(stem, "sparse", "%s must be full, not sparse", name);
    if (!(single ? mxIsSingle(arg) : mxIsDouble(arg)))
        ap_mex_fail(stem, "badClass", "%s must be %s, not %s", name, type, mxGetClassName(arg));
    if (mxIsComplex(arg)) ap_mex_fail(stem, "notReal", "%s must be real, not complex", name);
    describe_size(size, arg);
    if (mxIsEmpty(arg)) ap_mex_fail(stem, "empty", "%s is empty (%s)", name, size);
    const size_t bad = first_not_finite(arg);
    if (bad < mxGetNumberOfElements(arg)) {
        describe_element(element, arg, bad);
        ap_mex_fail(stem, "notFinite", "%s%s is %s", name, element, is_nan(arg, bad) ? "NaN" : "infinite");
    }
    return mxGetData(arg);
}

static void check_size(const char *stem, const char *name, const mxArray *arg, size_t rank, size_t *size) {
    bool fits = true;
    for (size_t k = 0; k < (size_t)mxGetNumberOfDimensions(arg) || k < rank; k++) {
        const size_t wanted = k < rank ? size[k] : 1;
        fits = fits && (wanted == 0 || wanted == dimension(arg, k));
    }
    if (!fits) {
        char found[NAME], want[NAME];
        describe_size(found, arg);
        describe_wanted(want, rank, size);
        ap_mex_fail(stem, "badShape", "%s must be %s, not %s", name, want, found);
    }
    for (size_t k = 0; k < rank; k++) size[k] = dimension(arg, k);
}

const double *ap_mex_array(const char *stem, const char *name, const mxArray *arg, size_t rank, size_t *size) {
    const double *data = plain_data(stem, name, arg, false);
    check_size(stem, name, arg, rank, size);
    return data;
}

const float *ap_mex_single(const char *stem, const char *name, const mxArray *arg, size_t rank, size_t *size) {
    const float *data = plain_data(stem, name, arg, true);
    check_size(stem, name, arg, rank, size);
    return data;
}

const double *ap_mex_symmetric(const char *stem, const char *name, const mxArray *arg, size_t n) {
    const double *U = ap_mex_array(stem, name, arg, 2, (size_t[]){n, n});
    double largest = 0;
    for (size_t i = 0; i < n * n; i++) largest = fmax(largest, fabs(U[i]));
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < j; i++) {
            if (fabs(U[i + n * j] - U[j + n * i]) > SYMMETRY * largest) {
                ap_mex_fail(stem, "notSymmetric", "%s must be symmetric: (%lu,%lu) is %.10g and (%lu,%lu) is %.10g",
                            name, (unsigned long)i + 1, (unsigned long)j + 1, U[i + n * j], (unsigned long)j + 1,
                            (unsigned long)i + 1, U[j + n * i]);
            }
        }
    }
    return U;
}

const double *ap_mex_semidefinite(const char *stem, const char *name, const mxArray *arg, size_t n) {
    // Cholesky of U + SYMMETRY largest I, row by row: exists if and only if no eigenvalue is below -SYMMETRY largest
    const double *U = ap_mex_symmetric(stem, name, arg, n);
    double *R = ap_mex_work(stem, ap_times(n, n)).base;
    double shift = 0;
    for (size_t i = 0; i < n * n; i++) shift = fmax(shift, SYMMETRY * fabs(U[i]));
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++) {
            double r = 0.5 * (U[i + n * j] + U[j + n * i]) + (i == j ? shift : 0);
            for (size_t k = 0; k < j; k++) r -= R[k + n * i] * R[k + n * j];  // row i of the factor is column i of R
            if (j < i) {
                R[j + n * i] = r == 0 ? 0 : r / R[j + n * j];
            } else if (r > 0 || (r == 0 && shift == 0)) {
                R[i + n * i] = sqrt(r);
            } else {
                ap_mex_fail(stem, "notPositiveDefinite", "%s has a negative eigenvalue, in its leading %lu x %lu block",
                            name, (unsigned long)i + 1, (unsigned long)i + 1);
            }
        }
    }
    mxFree(R);
    return U;
}

// ---- single values --------------------------------------------------------------------------------------------------

const mxArray *ap_mex_field(const char *stem, const char *name, const mxArray *arg, const char *field) {
    if (arg == NULL || !mxIsStruct(arg)) {
        ap_mex_fail(stem, "badClass", "%s must be a struct, not %s", name, arg == NULL ? "empty" : mxGetClassName(arg));
    }
    char size[NAME];
    describe_size(size, arg);
    if (mxGetNumberOfElements(arg) != 1) ap_mex_fail(stem, "badShape", "%s must be one struct, not %s", name, size);
    const mxArray *value = mxGetField(arg, 0, field);
    if (value == NULL) ap_mex_fail(stem, "missingField", "%s has no field %s", name, field);
    return value;
}

const mxArray *ap_mex_cell(const char *stem, const char *name, const mxArray *arg, size_t index, size_t count) {
    if (arg == NULL || !mxIsCell(arg)) {
        ap_mex_fail(stem, "badClass", "%s must be a 1 x %lu cell, not %s", name, (unsigned long)count,
                    arg == NULL ? "empty" : mxGetClassName(arg));
    }
    char size[NAME];
    describe_size(size, arg);
    if (mxGetM(arg) != 1 || mxGetNumberOfElements(arg) != count) {
        ap_mex_fail(stem, "badShape", "%s must be a 1 x %lu cell, not %s", name, (unsigned long)count, size);
    }
    return mxGetCell(arg, (mwIndex)index);  // NULL in MATLAB where nothing was ever assigned
}

double ap_mex_number(const char *stem, const char *name, const mxArray *arg, double lo, double hi) {
    const double value = *ap_mex_array(stem, name, arg, 2, (size_t[]){1, 1});
    if (value < lo) ap_mex_fail(stem, "badValue", "%s must be at least %.10g, not %.10g", name, lo, value);
    if (value > hi) ap_mex_fail(stem, "badValue", "%s must be at most %.10g, not %.10g", name, hi, value);
    return value;
}

static size_t as_count(const char *stem, const char *name, double value, size_t lo, size_t hi) {
    if (!(value >= (double)lo && value <= fmin((double)hi, LARGEST_COUNT)) || value != floor(value)) {
        ap_mex_fail(stem, "badValue", "%s must be an integer from %lu to %.10g, not %.10g", name, (unsigned long)lo,
                    fmin((double)hi, LARGEST_COUNT), value);
    }
    return (size_t)value;
}

size_t ap_mex_count(const char *stem, const char *name, const mxArray *arg, size_t lo, size_t hi) {
    return as_count(stem, name, *ap_mex_array(stem, name, arg, 2, (size_t[]){1, 1}), lo, hi);
}

size_t ap_mex_seed(const char *stem, const char *name, const mxArray *arg) {
    const double seed = ap_mex_number(stem, name, arg, 0, 4294967295.0);
    if (seed != floor(seed)) ap_mex_fail(stem, "badValue", "%s must be an integer, not %.10g", name, seed);
    return (size_t)seed;
}

bool ap_mex_flag(const char *stem, const char *name, const mxArray *arg) {
    if (arg != NULL && mxIsLogical(arg) && !mxIsSparse(arg)) {
        if (mxGetNumberOfElements(arg) != 1) ap_mex_fail(stem, "badShape", "%s must be one logical value", name);
        return *(const mxLogical *)mxGetData(arg) != 0;
    }
    return ap_mex_count(stem, name, arg, 0, 1) == 1;
}

size_t ap_mex_choice(const char *stem, const char *name, const mxArray *arg, size_t count, const char *const *words) {
    char text[32] = "", known[NAME] = "";
    if (arg != NULL && mxIsChar(arg)) (void)mxGetString(arg, text, sizeof text);  // too long: cut, and no word below
    for (size_t i = 0; i < count; i++) {
        if (strcmp(text, words[i]) == 0) return i;
        append(known, sizeof known, i == 0 ? "'" : "', '", 0);
        append(known, sizeof known, words[i], 0);
    }
    ap_mex_fail(stem, "badValue", "%s must be one of %s', not '%s'", name, known, text);
}

// ---- things of this package -----------------------------------------------------------------------------------------

static void read_heads(const char *stem, ap_heads *heads, const mxArray *arg, size_t layer, size_t *N0, size_t H) {
    char name[NAME], part[NAME + 4];
    (void)snprintf(name, sizeof name, "net.heads{%lu}", (unsigned long)layer);
    *heads = (ap_heads){0};
    if (arg != NULL && mxIsStruct(arg)) {
        size_t size[3] = {0, *N0, H};
        (void)snprintf(part, sizeof part, "%s.Q", name);
        heads->Q = ap_mex_array(stem, part, ap_mex_field(stem, name, arg, "Q"), 3, size);
        (void)snprintf(part, sizeof part, "%s.K", name);
        heads->K = ap_mex_array(stem, part, ap_mex_field(stem, name, arg, "K"), 3, size);
        heads->G = size[0];
        *N0 = size[1];
    } else {
        size_t size[3] = {*N0, *N0, H};
        heads->W = ap_mex_array(stem, name, arg, 3, size);
        if (size[0] != size[1]) {
            ap_mex_fail(stem, "badShape", "%s must be N0 x N0 x %lu, not %lu x %lu x %lu", name, (unsigned long)H,
                        (unsigned long)size[0], (unsigned long)size[1], (unsigned long)size[2]);
        }
        *N0 = size[0];
    }
}

static void read_readout(const char *stem, ap_net *net, const mxArray *arg) {
    if (!mxIsChar(arg)) {
        net->read = AP_READ_TOKEN;
        net->token = ap_mex_count(stem, "net.readout", arg, 1, SIZE_MAX) - 1;
        return;
    }
    static const char *const words[] = {"first", "last", "mean"};
    static const ap_read reads[] = {AP_READ_TOKEN, AP_READ_LAST, AP_READ_MEAN};
    net->read = reads[ap_mex_choice(stem, "net.readout", arg, 3, words)];
    net->token = 0;
}

static double number_or(const char *stem, const char *name, const mxArray *arg, const char *field, double otherwise) {
    const mxArray *found = mxGetField(arg, 0, field);
    char part[NAME];
    (void)snprintf(part, sizeof part, "%s.%s", name, field);
    return found == NULL ? otherwise : ap_mex_number(stem, part, found, -INFINITY, INFINITY);
}

void ap_mex_rule(const char *stem, const char *name, const mxArray *arg, ap_net *net) {
    static const char *const rules[] = {"softmax", "hardmax", "cme"};
    static const ap_rule rule[] = {AP_SOFTMAX, AP_HARDMAX, AP_CME};
    static const char *const kernels[] = {"exponential", "gaussian", "linear"};
    static const ap_kernel_kind kernel[] = {AP_KERNEL_EXPONENTIAL, AP_KERNEL_GAUSSIAN, AP_KERNEL_LINEAR};
    char part[NAME];
    (void)snprintf(part, sizeof part, "%s.attention", name);
    net->rule = rule[ap_mex_choice(stem, part, ap_mex_field(stem, name, arg, "attention"), 3, rules)];
    net->bandwidth = number_or(stem, name, arg, "bandwidth", 1.0);
    net->ridge = number_or(stem, name, arg, "ridge", 1e-3);
    const mxArray *word = mxGetField(arg, 0, "kernel");
    (void)snprintf(part, sizeof part, "%s.kernel", name);
    net->kernel = word == NULL ? AP_KERNEL_EXPONENTIAL : kernel[ap_mex_choice(stem, part, word, 3, kernels)];
}

void ap_mex_blas_check(const char *stem) {
    if (!ap_blas_selftest())
        ap_mex_fail(stem, "blasInteger",
                    "the BLAS that was linked uses integers of another width than it was built for");
}

ap_net ap_mex_net(const char *stem, const mxArray *arg, size_t *N0) {
    ap_mex_blas_check(stem);
    ap_net net = {0};
    size_t size[2] = {1, 0};
    const double *H = ap_mex_array(stem, "net.H", ap_mex_field(stem, "net", arg, "H"), 2, size);
    net.L = ap_mex_count(stem, "net.L", ap_mex_field(stem, "net", arg, "L"), size[1], size[1]);
    size_t *counts = mxMalloc(net.L * sizeof *counts);
    for (size_t l = 0; l < net.L; l++) counts[l] = as_count(stem, "every net.H", H[l], 1, SIZE_MAX);
    net.H = counts;

    *N0 = ap_mex_count(stem, "net.N0", ap_mex_field(stem, "net", arg, "N0"), 0, SIZE_MAX);
    const mxArray *heads = ap_mex_field(stem, "net", arg, "heads");
    if (!mxIsCell(heads) || mxGetNumberOfElements(heads) != 0) {
        ap_heads *list = mxMalloc(net.L * sizeof *list);
        for (size_t l = 0; l < net.L; l++) {
            read_heads(stem, &list[l], ap_mex_cell(stem, "net.heads", heads, l, net.L), l + 1, N0, counts[l]);
        }
        net.heads = list;
    }

    ap_mex_rule(stem, "net", arg, &net);
    net.causal = ap_mex_flag(stem, "net.causal", ap_mex_field(stem, "net", arg, "causal"));
    read_readout(stem, &net, ap_mex_field(stem, "net", arg, "readout"));
    net.width = ap_mex_array(stem, "net.width", ap_mex_field(stem, "net", arg, "width"), 2, (size_t[]){1, net.L + 1});
    net.variance =
        ap_mex_array(stem, "net.variance", ap_mex_field(stem, "net", arg, "variance"), 2, (size_t[]){1, net.L + 2});
    const mxArray *temperature = ap_mex_field(stem, "net", arg, "temperature");
    net.temperature = ap_mex_number(stem, "net.temperature", temperature, 0, INFINITY);
    ap_error err = {0};
    ap_mex_check(stem, ap_net_check(&net, &err), &err);
    return net;
}

ap_tokens ap_mex_tokens(const char *stem, const mxArray *X, const mxArray *lengths, size_t N0) {
    size_t size[3] = {N0, 0, 0};
    ap_tokens x = {.X = ap_mex_array(stem, "X", X, 3, size)};
    x.N0 = size[0];
    x.T = size[1];
    x.P = size[2];
    if (mxIsDouble(lengths) && mxIsEmpty(lengths)) return x;
    const double *given = ap_mex_array(stem, "lengths", lengths, 2, (size_t[]){1, x.P});
    size_t *length = mxMalloc(x.P * sizeof *length);
    for (size_t mu = 0; mu < x.P; mu++) length[mu] = as_count(stem, "every length", given[mu], 1, x.T);
    x.length = length;
    return x;
}

const double *const *ap_mex_maps(const char *stem, const mxArray *A, const ap_net *net, const ap_tokens *x) {
    if (mxIsDouble(A) && mxIsEmpty(A)) return NULL;
    const double **maps = mxMalloc(net->L * sizeof *maps);
    char name[NAME];
    for (size_t l = 0; l < net->L; l++) {
        (void)snprintf(name, sizeof name, "A{%lu}", (unsigned long)l + 1);
        maps[l] =
            ap_mex_array(stem, name, ap_mex_cell(stem, "A", A, l, net->L), 4, (size_t[]){x->T, x->T, net->H[l], x->P});
    }
    return maps;
}

const double *ap_mex_inputs(const char *stem, const char *name, const mxArray *Xi, const ap_net *net, size_t *N0,
                            size_t *P) {
    size_t size[3] = {*N0, 0, ap_net_paths(net, 1)};
    const double *data = ap_mex_array(stem, name, Xi, 3, size);
    *N0 = size[0];
    *P = size[1];
    return data;
}

const double *ap_mex_labels(const char *stem, const mxArray *y, size_t P) {
    return ap_mex_array(stem, "y", y, 2, (size_t[]){P, 1});
}

double *ap_mex_order(const char *stem, const mxArray *cell, const ap_net *net) {
    double *order = NULL, *next = NULL;
    char name[NAME];
    for (size_t l = 0; l < net->L; l++) {
        const size_t n = ap_net_paths(net, l + 1);
        (void)snprintf(name, sizeof name, "order{%lu}", (unsigned long)l + 1);
        const double *U = ap_mex_symmetric(stem, name, ap_mex_cell(stem, "order", cell, l, net->L), n);
        if (l == 0) order = next = ap_mex_work(stem, ap_net_order(net)).base;
        for (size_t j = 0; j < n; j++) {
            for (size_t i = 0; i < n; i++) next[i + n * j] = 0.5 * (U[i + n * j] + U[j + n * i]);
        }
        next += n * n;
    }
    return order;
}

// ---- outputs and workspace ------------------------------------------------------------------------------------------

static void refuse_large(const char *stem, size_t count) {
    if ((double)count * sizeof(double) > LARGEST_BLOCK) {
        ap_mex_fail(stem, "tooLarge", "this needs %.3g GiB of memory in one block", (double)count / 134217728.0);
    }
}

static void *put(const char *stem, mxArray **out, size_t rank, const size_t *size, mxClassID type) {
    mwSize dims[RANK];
    size_t count = 1;
    for (size_t k = 0; k < rank; k++) {
        count = ap_times(count, size[k]);
        dims[k] = (mwSize)size[k];
    }
    refuse_large(stem, count);
    *out = mxCreateNumericArray((mwSize)rank, dims, type, mxREAL);
    return mxGetData(*out);
}

double *ap_mex_put(const char *stem, mxArray **out, size_t rank, const size_t *size) {
    return put(stem, out, rank, size, mxDOUBLE_CLASS);
}

float *ap_mex_put_single(const char *stem, mxArray **out, size_t rank, const size_t *size) {
    return put(stem, out, rank, size, mxSINGLE_CLASS);
}

void ap_mex_put_order(const char *stem, mxArray **out, const ap_net *net, const double *order) {
    *out = mxCreateCellMatrix(1, (mwSize)net->L);
    for (size_t l = 0; l < net->L; l++) {
        const size_t n = ap_net_paths(net, l + 1);
        mxArray *U;
        memcpy(ap_mex_put(stem, &U, 2, (size_t[]){n, n}), order, n * n * sizeof *order);
        mxSetCell(*out, (mwIndex)l, U);
        order += n * n;
    }
}

void ap_mex_finite(const char *stem, const char *name, const mxArray *out) {
    if (first_not_finite(out) < mxGetNumberOfElements(out)) {
        ap_mex_fail(stem, "notFinite", "%s overflows: the input's numbers are too large", name);
    }
}

ap_work ap_mex_work(const char *stem, size_t count) {
    refuse_large(stem, count);
    return (ap_work){.base = mxMalloc((count > 0 ? count : 1) * sizeof(double)), .size = count, .used = 0};
}
