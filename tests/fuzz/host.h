// host.h: what host.c keeps of an array, for who makes arrays out of bytes
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

extern jmp_buf host_raised;  // where an error goes
extern char host_id[128];    // and its identifier
mxArray *host_array(mxClassID type, size_t rank, const size_t *size, size_t element);
mxArray *host_struct(size_t count, size_t fields);
void host_free_all(void);
void *host_malloc(size_t bytes);              // NULL beyond the largest block: what malloc is in tests/fuzz/run
void host_interrupt_after(unsigned looks);    // the look at Ctrl-C that finds it pressed; 0: none does
volatile sig_atomic_t *host_interrupt(void);  // one look: what octave_interrupt_state is in tests/fuzz/run

#endif
