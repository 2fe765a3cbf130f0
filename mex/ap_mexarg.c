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

// ---- words for messages ---------------------------------------------------------------------------------------------

static size_t dimension(const mxArray *arg, size_t k) {  // the k-th size, 1 beyond the last
    return k < (size_t)mxGetNumberOfDimensions(arg) ? (size_t)mxGetDimensions(arg)[k] : 1;
}

// The numbers with that between them; where one is 0, `zero`.
static const char *listed(char text[NAME], const char *between, size_t count, const size_t *number, const char *zero) {
    text[0] = '\0';
    for (size_t k = 0; k < count; k++) {
        char one[24];
        const size_t used = strlen(text);
        (void)snprintf(one, sizeof one, "%zu", number[k]);
        (void)snprintf(text + used, NAME - used, "%s%s", k == 0 ? "" : between, number[k] > 0 ? one : zero);
    }
    return text;
}

static const char *size_of(char text[NAME], const mxArray *arg) {
    size_t size[8], rank = 0;
    for (; rank < (size_t)mxGetNumberOfDimensions(arg) && rank < 8; rank++) size[rank] = dimension(arg, rank);
    return listed(text, " x ", rank, size, "0");
}

static const char *place_of(char text[NAME], const mxArray *arg, size_t index) {  // of an element, as users count
    size_t place[8], rank = 0;
    for (; rank < (size_t)mxGetNumberOfDimensions(arg) && rank < 8; rank++) {
        place[rank] = index % dimension(arg, rank) + 1;
        index /= dimension(arg, rank);
    }
    return listed(text, ",", rank, place, "");
}

// ---- arrays ---------------------------------------------------------------------------------------------------------

static size_t first_not_finite(const mxArray *arg) {  // index of an element, or their number
    const size_t count = mxGetNumberOfElements(arg);
    const void *data = mxGetData(arg);  // once: it is a call for every element otherwise
    size_t i = 0;
    if (mxIsSingle(arg))
        for (const float *f = data; i < count && isfinite(f[i]);) i++;
    else
        for (const double *d = data; i < count && isfinite(d[i]);) i++;
    return i;
}

static const void *array(const char *name, const mxArray *arg, bool single, bool read, size_t rank, size_t *size) {
    char text[NAME], wanted[NAME];
    if (arg == NULL) ap_mex_fail("empty", "%s is empty", name);
    if (mxIsSparse(arg)) ap_mex_fail("sparse", "%s must be full, not sparse", name);
    if (!(single ? mxIsSingle(arg) : mxIsDouble(arg)))
        ap_mex_fail("badClass", "%s must be %s, not %s", name, single ? "single" : "double", mxGetClassName(arg));
    if (mxIsComplex(arg)) ap_mex_fail("notReal", "%s must be real, not complex", name);
    if (mxIsEmpty(arg)) ap_mex_fail("empty", "%s is empty (%s)", name, size_of(text, arg));
    const void *data = mxGetData(arg);
    const size_t count = mxGetNumberOfElements(arg), bad = read ? first_not_finite(arg) : count;
    if (bad < count)
        ap_mex_fail("notFinite", "%s(%s) is %s", name, place_of(text, arg, bad),
                    isnan(single ? ((const float *)data)[bad] : ((const double *)data)[bad]) ? "NaN" : "infinite");
    bool fits = true;
    for (size_t k = 0; k < (size_t)mxGetNumberOfDimensions(arg) || k < rank; k++)
        fits = fits && ((k < rank && size[k] == 0) || dimension(arg, k) == (k < rank ? size[k] : 1));
    if (!fits)
        ap_mex_fail("badShape", "%s must be %s, not %s", name, listed(wanted, " x ", rank, size, "any"),
                    size_of(text, arg));
    for (size_t k = 0; k < rank; k++) size[k] = dimension(arg, k);
    return data;
}

const double *ap_mex_array(const char *name, const mxArray *arg, size_t rank, size_t *size) {
    return array(name, arg, false, true, rank, size);
}

const double *ap_mex_unread(const char *name, const mxArray *arg, size_t rank, size_t *size) {
    return array(name, arg, false, false, rank, size);
}

const float *ap_mex_single(const char *name, const mxArray *arg, size_t rank, size_t *size) {
    return array(name, arg, true, true, rank, size);
}

// ---- single values --------------------------------------------------------------------------------------------------

bool ap_mex_absent(const mxArray *arg) { return arg == NULL || (mxIsDouble(arg) && mxIsEmpty(arg)); }

const mxArray *ap_mex_field(const char *name, const mxArray *arg) {
    const char *field = strrchr(name, '.') + 1;
    const int owner = (int)(field - name) - 1;  // characters of the struct's own name
    if (arg == NULL || !mxIsStruct(arg))
        ap_mex_fail("badClass", "%.*s must be a struct, not %s", owner, name,
                    arg == NULL ? "empty" : mxGetClassName(arg));
    char size[NAME];
    if (mxGetNumberOfElements(arg) != 1)
        ap_mex_fail("badShape", "%.*s must be one struct, not %s", owner, name, size_of(size, arg));
    const mxArray *value = mxGetField(arg, 0, field);
    if (value == NULL) ap_mex_fail("missingField", "%.*s has no field %s", owner, name, field);
    return value;
}

const mxArray *ap_mex_cell(const char *name, const mxArray *arg, size_t index, size_t count) {
    char size[NAME];
    if (arg == NULL || !mxIsCell(arg))
        ap_mex_fail("badClass", "%s must be a 1 x %zu cell, not %s", name, count,
                    arg == NULL ? "empty" : mxGetClassName(arg));
    if (mxGetM(arg) != 1 || mxGetNumberOfElements(arg) != count)
        ap_mex_fail("badShape", "%s must be a 1 x %zu cell, not %s", name, count, size_of(size, arg));
    return mxGetCell(arg, (mwIndex)index);  // NULL in MATLAB where nothing was ever assigned
}

const double *ap_mex_cell_array(const char *name, const mxArray *arg, size_t index, size_t count, size_t rank,
                                size_t *size) {
    char entry[NAME];
    (void)snprintf(entry, sizeof entry, "%s{%zu}", name, index + 1);
    return ap_mex_array(entry, ap_mex_cell(name, arg, index, count), rank, size);
}

double ap_mex_number(const char *name, const mxArray *arg, double lo, double hi) {
    const double value = *ap_mex_array(name, arg, 2, (size_t[]){1, 1});
    if (value < lo) ap_mex_fail("badValue", "%s must be at least %.10g, not %.10g", name, lo, value);
    if (value > hi) ap_mex_fail("badValue", "%s must be at most %.10g, not %.10g", name, hi, value);
    return value;
}

size_t ap_mex_as_count(const char *name, double value, double lo, double hi) {
    const double most = fmin(hi, (double)SIZE_MAX);
    if (!(value >= lo && value <= most) || value != floor(value))
        ap_mex_fail("badValue", "%s must be an integer from %.10g to %.10g, not %.10g", name, lo, most, value);
    return (size_t)value;
}

size_t ap_mex_count(const char *name, const mxArray *arg, double lo, double hi) {
    return ap_mex_as_count(name, *ap_mex_array(name, arg, 2, (size_t[]){1, 1}), lo, hi);
}

bool ap_mex_flag(const char *name, const mxArray *arg) {
    if (arg != NULL && mxIsLogical(arg) && !mxIsSparse(arg)) {
        if (mxGetNumberOfElements(arg) != 1) ap_mex_fail("badShape", "%s must be one logical value", name);
        return *(const mxLogical *)mxGetData(arg) != 0;
    }
    return ap_mex_count(name, arg, 0, 1) == 1;
}

size_t ap_mex_choice(const char *name, const mxArray *arg, size_t count, const char *const *words) {
    char text[32] = "", known[NAME] = "";
    if (arg != NULL && mxIsChar(arg)) (void)mxGetString(arg, text, sizeof text);  // too long: cut, and no word below
    for (size_t i = 0; i < count; i++) {
        if (strcmp(text, words[i]) == 0) return i;
        const size_t used = strlen(known);
        (void)snprintf(known + used, sizeof known - used, "%s%s", i == 0 ? "'" : "', '", words[i]);
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

mxArray *ap_mex_new(double **data, size_t rank, const size_t *size) {
    mxArray *out;
    *data = ap_mex_put(&out, rank, size);
    return out;
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
    if (first_not_finite(out) < mxGetNumberOfElements(out))
        ap_mex_fail("notFinite", "%s overflows: the input's numbers are too large", name);
}
