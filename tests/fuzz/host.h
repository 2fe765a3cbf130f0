// host.h: the arrays of host.c, for code that builds arrays from bytes
// SPDX-License-Identifier: BSD-3-Clause

#ifndef AP_FUZZ_HOST_H
#define AP_FUZZ_HOST_H

#include <setjmp.h>
#include <signal.h>

#include "mex.h"

struct mxArray_tag {
    mxClassID type;
    bool sparse, complex;
    size_t rank, size[8], count, fields;
    char (*names)[32];  // of fields
    void *data;         // elements; of cells and structs pointers, of a struct field by field
};

extern jmp_buf host_raised;  // target of an error
extern char host_id[128];    // its identifier
mxArray *host_array(mxClassID type, size_t rank, const size_t *size, size_t element);
mxArray *host_struct(size_t count, size_t fields);
void host_free_all(void);
void *host_malloc(size_t bytes);              // NULL beyond the largest block; replaces malloc in tests/fuzz/run
void host_interrupt_after(unsigned looks);    // number of the check that finds Ctrl-C pressed; 0: none
volatile sig_atomic_t *host_interrupt(void);  // one check; replaces octave_interrupt_state in tests/fuzz/run

#endif
