// ap_work.c: scratch memory, an arena of blocks that the host lends
// SPDX-License-Identifier: BSD-3-Clause
//
// A function saves work->used on entry, takes its arrays and restores it on its one way out. `used` counts
// doubles over all blocks: one number. Restoring it frees nothing: the next takes find the blocks.
// A take that exceeds the rest of its block goes to the next block that is large enough; smaller ones between are
// given back. After a refused take, all later takes fail until `used` is restored.
//
// Whatever is taken begins on a cache line. BLAS kernels may sum in another order where an array begins between two
// 16-byte words (the SSE2 and SSE3 ones of OpenBLAS do), so that an array's place would show in the last bits; as it
// is, results do not depend on what was taken before.
//
// With one block for each array (`apart`), the array ends where its block ends, and the block is freed when another
// replaces it: a sanitizer then reports reads and writes beyond the array, or after its life.

#include <stdint.h>

#include "base/ap_core.h"

struct ap_block {
    struct ap_block *before, *after;
    double *base;
    size_t from, size;  // doubles of all blocks before it, when it was entered; doubles
};

enum { cache_line = 8 };  // doubles
// Spare room of a block: without it small arrays would start the next block, which would then be too small for the
// array that it was allocated for.
enum { beside = 16384 };
// Behind a block: the oldest kernel of OpenBLAS reads, and does not use, up to four doubles beyond the result of dsymv
enum { spare = 4 };

size_t ap_times(size_t a, size_t b) { return b != 0 && a > SIZE_MAX / b ? SIZE_MAX : a * b; }

size_t ap_plus(size_t a, size_t b) { return a > SIZE_MAX - b ? SIZE_MAX : a + b; }

size_t ap_lines(size_t size) { return ap_plus(size, cache_line - 1) / cache_line * cache_line; }

// Gives a block back, behind which nothing is taken; returns the one behind it.
static ap_block *drop(ap_work *work, ap_block *b) {
    ap_block *const after = b->after;
    if (b == work->first) work->first = after;
    if (b->before != NULL) b->before->after = after;
    if (after != NULL) after->before = b->before;
    work->held -= b->size;
    work->release(b);
    return after;
}

// The block of the latest array, NULL without one.
static ap_block *holding(const ap_work *work) {
    ap_block *b = work->here;
    while (b != NULL && b->from >= work->used) b = b->before;
    return b;
}

void ap_work_trim(ap_work *work) {
    work->here = holding(work);
    ap_block *b = work->here == NULL ? work->first : work->here->after;
    while (b != NULL) b = drop(work, b);
}

void ap_work_close(ap_work *work) {
    work->used = 0;
    ap_work_trim(work);
}

// A new block between two, or at an end. malloc gives 16-byte words, which is where a block of one take begins.
static ap_block *lend(ap_work *work, ap_block *before, ap_block *after, size_t count) {
    const size_t line = work->guard_each_take ? 16 : cache_line * sizeof(double), room = work->limit - work->held;
    const size_t lines = ap_lines(count), more = work->guard_each_take   ? 0
                                                 : room - lines < beside ? room - lines
                                                                         : beside;
    if (work->held > work->limit || lines > room) return NULL;
    const size_t size = lines + more;
    const size_t around =
        work->guard_each_take ? (sizeof(ap_block) + 15) / 16 * 16 : sizeof(ap_block) + line + spare * 8;
    ap_block *const block =
        work->alloc(ap_plus(ap_times(work->guard_each_take ? count : size, sizeof(double)), around));
    if (block == NULL) return NULL;
    const uintptr_t first = ((uintptr_t)(block + 1) + line - 1) / line * line;
    *block = (ap_block){.before = before, .after = after, .base = (double *)first, .size = size};
    *(before == NULL ? &work->first : &before->after) = block;
    if (after != NULL) after->before = block;
    work->held += size;
    if (work->held > work->peak) work->peak = work->held;
    return block;
}

double *ap_take(ap_work *work, size_t count) {
    if (count == 0) count = 1;
    const size_t size = ap_lines(count);
    if (work->used == SIZE_MAX) return NULL;
    ap_block *b = work->here = holding(work);
    const size_t end = b == NULL ? 0 : b->from + b->size;
    if (b == NULL || size > end - work->used) {
        ap_block *next = b == NULL ? work->first : b->after;
        while (next != NULL && (work->guard_each_take || size > next->size)) next = drop(work, next);
        b = next != NULL && next->size / 8 <= ap_plus(size, beside) ? next : lend(work, b, next, count);
        if (b == NULL) b = next;  // much too large, but there
        work->used = b == NULL ? SIZE_MAX : end;
        if (b == NULL) return NULL;
        b->from = end;
        work->here = b;
    }
    double *p = b->base + (work->used - b->from);
    work->used += size;
    return p;
}

double *ap_take_matrix(ap_work *work, size_t m, size_t n) { return ap_take(work, ap_times(m, n)); }

double *ap_carve(double *room, size_t *used, size_t count) {
    double *here = room == NULL ? NULL : room + *used;
    *used = ap_plus(*used, count);
    return here;
}

void ap_take_each(ap_work *work, size_t size, size_t count, double **const *where) {
    for (size_t i = 0; i < count; i++) *where[i] = ap_take(work, size);
}

void ap_work_refused(ap_error *err, const ap_work *work, const char *by) {
    const double gib = 134217728.0;
    (void)ap_fail(err, AP_EMEMORY, "%s needs more memory: %.3g GiB are in use, of at most %.3g", by,
                  (double)work->held / gib, (double)work->limit / gib);
}
