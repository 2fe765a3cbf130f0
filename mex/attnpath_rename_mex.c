// attnpath_rename_mex.c: a file takes another's place, at once
// SPDX-License-Identifier: BSD-3-Clause
//
// why = attnpath_rename_mex (from, to)
//
// from, to:  names of files in one file system
// why:       error message of the system if it fails; otherwise ''
//
// If there was a file `to`, there is one at every moment: the old one, then the new one. Neither host promises that:
// rename of Octave 9 deletes `to` first, and a process that is killed then leaves no file. C promises nothing where
// there is a `to`, POSIX does.

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "ap_mexutil.h"

static char *name_of(const char *name, const mxArray *arg) {
    if (!mxIsChar(arg) || mxGetM(arg) != 1 || mxGetNumberOfDimensions(arg) != 2)
        ap_mex_fail("badClass", "%s must be text, a row of characters", name);
    const size_t room = mxGetN(arg) * 4 + 1;  // bytes, of UTF-8 where a host has wider characters
    char *text = ap_mex_list(room, 1);
    if (mxGetString(arg, text, (mwSize)room) != 0 || strlen(text) < mxGetN(arg))  // a character is 0
        ap_mex_fail("badValue", "%s is no name of a file", name);
    return text;
}

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
    ap_mex_usage("rename", nrhs == 2 && nlhs <= 1, "why = attnpath_rename_mex (from, to)");
    const char *from = name_of("from", prhs[0]), *to = name_of("to", prhs[1]);
    plhs[0] = mxCreateString(rename(from, to) == 0 ? "" : strerror(errno));
}
