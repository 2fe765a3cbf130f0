// ap_train_pass.h: network and gradient in one precision (ap_train.c includes it twice, with REAL and NAME defined)
// SPDX-License-Identifier: BSD-3-Clause
//
// The mathematics is at the top of ap_train.c. Nothing here is a function of its own right: no include guard.

// M^{l}_h = K_h' Q_h / sqrt (G), stacked [H_l N0 x N0] layer by layer; u^{(L+1)} = a, u^{(l)}_h = V_l^h' u^{(l+1)} /
// sqrt (H_l), each [N_l x Pi_l], from layer 1 up; w = V_0' u^{(1)} [N0 x Pi].
static void NAME(unfold)(REAL *phi, REAL *u, const ap_trainer *t, const REAL *theta) {
    const ap_net *net = t->net;
    const size_t N0 = t->N0, G = t->G;
    const REAL *Q = theta;
    for (size_t l = 1; l <= net->L; l++) {
        const size_t H = heads(t, l);
        const REAL *K = Q + G * N0 * H;
        for (size_t h = 0; h < H; h++)
            GEMM('T', 'N', N0, N0, G, REAL_OF(1.0 / sqrt((double)G)), K + G * N0 * h, G, Q + G * N0 * h, G, 0, phi + N0 * h,
                 H * N0);
        phi += H * N0 * N0;
        Q = K + G * N0 * H;
    }
    const REAL *V0 = Q, *V = theta + ap_train_parameters(t) - width(t, net->L + 1);
    REAL *next = u + partials(t) - width(t, net->L + 1);
    memcpy(next, V, width(t, net->L + 1) * sizeof *V);  // a
    for (size_t l = net->L; l >= 1; l--) {
        const size_t H = heads(t, l), below = ap_net_paths(net, l + 1), N = width(t, l), above = width(t, l + 1);
        REAL *here = next - N * H * below;
        V -= above * N * H;
        for (size_t h = 0; h < H; h++)
            GEMM('T', 'N', N, below, above, REAL_OF(1.0 / sqrt((double)H)), V + above * N * h, above, next, above, 0,
                 here + N * below * h, N);
        next = here;
    }
    GEMM('T', 'N', N0, ap_net_paths(net, 1), width(t, 1), 1, V0, width(t, 1), next, width(t, 1), 0, phi, N0);
}

// The adjoint of unfold; du has the shape of u and is scratch.
static void NAME(fold)(REAL *grad, REAL *du, const ap_trainer *t, const REAL *theta, const REAL *u, const REAL *dphi) {
    const ap_net *net = t->net;
    const size_t N0 = t->N0, G = t->G, paths = ap_net_paths(net, 1);
    for (size_t l = 1; l <= net->L; l++) {
        const size_t H = heads(t, l), block = G * N0;
        const REAL scale = REAL_OF(1.0 / sqrt((double)G));
        for (size_t h = 0; h < H; h++) {
            const REAL *Q = theta + block * h, *K = Q + block * H, *dM = dphi + N0 * h;
            GEMM('N', 'N', G, N0, N0, scale, K, G, dM, H * N0, 0, grad + block * h, G);
            GEMM('N', 'T', G, N0, N0, scale, Q, G, dM, H * N0, 0, grad + block * (H + h), G);
        }
        theta += 2 * block * H;
        grad += 2 * block * H;
        dphi += H * N0 * N0;
    }
    GEMM('N', 'T', width(t, 1), N0, paths, 1, u, width(t, 1), dphi, N0, 0, grad, width(t, 1));
    GEMM('N', 'N', width(t, 1), paths, N0, 1, theta, width(t, 1), dphi, N0, 0, du, width(t, 1));
    theta += width(t, 1) * N0;
    grad += width(t, 1) * N0;
    for (size_t l = 1; l <= net->L; l++) {
        const size_t H = heads(t, l), below = ap_net_paths(net, l + 1), N = width(t, l), above = width(t, l + 1);
        const REAL scale = REAL_OF(1.0 / sqrt((double)H)), *next = u + N * H * below;
        REAL *dnext = du + N * H * below;
        for (size_t h = 0; h < H; h++) {
            const REAL *dhere = du + N * below * h;
            GEMM('N', 'T', above, N, below, scale, next, above, dhere, N, 0, grad + above * N * h, above);
            GEMM('N', 'N', above, below, N, scale, theta + above * N * h, above, dhere, N, h > 0, dnext, above);
        }
        theta += above * N * H;
        grad += above * N * H;
        u = next;
        du = dnext;
    }
    memcpy(grad, du, width(t, net->L + 1) * sizeof *du);
}

typedef struct NAME(room) {  // for a chunk of examples, n tokens together
    REAL *scores;            // [H N0 x n] M x for all heads of a layer; then its derivative
    REAL *maps;              // [T x H_l x n] Omega of every layer, head by head for each query
    REAL *down, *up;         // [n x Pi_l] the chains a_l and their derivatives, from layer 1 up to L + 1
    REAL *dmap;              // [T x H T] derivative by the maps of one example and layer
    REAL *w;                 // [n x Pi] x' w
} NAME(room);

static REAL *NAME(take)(ap_work *work, size_t count) { return (REAL *)(void *)ap_take(work, REAL_ROOM(count)); }

static bool NAME(make_room)(NAME(room) * r, const ap_trainer *t, size_t n, ap_work *work) {
    r->scores = NAME(take)(work, widest(t) * t->N0 * n);
    r->maps = NAME(take)(work, t->T * all_heads(t) * n);
    r->down = NAME(take)(work, chains(t) * n);
    r->up = NAME(take)(work, chains(t) * n);
    r->dmap = NAME(take)(work, t->T * widest(t) * t->T);
    r->w = NAME(take)(work, ap_net_paths(t->net, 1) * n);
    return r->w != NULL;
}

static bool NAME(softmax)(REAL *score, size_t seen, size_t T) {
    REAL top = score[0], sum = 0;
    for (size_t s = 1; s < seen; s++)
        if (score[s] > top) top = score[s];
    for (size_t s = 0; s < seen; s++) sum += score[s] = EXP(score[s] - top);
    for (size_t s = 0; s < seen; s++) score[s] /= sum;
    for (size_t s = seen; s < T; s++) score[s] = 0;
    return isfinite(sum);
}

static bool NAME(attend)(REAL *maps, REAL *scores, const ap_trainer *t, size_t H, const REAL *M, const REAL *X,
                         size_t examples) {
    const size_t N0 = t->N0, T = t->T, columns = H * T;
    bool finite = true;
    GEMM('N', 'N', H * N0, T * examples, N0, 1, M, H * N0, X, N0, 0, scores, H * N0);
    for (size_t p = 0; p < examples; p++) {
        REAL *map = maps + T * columns * p;
        GEMM('T', 'N', T, columns, N0, 1, X + N0 * T * p, N0, scores + N0 * columns * p, N0, 0, map, T);
        for (size_t j = 0; j < columns; j++)
            finite = NAME(softmax)(map + T * j, t->net->causal ? j / H + 1 : T, T) && finite;
    }
    return finite;
}

static void NAME(read_out)(REAL *e, const ap_trainer *t, size_t examples) {
    const size_t T = t->T, token = t->net->read == AP_READ_LAST ? T - 1 : t->net->token;
    for (size_t i = 0; i < T * examples; i++)
        e[i] = t->net->read == AP_READ_MEAN ? REAL_OF(1.0 / (double)T) : REAL_OF(i % T == token ? 1.0 : 0.0);
}

// a_l = Omega_{l,h} a_{l+1}, or (ta 'T') its transpose added up over the heads
static void NAME(chain)(REAL *here, REAL *next, const ap_trainer *t, size_t layer, const REAL *maps, size_t examples,
                        bool back) {
    const size_t T = t->T, H = heads(t, layer), below = ap_net_paths(t->net, layer + 1), n = T * examples;
    for (size_t p = 0; p < examples; p++)
        for (size_t h = 0; h < H; h++) {
            const REAL *map = maps + T * (H * T * p + h);
            REAL *from = here + n * below * h + T * p, *to = next + T * p;
            if (back)
                GEMM('T', 'N', T, below, T, 1, map, T * H, from, n, h > 0, to, n);
            else
                GEMM('N', 'N', T, below, T, 1, map, T * H, to, n, 0, from, n);
        }
}

// Derivative by the scores of a layer, then by M x, added to that by M
static void NAME(learn)(REAL *dM, NAME(room) * r, const ap_trainer *t, size_t layer, const REAL *maps,
                        const REAL *dhere, const REAL *next, const REAL *X, size_t examples) {
    const size_t N0 = t->N0, T = t->T, H = heads(t, layer), below = ap_net_paths(t->net, layer + 1), n = T * examples;
    for (size_t p = 0; p < examples; p++) {
        const REAL *map = maps + T * H * T * p;
        for (size_t h = 0; h < H; h++)
            GEMM('N', 'T', T, T, below, 1, dhere + n * below * h + T * p, n, next + T * p, n, 0, r->dmap + T * h, T * H);
        for (size_t j = 0; j < H * T; j++) {
            const REAL *omega = map + T * j;
            REAL *d = r->dmap + T * j, mean = 0;
            for (size_t s = 0; s < T; s++) mean += omega[s] * d[s];
            for (size_t s = 0; s < T; s++) d[s] = omega[s] * (d[s] - mean);
        }
        GEMM('N', 'N', N0, H * T, T, 1, X + N0 * T * p, N0, r->dmap, T, 0, r->scores + N0 * H * T * p, N0);
    }
    GEMM('N', 'T', H * N0, N0, n, 1, r->scores, H * N0, X, N0, 1, dM, H * N0);
}

// One chunk: outputs f, and added to dphi the derivative of sum (f - y)^2 weight; dphi and y may be NULL for f alone
static bool NAME(chunk)(REAL *dphi, REAL *f, NAME(room) * r, const ap_trainer *t, const REAL *phi, const REAL *X,
                        const REAL *y, size_t examples, REAL weight) {
    const ap_net *net = t->net;
    const size_t N0 = t->N0, T = t->T, n = T * examples, paths = ap_net_paths(net, 1), L = net->L;
    const REAL *w = phi + matrices(t);
    bool finite = true;
    NAME(read_out)(r->down + n * (chains(t) - 1), t, examples);
    REAL *maps = r->maps + T * all_heads(t) * n, *next = r->down + n * (chains(t) - 1);
    const REAL *M = w;
    for (size_t l = L; l >= 1; l--) {
        const size_t H = heads(t, l);
        maps -= T * H * n;
        M -= H * N0 * N0;
        finite = NAME(attend)(maps, r->scores, t, H, M, X, examples) && finite;
        REAL *here = next - n * ap_net_paths(net, l);
        NAME(chain)(here, next, t, l, maps, examples, false);
        next = here;
    }
    GEMM('T', 'N', n, paths, N0, 1, X, N0, w, N0, 0, r->w, n);
    for (size_t p = 0; p < examples; p++) {
        double sum = 0.0;
        for (size_t k = 0; k < paths; k++)
            for (size_t s = T * p + n * k; s < T * (p + 1) + n * k; s++) sum += (double)(r->w[s] * r->down[s]);
        f[p] = REAL_OF(sum);
    }
    if (dphi == NULL || !finite) return finite;

    for (size_t k = 0; k < paths; k++)
        for (size_t i = 0; i < n; i++) {
            const REAL d = 2 * weight * (f[i / T] - y[i / T]);
            r->up[i + n * k] = r->w[i + n * k] * d;
            r->down[i + n * k] *= d;  // needed no more but for this product
        }
    GEMM('N', 'N', N0, paths, n, 1, X, N0, r->down, n, 1, dphi + matrices(t), N0);
    const REAL *here = r->down;
    REAL *dhere = r->up, *dM = dphi;
    for (size_t l = 1; l <= L; l++) {
        const size_t step = n * ap_net_paths(net, l), H = heads(t, l);
        NAME(learn)(dM, r, t, l, maps, dhere, here + step, X, examples);
        if (l < L) NAME(chain)(dhere, dhere + step, t, l, maps, examples, true);
        here += step;
        dhere += step;
        dM += H * N0 * N0;
        maps += T * H * n;
    }
    return finite;
}

static ap_status NAME(pass)(REAL *dphi, REAL *f, const ap_trainer *t, const REAL *phi, const REAL *X, const REAL *y,
                            size_t P, REAL weight, ap_work *work, ap_error *err) {
    const size_t chunk = chunk_of(t), mark = work->used;
    ap_status status = AP_OK;
    NAME(room) r;
    if (!NAME(make_room)(&r, t, t->T * chunk, work)) {
        status = ap_no_memory(err, "ap_train");
        goto done;
    }
    for (size_t first = 0; first < P; first += chunk) {
        const size_t count = P - first < chunk ? P - first : chunk;
        if (!NAME(chunk)(dphi, f + first, &r, t, phi, X + t->N0 * t->T * first, y == NULL ? NULL : y + first, count,
                         weight)) {
            status = ap_fail(err, AP_ENONFINITE, "attention scores overflow: the weights have grown without bound");
            goto done;
        }
    }
done:
    work->used = mark;
    return status;
}
