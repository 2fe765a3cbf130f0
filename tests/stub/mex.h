// mex.h: the part of MATLAB's C interface that the gateways use, as declarations only
// SPDX-License-Identifier: BSD-3-Clause
//
// Not MATLAB's header: written from its documentation, so that `make lint` can check the syntax of the gateways as for
// MATLAB (mwSize unsigned, 16-bit mxChar, no HAVE_OCTAVE). It has all functions that the gateways use.

#ifndef AP_STUB_MEX_H
#define AP_STUB_MEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct mxArray_tag mxArray;
typedef size_t mwSize;
typedef size_t mwIndex;
typedef bool mxLogical;
typedef uint16_t mxChar;
typedef enum { mxREAL, mxCOMPLEX } mxComplexity;
typedef enum { mxUNKNOWN_CLASS, mxCELL_CLASS, mxSTRUCT_CLASS, mxLOGICAL_CLASS, mxCHAR_CLASS, mxVOID_CLASS,
               mxDOUBLE_CLASS, mxSINGLE_CLASS } mxClassID;

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]);
void mexErrMsgIdAndTxt(const char *id, const char *format, ...);
void mexWarnMsgIdAndTxt(const char *id, const char *format, ...);
int mexPrintf(const char *format, ...);
int mexCallMATLAB(int nout, mxArray *out[], int nin, mxArray *in[], const char *name);

int mexAtExit(void (*done)(void));
void *mxMalloc(size_t bytes);
void *mxCalloc(size_t count, size_t bytes);
void mxFree(void *block);
void mxDestroyArray(mxArray *a);

bool mxIsDouble(const mxArray *a);
bool mxIsSingle(const mxArray *a);
bool mxIsChar(const mxArray *a);
bool mxIsLogical(const mxArray *a);
bool mxIsStruct(const mxArray *a);
bool mxIsCell(const mxArray *a);
bool mxIsSparse(const mxArray *a);
bool mxIsComplex(const mxArray *a);
bool mxIsEmpty(const mxArray *a);
bool mxIsNumeric(const mxArray *a);
const char *mxGetClassName(const mxArray *a);
size_t mxGetM(const mxArray *a);
size_t mxGetN(const mxArray *a);
size_t mxGetNumberOfElements(const mxArray *a);
mwSize mxGetNumberOfDimensions(const mxArray *a);
const mwSize *mxGetDimensions(const mxArray *a);
double *mxGetPr(const mxArray *a);
void *mxGetData(const mxArray *a);
double mxGetScalar(const mxArray *a);
int mxGetString(const mxArray *a, char *text, mwSize room);
mxArray *mxGetField(const mxArray *a, mwIndex index, const char *name);
void mxSetField(mxArray *a, mwIndex index, const char *name, mxArray *value);
mxArray *mxGetCell(const mxArray *a, mwIndex index);
void mxSetCell(mxArray *a, mwIndex index, mxArray *value);

mxArray *mxCreateDoubleMatrix(mwSize m, mwSize n, mxComplexity complexity);
mxArray *mxCreateDoubleScalar(double value);
mxArray *mxCreateNumericArray(mwSize rank, const mwSize *size, mxClassID type, mxComplexity complexity);
mxArray *mxCreateStructMatrix(mwSize m, mwSize n, int fields, const char **names);
mxArray *mxCreateCellMatrix(mwSize m, mwSize n);
mxArray *mxCreateLogicalScalar(mxLogical value);
mxArray *mxCreateString(const char *text);
void mxSetN(mxArray *a, mwSize n);

#endif
