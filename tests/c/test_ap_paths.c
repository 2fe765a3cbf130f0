// test_ap_paths.c: path inputs against the product of the maps (T3)
// SPDX-License-Identifier: BSD-3-Clause
//
// Path inputs are averages of tokens below 1 in size: L + 1 products with T <= 5 or N0 terms each, error below 1e-14;
// softmax adds a few N0^2 eps. 1e-13 covers both.

#include "fixture.h"

static void compare(fixture *f) {
    const size_t cells = f->N0 * f->P * f->paths;
    double *A[fixture_layers] = {NULL}, *got = check_room(cells), *want = check_room(cells);
    for (size_t l = 0; l < f->net.L; l++) {
        A[l] = check_room(f->T * f->T * f->H[l] * f->P);
        CHECK_STATUS(ap_attention(A[l], &f->net, l + 1, &f->x, &work, &err), AP_OK);
    }
    fixture_paths(want, f, A);
    CHECK_STATUS(ap_paths(got, &f->net, &f->x, NULL, NULL, &work, &err), AP_OK);
    CHECK_ARRAYS(got, want, cells, 1e-13);
    for (size_t i = 0; i < cells; i++) got[i] = NAN;
    ap_net brought = f->net;
    brought.heads = NULL;
    CHECK_STATUS(ap_paths(got, &brought, &f->x, (const double *const *)A, NULL, &work, &err), AP_OK);
    CHECK_ARRAYS(got, want, cells, 1e-13);
}

static void test_all_kinds(void) {
    static const ap_read reads[3] = {AP_READ_LAST, AP_READ_MEAN, AP_READ_TOKEN};
    for (size_t L = 1; L <= 4; L++)
        for (unsigned kind = 0; kind < 12; kind++) {
            fixture f;
            fixture_scales = kind % 5 < 2;
            fixture_make(&f, L, false, 3, 5, 110, 10 * L + kind);
            fixture_some(&f, kind & 1, 4, kind);
            if (kind & 2) fixture_lengths(&f);
            f.net.read = reads[kind / 4];
            if (kind == 9) f.net.causal = true;
            compare(&f);
        }
    fixture_scales = false;
}

static void test_refusals(void) {
    fixture f;
    fixture_make(&f, 1, false, 2, 3, 3, 1);
    CHECK_STATUS(ap_paths(f.Xi, &f.net, &f.x, NULL, NULL, &work, &err), AP_EINPUT);
    fixture_bilinear(&f, 2);
    fixture_lengths(&f);
    f.net.read = AP_READ_TOKEN;
    f.net.token = 1;  // the first example has one token only
    CHECK_STATUS(ap_paths(f.Xi, &f.net, &f.x, NULL, NULL, &work, &err), AP_EINPUT);
    CHECK_TEXT(err.text, "example 1 has 1");
    f.net.token = 0;
    f.X[0] = NAN;
    CHECK_STATUS(ap_paths(f.Xi, &f.net, &f.x, NULL, NULL, &work, &err), AP_ENONFINITE);
    ap_tokens huge = f.x;
    huge.N0 = (size_t)1 << 40;
    huge.P = (size_t)1 << 40;
    CHECK_STATUS(ap_paths(f.Xi, &f.net, &huge, NULL, NULL, &work, &err), AP_ESIZE);
}

// Chunks on a team, in any order, give the results of sequential chunks.
static void test_team(void) {
    fixture f;
    fixture_make(&f, 2, false, 3, 150, 20, 5);  // four examples a chunk
    fixture_query_key(&f, 5, 6);
    const ap_team team = {.threads = 3, .run = check_backwards};
    const size_t cells = f.N0 * f.P * f.paths;
    double *alone = check_doubles(cells);
    CHECK_STATUS(ap_paths(alone, &f.net, &f.x, NULL, NULL, &work, &err), AP_OK);
    CHECK_STATUS(ap_paths(f.Xi, &f.net, &f.x, NULL, &team, &work, &err), AP_OK);
    CHECK(memcmp(alone, f.Xi, cells * sizeof *alone) == 0);
}

static void test_empty(void) {
    fixture f;
    fixture_make(&f, 1, false, 2, 3, 3, 1);
    fixture_bilinear(&f, 2);
    for (int k = 0; k < 3; k++) {
        ap_tokens x = f.x;
        *(size_t *[]){&x.N0, &x.T, &x.P}[k] = 0;
        CHECK_STATUS(ap_paths(f.Xi, &f.net, &x, NULL, NULL, &work, &err), AP_EINPUT);
        CHECK_STATUS(ap_attention(f.Xi, &f.net, 1, &x, &work, &err), AP_EINPUT);
    }
}

static void test_workspace(void) {
    fixture f;
    fixture_make(&f, 2, false, 3, 4, 3, 5);
    fixture_query_key(&f, 5, 6);
    CHECK_WORKSPACE(ap_paths(f.Xi, &f.net, &f.x, NULL, NULL, &work, &err));
}

int main(void) {
    test_all_kinds();
    test_refusals();
    test_workspace();
    test_team();
    test_empty();
    return check_report("test_ap_paths");
}
