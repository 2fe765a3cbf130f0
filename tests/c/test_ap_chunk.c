// test_ap_chunk.c: chunks cover all examples, and their maps are those of ap_attention.c
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

enum { T = 5, P = 130 };

static void compare(const double *omega, const fixture *f, double *const *A, size_t layer, size_t h, size_t mu) {
    const bool single = ap_read_single(&f->net, layer);
    const double *want = A[layer - 1] + T * T * (h + f->H[layer - 1] * mu) + (single ? T * (T - 1) : 0);
    CHECK_ARRAYS(omega, want, single ? T : T * T, 1e-14);
}

// What is kept is there after all layers, and is made within the memory that was asked for.
static void test_maps(ap_read read, ap_keep keep, bool brought, bool pairs) {
    fixture f;
    double *A[fixture_layers] = {NULL};
    fixture_make(&f, 2, false, 3, T, P, 7);
    fixture_some(&f, pairs, 4, 8);
    f.net.read = read;
    for (size_t l = 0; l < 2; l++) {
        A[l] = check_room(T * T * f.H[l] * P);
        CHECK_STATUS(ap_attention(A[l], &f.net, l + 1, &f.x, &work, &err), AP_OK);
    }
    ap_chunk c = ap_chunk_of(&f.net, &f.x, brought ? (const double *const *)A : NULL, keep);
    double *memory = check_room(ap_chunk_size(&c));
    CHECK_STATUS(ap_attention_take(&c.scores, c.net, c.x, &work, &err), AP_OK);
    size_t done = 0;
    for (size_t part = 0; done < P; part++, done += c.count) {
        ap_chunk_at(&c, part, memory);
        CHECK(c.first == done && c.count > 0 && c.count <= c.most && done + c.count <= P);
        for (int again = 0; again < (keep == AP_KEEP_NOTHING && !brought ? 1 : 2); again++)
            for (size_t layer = 1; layer <= 2; layer++)
                for (size_t h = 0; h < f.H[layer - 1]; h++) {
                    ap_chunk_head(&c, layer, h, again == 0);
                    for (size_t k = 0; k < c.count; k++) {
                        const double *omega = again == 0 ? NULL : ap_chunk_map(&c, layer, h, k);
                        if (again == 0) CHECK_STATUS(ap_chunk_make_map(&omega, &c, layer, h, k, &err), AP_OK);
                        compare(omega, &f, A, layer, h, c.first + k);
                    }
                }
        for (size_t layer = 1; layer <= (read == AP_READ_ALL ? 1 : 3); layer++) {  // room for them, apart from the maps
            const size_t one = read == AP_READ_ALL ? f.N0 * f.H[0] * T : T * ap_net_paths(&f.net, layer);
            memset(ap_chunk_vectors(&c, layer), 0, one * c.count * sizeof(double));
        }
    }
    work.used = 0;
}

int main(void) {
    static const ap_read reads[] = {AP_READ_LAST, AP_READ_MEAN, AP_READ_ALL};
    for (int read = 0; read < 3; read++)
        for (int pairs = 0; pairs < 2; pairs++) {
            test_maps(reads[read], AP_KEEP_NOTHING, false, pairs == 1);
            test_maps(reads[read], AP_KEEP_MAPS, false, pairs == 1);
            test_maps(reads[read], AP_KEEP_FACTORS, false, pairs == 1);
            test_maps(reads[read], AP_KEEP_MAPS, true, pairs == 1);
        }
    return check_report("test_ap_chunk");
}
