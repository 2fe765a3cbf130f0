// host.c: a host of gateways without Octave: the functions of ../stub/mex.h, by MATLAB's documentation
// SPDX-License-Identifier: BSD-3-Clause

#include "host.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

jmp_buf host_raised;
char host_id[128];

// ---- Ctrl-C: gateways check for it repeatedly; from one check on it is pressed --------------------------------------

static volatile sig_atomic_t interrupted;
static unsigned looks_left;

void host_interrupt_after(unsigned looks) {
    interrupted = 0;
    looks_left = looks;
}

volatile sig_atomic_t *host_interrupt(void) {
    if (looks_left > 0 && --looks_left == 0) interrupted = 1;
    return &interrupted;
}

// ---- memory: all blocks are freed at the end of a call, as in real hosts --------------------------------------------

typedef struct block {
    struct block *next, *before;
    double align;
} block;

static block all = {&all, &all, 0};
enum { MOST = 8 << 20 };  // bytes of one block

static void raise_error(const char *id) {
    (void)snprintf(host_id, sizeof host_id, "%s", id);
    longjmp(host_raised, 1);
}

static void *take(size_t bytes) {
    if (bytes > MOST) raise_error("host:nomem");
    block *b = calloc(1, sizeof(block) + bytes);
    if (b == NULL) raise_error("host:nomem");
    *b = (block){.next = all.next, .before = &all};
    all.next->before = b;
    all.next = b;
    return b + 1;
}

void *host_malloc(size_t bytes) { return bytes > MOST ? NULL : malloc(bytes); }

void *mxMalloc(size_t bytes) {
    void *p = take(bytes);
    memset(p, 0xa5, bytes);  // reveals reads of uninitialised memory
    return p;
}

void *mxCalloc(size_t count, size_t bytes) { return take(count * bytes); }

void mxFree(void *p) {
    if (p == NULL) return;
    block *b = (block *)p - 1;
    b->before->next = b->next;
    b->next->before = b->before;
    free(b);
}

static void (*at_exit)(void);  // set by ap_mexhost.c, once for all gateways

int mexAtExit(void (*done)(void)) {
    at_exit = done;
    return 0;
}

void host_free_all(void) {
    if (at_exit != NULL) at_exit();
    while (all.next != &all) mxFree(all.next + 1);
}

// ---- arrays ---------------------------------------------------------------------------------------------------------

mxArray *host_array(mxClassID type, size_t rank, const size_t *size, size_t element) {
    mxArray *a = take(sizeof *a);
    a->type = type;
    a->rank = rank < 2 ? 2 : rank;
    a->count = 1;
    a->size[0] = a->size[1] = 1;
    for (size_t k = 0; k < rank; k++) a->size[k] = size[k];
    for (size_t k = 0; k < a->rank; k++) {
        if (a->size[k] > 0 && a->count > MOST / a->size[k]) raise_error("host:nomem");
        a->count *= a->size[k];
    }
    a->data = take(a->count * element);
    return a;
}

static mxArray *field_of(const mxArray *a, const char *name, size_t *at) {
    for (*at = 0; *at < a->fields; (*at)++)
        if (strcmp(a->names[*at], name) == 0) return ((mxArray **)a->data)[*at];
    return NULL;
}

void mxDestroyArray(mxArray *a) {
    if (a == NULL) return;
    if (a->type == mxSTRUCT_CLASS || a->type == mxCELL_CLASS) {
        const size_t held = a->type == mxSTRUCT_CLASS ? a->fields * a->count : a->count;
        for (size_t k = 0; k < held; k++) mxDestroyArray(((mxArray **)a->data)[k]);
    }
    mxFree(a->names);
    mxFree(a->data);
    mxFree(a);
}

bool mxIsDouble(const mxArray *a) { return a->type == mxDOUBLE_CLASS; }
bool mxIsSingle(const mxArray *a) { return a->type == mxSINGLE_CLASS; }
bool mxIsChar(const mxArray *a) { return a->type == mxCHAR_CLASS; }
bool mxIsLogical(const mxArray *a) { return a->type == mxLOGICAL_CLASS; }
bool mxIsStruct(const mxArray *a) { return a->type == mxSTRUCT_CLASS; }
bool mxIsCell(const mxArray *a) { return a->type == mxCELL_CLASS; }
bool mxIsSparse(const mxArray *a) { return a->sparse; }
bool mxIsComplex(const mxArray *a) { return a->complex; }
bool mxIsEmpty(const mxArray *a) { return a->count == 0; }
bool mxIsNumeric(const mxArray *a) { return mxIsDouble(a) || mxIsSingle(a) || a->type == mxVOID_CLASS; }
size_t mxGetM(const mxArray *a) { return a->size[0]; }
size_t mxGetN(const mxArray *a) { return a->size[0] == 0 ? a->size[1] : a->count / a->size[0]; }
size_t mxGetNumberOfElements(const mxArray *a) { return a->count; }
mwSize mxGetNumberOfDimensions(const mxArray *a) { return a->rank; }
const mwSize *mxGetDimensions(const mxArray *a) { return a->size; }
double *mxGetPr(const mxArray *a) { return a->data; }
void *mxGetData(const mxArray *a) { return a->data; }
double mxGetScalar(const mxArray *a) { return *(double *)a->data; }

const char *mxGetClassName(const mxArray *a) {
    static const char *const words[] = {"unknown", "cell", "struct", "logical", "char", "int32", "double", "single"};
    return words[a->type];
}

int mxGetString(const mxArray *a, char *text, mwSize room) {
    size_t k = 0;
    for (; k < a->count && k + 1 < room; k++) text[k] = (char)((const mxChar *)a->data)[k];
    if (room > 0) text[k] = '\0';
    return k < a->count;
}

mxArray *mxGetField(const mxArray *a, mwIndex index, const char *name) {
    size_t at;
    return index == 0 ? field_of(a, name, &at) : NULL;
}

void mxSetField(mxArray *a, mwIndex index, const char *name, mxArray *value) {
    size_t at;
    (void)field_of(a, name, &at);
    if (index != 0 || at == a->fields) abort();  // gateways set fields of their own structs only
    ((mxArray **)a->data)[at] = value;
}

mxArray *mxGetCell(const mxArray *a, mwIndex index) {
    if (index >= a->count) abort();
    return ((mxArray **)a->data)[index];
}

void mxSetCell(mxArray *a, mwIndex index, mxArray *value) {
    if (index >= a->count) abort();
    ((mxArray **)a->data)[index] = value;
}

mxArray *mxCreateNumericArray(mwSize rank, const mwSize *size, mxClassID type, mxComplexity complexity) {
    (void)complexity;
    return host_array(type, rank, size, type == mxSINGLE_CLASS ? sizeof(float) : sizeof(double));
}

mxArray *mxCreateDoubleMatrix(mwSize m, mwSize n, mxComplexity complexity) {
    return mxCreateNumericArray(2, (size_t[]){m, n}, mxDOUBLE_CLASS, complexity);
}

mxArray *mxCreateDoubleScalar(double value) {
    mxArray *a = mxCreateDoubleMatrix(1, 1, mxREAL);
    *mxGetPr(a) = value;
    return a;
}

mxArray *host_struct(size_t count, size_t fields) {
    mxArray *a = host_array(mxSTRUCT_CLASS, 2, (size_t[]){1, count}, (fields + 1) * sizeof(mxArray *));
    a->names = take((fields + 1) * sizeof *a->names);
    a->fields = fields;
    return a;
}

mxArray *mxCreateStructMatrix(mwSize m, mwSize n, int fields, const char **names) {
    if (m != 1 || n != 1) abort();
    mxArray *a = host_struct(1, (size_t)fields);
    for (int k = 0; k < fields; k++) (void)snprintf(a->names[k], sizeof a->names[k], "%s", names[k]);
    return a;
}

mxArray *mxCreateCellMatrix(mwSize m, mwSize n) {
    return host_array(mxCELL_CLASS, 2, (size_t[]){m, n}, sizeof(mxArray *));
}

mxArray *mxCreateLogicalScalar(mxLogical value) {
    mxArray *a = host_array(mxLOGICAL_CLASS, 2, (size_t[]){1, 1}, sizeof(mxLogical));
    *(mxLogical *)a->data = value;
    return a;
}

mxArray *mxCreateString(const char *text) {
    const size_t n = strlen(text);
    mxArray *a = host_array(mxCHAR_CLASS, 2, (size_t[]){1, n}, sizeof(mxChar));
    for (size_t k = 0; k < n; k++) ((mxChar *)a->data)[k] = (mxChar)text[k];
    return a;
}

void mxSetN(mxArray *a, mwSize n) {
    if (n > a->size[1]) abort();
    a->size[1] = n;
    a->count = a->size[0] * n;
}

// ---- messages -------------------------------------------------------------------------------------------------------

void mexErrMsgIdAndTxt(const char *id, const char *format, ...) {
    char text[2048];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    raise_error(id);
}

void mexWarnMsgIdAndTxt(const char *id, const char *format, ...) { (void)id, (void)format; }
int mexPrintf(const char *format, ...) { return (int)(0 * strlen(format)); }
int mexCallMATLAB(int nout, mxArray *out[], int nin, mxArray *in[], const char *name) {  // there is no such function
    (void)nout, (void)out, (void)nin, (void)in, (void)name;
    return 1;
}
