// gateways.c: converts bytes into a call of a gateway, for libFuzzer; tests/fuzz/run builds it
// SPDX-License-Identifier: BSD-3-Clause
//
// call     number of the gateway, outputs + 8 * (number of the check that finds Ctrl-C, 0: none), number of arguments,
//          and the arguments
// value    0 [] | 1 double | 2 single | 3 text | 4 logical | 5 struct | 6 cell | 7 int32 | 8 sparse | 9 complex
// arrays   rank, a size each, format of the elements, and the elements: 0 eight bytes | 1 one | 2 of `special` | 3
//          two, by 1/1024 | 4 four bytes.  size: a byte below 64, or 200 + its high byte, and its low one
// struct   elements, fields, and each field: length of its name, name, value;  cell: rows, columns, values
// Missing bytes at the end are 0. tests/fuzz/fuzz_gateways.m writes valid calls in this format, from which the fuzzer
// starts. Arrays are small and loops short, for thousands of calls a second. attnpath_rename_mex is not called, since
// it would rename files at random.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

#define GATEWAYS                                                                                                \
    G(action)                                                                                                   \
    G(attend)                                                                                                   \
    G(attention) G(backward) G(evidence) G(expand) G(gradient) G(interrupt) G(kernel) G(loo) G(mark) G(moments) \
        G(pathkernels) G(paths) G(predict) G(prepare) G(sample) G(solve) G(train) G(draws)
#define G(name) void attnpath_##name##_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]);
GATEWAYS
#undef G
#define G(name) {"attnpath_" #name "_mex", attnpath_##name##_mex},
static const struct {
    const char *name;
    void (*call)(int, mxArray **, int, const mxArray **);
} doors[] = {GATEWAYS};
enum { COUNT = sizeof doors / sizeof doors[0], MOST = 8, DEEP = 4, ELEMENTS = 4096 };

typedef struct input {
    const uint8_t *at, *end;
} input;

static uint8_t byte(input *in) { return in->at < in->end ? *in->at++ : 0; }

static double element(input *in, uint8_t how) {
    static const double special[] = {
        0,     -0.0,   1,      -1,     2,   0.5,          NAN,          INFINITY,           -INFINITY,
        1e300, -1e300, 1e-300, 1e-320, 1e8, 2147483648.0, 4294967296.0, 9007199254740992.0, 18446744073709551616.0};
    uint8_t raw[8];
    double x;
    float f;
    switch (how % 5) {
        case 0:
            for (int k = 0; k < 8; k++) raw[k] = byte(in);
            memcpy(&x, raw, sizeof x);
            return x;
        case 1: return (int8_t)byte(in);
        case 2: return special[byte(in) % (sizeof special / sizeof *special)];
        case 3: raw[0] = byte(in); return (int16_t)(raw[0] | byte(in) << 8) / 1024.0;
        default:
            for (int k = 0; k < 4; k++) raw[k] = byte(in);
            memcpy(&f, raw, sizeof f);
            return f;
    }
}

static void fill(input *in, mxArray *a, uint8_t how) {
    for (size_t k = 0; k < a->count && in->at < in->end; k++) {  // missing bytes are 0 already
        const double x = element(in, how);
        switch (a->type) {
            case mxSINGLE_CLASS: ((float *)a->data)[k] = (float)fmax(-3e38, fmin(x, 3e38)); break;
            case mxCHAR_CLASS: ((mxChar *)a->data)[k] = (mxChar)fmax(0, fmin(x, 65535)); break;
            case mxLOGICAL_CLASS: ((mxLogical *)a->data)[k] = x != 0; break;
            case mxVOID_CLASS: ((int32_t *)a->data)[k] = (int32_t)fmax(-2e9, fmin(x, 2e9)); break;
            default: ((double *)a->data)[k] = x;
        }
    }
}

static size_t extent(input *in) {
    const uint8_t first = byte(in);
    return first < 200 ? first % 64 : (size_t)(first - 200) % 16 << 8 | byte(in);
}

static mxArray *array(input *in, uint8_t tag) {
    static const mxClassID types[] = {mxDOUBLE_CLASS, mxDOUBLE_CLASS, mxSINGLE_CLASS, mxCHAR_CLASS,   mxLOGICAL_CLASS,
                                      mxDOUBLE_CLASS, mxDOUBLE_CLASS, mxVOID_CLASS,   mxDOUBLE_CLASS, mxDOUBLE_CLASS};
    static const size_t bytes[] = {8, 8, 4, 2, 1, 8, 8, 4, 8, 8};
    const size_t rank = 2 + byte(in) % 4;
    size_t size[5], count = 1;
    for (size_t k = 0; k < rank; k++) {
        size[k] = extent(in);
        if (size[k] > ELEMENTS / (count > 0 ? count : 1)) size[k] = 1;
        count *= size[k];
    }
    const uint8_t how = byte(in);
    mxArray *a = host_array(types[tag], rank, size, bytes[tag]);
    while (a->rank > 2 && a->size[a->rank - 1] == 1) a->rank--;
    fill(in, a, how);
    a->sparse = tag == 8;
    a->complex = tag == 9;
    return a;
}

// Limits the lengths of valid loops.
static void shorten(const char *name, mxArray *a) {
    static const char *const counts[] = {"maxiterations", "chains", "probes", "steps", "thin", "warmup", "count"};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        if (strcmp(name, counts[k]) == 0 && a->type == mxDOUBLE_CLASS && a->count > 0 && *mxGetPr(a) > 8 &&
            *mxGetPr(a) < 2147483648.0)
            *mxGetPr(a) = 8;
}

static mxArray *value(input *in, int depth) {
    const uint8_t tag = byte(in) % 10;
    if (tag == 0 || (depth >= DEEP && (tag == 5 || tag == 6)))
        return host_array(mxDOUBLE_CLASS, 2, (size_t[]){0, 0}, 8);
    if (tag == 5) {
        const size_t count = byte(in) % 3, fields = byte(in) % 40;
        mxArray *a = host_struct(count, fields);
        for (size_t k = 0; k < fields; k++) {
            const size_t length = byte(in) % 31;
            for (size_t c = 0; c < length; c++) a->names[k][c] = (char)byte(in);
            mxArray *x = value(in, depth + 1);
            shorten(a->names[k], x);
            if (count > 0) ((mxArray **)a->data)[k] = x;
        }
        return a;
    }
    if (tag == 6) {
        const size_t m = byte(in) % 8, n = byte(in) % 8;
        mxArray *a = mxCreateCellMatrix(m, n);
        for (size_t k = 0; k < m * n; k++) mxSetCell(a, k, value(in, depth + 1));
        return a;
    }
    return array(in, tag);
}

static bool good(const char *id) {  // attnpath:word:word, or the host's own
    const char *colon = strncmp(id, "attnpath:", 9) == 0 ? strchr(id + 9, ':') : NULL;
    return strcmp(id, "host:nomem") == 0 || (colon != NULL && colon[1] != '\0' && strchr(colon + 1, ':') == NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    input in = {data, data + size};
    mxArray *out[MOST] = {NULL};
    const mxArray *args[MOST] = {NULL};
    const size_t which = byte(&in) % COUNT;
    const uint8_t how = byte(&in);
    const int nlhs = how % 8;
    host_interrupt_after(how / 8);
    if (setjmp(host_raised) == 0) {
        const int nrhs = byte(&in) % (MOST + 1);
        for (int k = 0; k < nrhs; k++) args[k] = value(&in, 0);
        if (strcmp(doors[which].name, "attnpath_sample_mex") == 0 && nrhs == 6) {
            shorten("count", (mxArray *)(uintptr_t)args[5]);  // of trajectories
        }
        doors[which].call(nlhs, out, nrhs, args);
        for (int k = 0; k < (nlhs > 0 ? nlhs : 1); k++) {
            if (out[k] == NULL && *host_interrupt() == 0) {  // an interrupted call needs no outputs
                (void)fprintf(stderr, "%s returned without output %d of %d\n", doors[which].name, k + 1, nlhs);
                abort();
            }
        }
    } else if (!good(host_id)) {
        (void)fprintf(stderr, "%s raised '%s'\n", doors[which].name, host_id);
        abort();
    }
    host_free_all();
    return 0;
}
