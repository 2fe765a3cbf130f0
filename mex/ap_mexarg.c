// ap_mexarg.c: arguments of any gateway: numbers, arrays, structs, cells, text, and the arrays that go out
// SPDX-License-Identifier: BSD-3-Clause
//
// Only the part of the MEX interface that Octave and MATLAB (-R2017b) share is used: real data through mxGetPr after
// complex and sparse arrays have been refused. mwSize is signed in Octave and size_t in MATLAB, hence the casts.

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "ap_mexutil.h"

enum { NAME = 96, RANK = 4 };
static const double LARGEST_COUNT = 2147483647.0;  // a number of heads, paths, layers or steps beyond any use
static const double SYMMETRY = 1e-10;              // of the largest entry: well above what rounding leaves in U

// ---- words for messages ---------------------------------------------------------------------------------------------

static size_t dimension(const mxArray *arg, size_t k) {  // the k-th size, 1 beyond the last
    return k < (size_t)mxGetNumberOfDimensions(arg) ? (size_t)mxGetDimensions(arg)[k] : 1;
}

static void append(char *text, size_t room, const char *more) {
    const size_t used = strlen(text);
    (void)snprintf(text + used, room - used, "%s", more);
}

static void append_number(char *text, size_t room, const char *before, size_t number) {
    const size_t used = strlen(text);
    (void)snprintf(text + used, room - used, "%s%lu", before, (unsigned long)number);
}

static void describe_size(char text[NAME], const mxArray *arg) {
    text[0] = '\0';
    const size_t rank = (size_t)mxGetNumberOfDimensions(arg);
    for (size_t k = 0; k < rank && k < 8; k++) append_number(text, NAME, k == 0 ? "" : " x ", dimension(arg, k));
}

static void describe_wanted(char text[NAME], size_t rank, const size_t *size) {
    text[0] = '\0';
    for (size_t k = 0; k < rank; k++) {
        const char *before = k == 0 ? "" : " x ";
        if (size[k] > 0)
            append_number(text, NAME, before, size[k]);
        else
            append(text, NAME, k == 0 ? "any" : " x any");
    }
}

static void describe_element(char text[NAME], const mxArray *arg, size_t index) {
    text[0] = '\0';
    const size_t rank = (size_t)mxGetNumberOfDimensions(arg);
    for (size_t k = 0; k < rank && k < 8; k++) {
        append_number(text, NAME, k == 0 ? "(" : ",", index % dimension(arg, k) + 1);
        index /= dimension(arg, k);
    }
    append(text, NAME, ")");
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

static const void *any_data(const char *name, const mxArray *arg, bool single) {  // of any values
    const char *type = single ? "single" : "double";
    char size[NAME];
    if (arg == NULL) ap_mex_fail("empty", "%s is empty", name);
    if (mxIsSparse(arg)) ap_mex_fail("sparse", "%s must be full, not sparse", name);
    if (!(single ? mxIsSingle(arg) : mxIsDouble(arg)))
        ap_mex_fail("badClass", "%s must be %s, not %s", name, type, mxGetClassName(arg));
    if (mxIsComplex(arg)) ap_mex_fail("notReal", "%s must be real, not complex", name);
    describe_size(size, arg);
    if (mxIsEmpty(arg)) ap_mex_fail("empty", "%s is empty (%s)", name, size);
    return mxGetData(arg);
}

static const void *plain_data(const char *name, const mxArray *arg, bool single) {
    char element[NAME];
    const void *data = any_data(name, arg, single);
    const size_t bad = first_not_finite(arg);
    if (bad < mxGetNumberOfElements(arg)) {
        describe_element(element, arg, bad);
        ap_mex_fail("notFinite", "%s%s is %s", name, element, is_nan(arg, bad) ? "NaN" : "infinite");
    }
    return data;
}

static void check_size(const char *name, const mxArray *arg, size_t rank, size_t *size) {
    bool fits = true;
    for (size_t k = 0; k < (size_t)mxGetNumberOfDimensions(arg) || k < rank; k++) {
        const size_t wanted = k < rank ? size[k] : 1;
        fits = fits && (wanted == 0 || wanted == dimension(arg, k));
    }
    if (!fits) {
        char found[NAME], want[NAME];
        describe_size(found, arg);
        describe_wanted(want, rank, size);
        ap_mex_fail("badShape", "%s must be %s, not %s", name, want, found);
    }
    for (size_t k = 0; k < rank; k++) size[k] = dimension(arg, k);
}

const double *ap_mex_array(const char *name, const mxArray *arg, size_t rank, size_t *size) {
    const double *data = plain_data(name, arg, false);
    check_size(name, arg, rank, size);
    return data;
}

const double *ap_mex_unread(const char *name, const mxArray *arg, size_t rank, size_t *size) {
    const double *data = any_data(name, arg, false);
    check_size(name, arg, rank, size);
    return data;
}

const float *ap_mex_single(const char *name, const mxArray *arg, size_t rank, size_t *size) {
    const float *data = plain_data(name, arg, true);
    check_size(name, arg, rank, size);
    return data;
}

static void check_symmetric(const char *name, const double *U, size_t n) {
    double largest = 0;
    for (size_t i = 0; i < n * n; i++) largest = fmax(largest, fabs(U[i]));
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < j; i++) {
            if (fabs(U[i + n * j] - U[j + n * i]) > SYMMETRY * largest) {
                ap_mex_fail("notSymmetric", "%s must be symmetric: (%lu,%lu) is %.10g and (%lu,%lu) is %.10g", name,
                            (unsigned long)i + 1, (unsigned long)j + 1, U[i + n * j], (unsigned long)j + 1,
                            (unsigned long)i + 1, U[j + n * i]);
            }
        }
    }
}

const double *ap_mex_symmetric(const char *name, const mxArray *arg, size_t n) {
    const double *U = ap_mex_array(name, arg, 2, (size_t[]){n, n});
    check_symmetric(name, U, n);
    return U;
}

// Cholesky of U + SYMMETRY largest I, row by row: exists if and only if no eigenvalue is below -SYMMETRY largest
static void check_semidefinite(const char *name, const double *U, size_t n, double *R) {
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
                ap_mex_fail("notPositiveDefinite", "%s has a negative eigenvalue, in its leading %lu x %lu block", name,
                            (unsigned long)i + 1, (unsigned long)i + 1);
            }
        }
    }
}

const double *ap_mex_semidefinites(const char *name, const mxArray *arg, size_t n, size_t *count) {
    size_t size[] = {n, n, 0};
    const double *U = ap_mex_array(name, arg, 3, size);
    double *R = ap_mex_list(ap_times(n, n), sizeof *R);
    for (size_t k = 0; k < size[2]; k++) {
        char page[NAME];
        (void)snprintf(page, sizeof page, "%s(:,:,%lu)", name, (unsigned long)k + 1);
        if (size[2] == 1) (void)snprintf(page, sizeof page, "%s", name);
        check_symmetric(page, U + n * n * k, n);
        check_semidefinite(page, U + n * n * k, n, R);
    }
    mxFree(R);
    *count = size[2];
    return U;
}

const double *ap_mex_semidefinite(const char *name, const mxArray *arg, size_t n) {
    size_t count;
    (void)ap_mex_array(name, arg, 2, (size_t[]){n, n});
    return ap_mex_semidefinites(name, arg, n, &count);
}

// ---- single values --------------------------------------------------------------------------------------------------

bool ap_mex_absent(const mxArray *arg) { return mxIsDouble(arg) && mxIsEmpty(arg); }

const mxArray *ap_mex_field_or(const char *name, const mxArray *arg) {
    return mxGetField(arg, 0, strrchr(name, '.') + 1);
}

const mxArray *ap_mex_field(const char *name, const mxArray *arg) {
    const char *field = strrchr(name, '.') + 1;
    const int owner = (int)(field - name) - 1;  // characters of the struct's own name
    if (arg == NULL || !mxIsStruct(arg))
        ap_mex_fail("badClass", "%.*s must be a struct, not %s", owner, name,
                    arg == NULL ? "empty" : mxGetClassName(arg));
    char size[NAME];
    describe_size(size, arg);
    if (mxGetNumberOfElements(arg) != 1) ap_mex_fail("badShape", "%.*s must be one struct, not %s", owner, name, size);
    const mxArray *value = ap_mex_field_or(name, arg);
    if (value == NULL) ap_mex_fail("missingField", "%.*s has no field %s", owner, name, field);
    return value;
}

const mxArray *ap_mex_cell(const char *name, const mxArray *arg, size_t index, size_t count) {
    if (arg == NULL || !mxIsCell(arg)) {
        ap_mex_fail("badClass", "%s must be a 1 x %lu cell, not %s", name, (unsigned long)count,
                    arg == NULL ? "empty" : mxGetClassName(arg));
    }
    char size[NAME];
    describe_size(size, arg);
    if (mxGetM(arg) != 1 || mxGetNumberOfElements(arg) != count) {
        ap_mex_fail("badShape", "%s must be a 1 x %lu cell, not %s", name, (unsigned long)count, size);
    }
    return mxGetCell(arg, (mwIndex)index);  // NULL in MATLAB where nothing was ever assigned
}

const double *ap_mex_cell_array(const char *name, const mxArray *arg, size_t index, size_t count, size_t rank,
                                size_t *size) {
    char entry[NAME];
    (void)snprintf(entry, sizeof entry, "%s{%lu}", name, (unsigned long)index + 1);
    return ap_mex_array(entry, ap_mex_cell(name, arg, index, count), rank, size);
}

double ap_mex_number(const char *name, const mxArray *arg, double lo, double hi) {
    const double value = *ap_mex_array(name, arg, 2, (size_t[]){1, 1});
    if (value < lo) ap_mex_fail("badValue", "%s must be at least %.10g, not %.10g", name, lo, value);
    if (value > hi) ap_mex_fail("badValue", "%s must be at most %.10g, not %.10g", name, hi, value);
    return value;
}

double ap_mex_number_or(const char *name, const mxArray *arg, double otherwise, double lo, double hi) {
    const mxArray *found = ap_mex_field_or(name, arg);
    return found == NULL ? otherwise : ap_mex_number(name, found, lo, hi);
}

size_t ap_mex_as_count(const char *name, double value, size_t lo, size_t hi) {
    if (!(value >= (double)lo && value <= fmin((double)hi, LARGEST_COUNT)) || value != floor(value)) {
        ap_mex_fail("badValue", "%s must be an integer from %lu to %.10g, not %.10g", name, (unsigned long)lo,
                    fmin((double)hi, LARGEST_COUNT), value);
    }
    return (size_t)value;
}

size_t ap_mex_count(const char *name, const mxArray *arg, size_t lo, size_t hi) {
    return ap_mex_as_count(name, *ap_mex_array(name, arg, 2, (size_t[]){1, 1}), lo, hi);
}

size_t ap_mex_seed(const char *name, const mxArray *arg) {
    const double seed = ap_mex_number(name, arg, 0, 4294967295.0);
    if (seed != floor(seed)) ap_mex_fail("badValue", "%s must be an integer, not %.10g", name, seed);
    return (size_t)seed;
}

bool ap_mex_flag(const char *name, const mxArray *arg) {
    if (arg != NULL && mxIsLogical(arg) && !mxIsSparse(arg)) {
        if (mxGetNumberOfElements(arg) != 1) ap_mex_fail("badShape", "%s must be one logical value", name);
        return *(const mxLogical *)mxGetData(arg) != 0;
    }
    return ap_mex_count(name, arg, 0, 1) == 1;
}

bool ap_mex_flag_or(const char *name, const mxArray *arg) {
    const mxArray *found = ap_mex_field_or(name, arg);
    return found != NULL && ap_mex_flag(name, found);
}

size_t ap_mex_choice(const char *name, const mxArray *arg, size_t count, const char *const *words) {
    char text[32] = "", known[NAME] = "";
    if (arg != NULL && mxIsChar(arg)) (void)mxGetString(arg, text, sizeof text);  // too long: cut, and no word below
    for (size_t i = 0; i < count; i++) {
        if (strcmp(text, words[i]) == 0) return i;
        append(known, sizeof known, i == 0 ? "'" : "', '");
        append(known, sizeof known, words[i]);
    }
    ap_mex_fail("badValue", "%s must be one of %s', not '%s'", name, known, text);
}

// ---- outputs --------------------------------------------------------------------------------------------------------

static void *put(mxArray **out, size_t rank, const size_t *size, mxClassID type) {
    mwSize dims[RANK];
    size_t count = 1;
    for (size_t k = 0; k < rank; k++) {
        count = ap_times(count, size[k]);
        dims[k] = (mwSize)size[k];
    }
    ap_mex_fits(type == mxSINGLE_CLASS ? ap_plus(count, 1) / 2 : count);
    *out = mxCreateNumericArray((mwSize)rank, dims, type, mxREAL);
    return mxGetData(*out);
}

double *ap_mex_put(mxArray **out, size_t rank, const size_t *size) { return put(out, rank, size, mxDOUBLE_CLASS); }

float *ap_mex_put_single(mxArray **out, size_t rank, const size_t *size) {
    return put(out, rank, size, mxSINGLE_CLASS);
}

mxArray *ap_mex_struct(size_t count, const ap_mex_named *fields) {
    const char **names = ap_mex_list(count, sizeof *names);
    for (size_t k = 0; k < count; k++) names[k] = fields[k].name;
    mxArray *out = mxCreateStructMatrix(1, 1, (int)count, names);
    for (size_t k = 0; k < count; k++) mxSetField(out, 0, names[k], fields[k].value);
    return out;
}

void ap_mex_give(mxArray *plhs[], int nlhs, mxArray *out[]) {
    for (int k = 0; k == 0 || k < nlhs; k++) plhs[k] = out[k];
}

void ap_mex_finite(const char *name, const mxArray *out) {
    if (first_not_finite(out) < mxGetNumberOfElements(out)) {
        ap_mex_fail("notFinite", "%s overflows: the input's numbers are too large", name);
    }
}
