// test_ap_tokens.c: path inputs where every token is read out (T38)
// SPDX-License-Identifier: BSD-3-Clause

#include "fixture.h"

// Path inputs of all tokens at once are those of each token as the only one that is read out. A product of T <= 5 or N0
// terms in another order a layer: 1e-14, as numbers are near 1.
static void compare_all(fixture *f, const double *const *A) {
    f->net.read = AP_READ_ALL;
    const size_t n = ap_paths_count(&f->net, &f->x), N0 = f->N0;
    double *all = check_room(N0 * n * f->paths), *one = check_room(N0 * f->paths);
    CHECK_STATUS(ap_paths(all, &f->net, &f->x, A, NULL, &work, &err), AP_OK);
    f->net.read = AP_READ_TOKEN;
    for (size_t mu = 0, at = 0; mu < f->P; mu++)
        for (f->net.token = 0; f->net.token < ap_token_length(&f->x, mu); f->net.token++, at++) {
            const double *maps[fixture_layers] = {NULL};
            const size_t length = ap_token_length(&f->x, mu);
            const ap_tokens x = {.N0 = N0, .T = f->T, .P = 1, .X = f->X + N0 * f->T * mu, .length = &length};
            for (size_t l = 0; A != NULL && l < f->net.L; l++) maps[l] = A[l] + f->T * f->T * f->H[l] * mu;
            CHECK_STATUS(ap_paths(one, &f->net, &x, A == NULL ? NULL : maps, NULL, &work, &err), AP_OK);
            for (size_t p = 0; p < f->paths; p++) CHECK_ARRAYS(all + N0 * (at + n * p), one + N0 * p, N0, 1e-14);
        }
}

static void test_all_tokens(void) {
    uint64_t seed = 8;
    for (size_t L = 1; L <= 4; L++)
        for (unsigned kind = 0; kind < 12; kind++) {
            fixture f;
            fixture_scales = kind % 5 < 2;
            fixture_skips = kind % 4;
            fixture_make(&f, L, false, 3, 5, 110, 10 * L + kind);  // more than one chunk
            if (kind == 5) fixture_rule(&f, (ap_rule){.kind = AP_CME, .bandwidth = 2.0, .ridge = 0.4});
            fixture_some(&f, kind & 1, 4, kind);
            if (kind & 2) fixture_lengths(&f);
            f.net.causal = kind % 3 == 0;
            compare_all(&f, NULL);
            if (kind != 2) continue;
            const double *A[fixture_layers];
            for (size_t l = 0; l < L; l++) A[l] = fixture_numbers(f.T * f.T * f.H[l] * f.P, 0.5, &seed);
            compare_all(&f, A);
        }
    fixture_scales = false;
    fixture_skips = 0;
}

static void test_team_and_workspace(void) {
    fixture f;
    fixture_make(&f, 2, false, 3, 7, 200, 5);
    fixture_query_key(&f, 5, 6);
    fixture_lengths(&f);
    f.net.read = AP_READ_ALL;
    const ap_team team = {.threads = 3, .run = check_backwards};
    const size_t cells = f.N0 * ap_paths_count(&f.net, &f.x) * f.paths;
    CHECK(cells == f.N0 * f.paths * (28 * 28 + 10));  // 200 = 28 7 + 4 examples of 1, 2, .., 7 tokens
    double *alone = check_room(cells), *other = check_room(cells);
    CHECK_WORKSPACE(ap_paths(alone, &f.net, &f.x, NULL, NULL, &work, &err));
    CHECK_STATUS(ap_paths(alone, &f.net, &f.x, NULL, NULL, &work, &err), AP_OK);
    CHECK_STATUS(ap_paths(other, &f.net, &f.x, NULL, &team, &work, &err), AP_OK);
    CHECK(memcmp(alone, other, cells * sizeof *alone) == 0);
    ap_tokens x = f.x;
    x.length = NULL;
    CHECK(ap_paths_count(&f.net, &x) == 7 * 200);
    f.X[0] = NAN;
    CHECK_STATUS(ap_paths(alone, &f.net, &f.x, NULL, NULL, &work, &err), AP_ENONFINITE);
}

int main(void) {
    test_all_tokens();
    test_team_and_workspace();
    return check_report("test_ap_tokens");
}
