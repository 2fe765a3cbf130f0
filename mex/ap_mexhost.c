// ap_mexhost.c: what gateways need of the host: errors, interrupts, threads, memory
// SPDX-License-Identifier: BSD-3-Clause

#ifdef __linux__
#define _DEFAULT_SOURCE  // _SC_PHYS_PAGES
#include <sys/resource.h>
#include <unistd.h>
#endif
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "ap_mexutil.h"

#ifdef _OPENMP
#include <omp.h>
#define WITH_OPENMP(directive) _Pragma(#directive)
#else
#define WITH_OPENMP(directive)
#define omp_get_max_threads() 1
#define omp_get_thread_num() 0
#endif

enum { NAME = 96, TEXT = 512 };

static const char *stem = "net";  // of the gateway, see ap_mex_usage
static const char *less =         // what needs less memory, see ap_mex_advise
    "fewer paths (attnpath_prune) need less, where examples are many, attnpath_moments, and of several outputs "
    "solutions with 'Outputs', 'shared'";
static ap_work arena;  // of the call, see ap_mex_work
ap_error ap_mex_err;

static const double gib = 1073741824.0;

// A weak symbol: the host may be linked with any BLAS. Linkers of other formats than ELF require it to be defined
#if defined(__GNUC__) && defined(__ELF__) && !defined(MATLAB_MEX_FILE)
extern int openblas_get_num_threads(void) __attribute__((weak));
extern void openblas_set_num_threads(int count) __attribute__((weak));
static int set_threads(int count) {
    if (openblas_get_num_threads == NULL || openblas_set_num_threads == NULL) return 0;
    const int before = openblas_get_num_threads();
    if (count > 0 && count != before) openblas_set_num_threads(count);
    return before;
}
#else
static int set_threads(int count) {
    (void)count;
    return 0;
}
#endif

// The session's own number while a call has another one, else 0. A host may end a call in the middle of a line that it
// prints (Ctrl-C in a pager), and never come back: so a line is printed with the session's number, and what all that
// did not prevent is set right at the next entry.
static int session = 0;

static void restore_threads(void) {
    if (session > 0) (void)set_threads(session);
    session = 0;
}

// Octave notes SIGTERM and the like in a thread of its own, which waits for them and is told of them by no handler, and
// answers at the next statement, behind a call that may take hours. So while a gateway computes, these signals are open
// to its thread, and go to the handler below: it notes that the call is to end, and then does what Octave's does. The
// thread of a host in a window is not the process's first one, and the system may choose Octave's, as before.
// Octave's own answer from within a call leaves its C functions by an exception, and Octave crashes in the end.
#if defined(HAVE_OCTAVE) && !defined(_WIN32)
enum { ENDINGS = 3 };
static const int endings[ENDINGS] = {SIGTERM, SIGHUP, SIGQUIT};
static volatile sig_atomic_t ended;
static struct {
    bool made;
    struct sigaction own[ENDINGS];  // of the host
    sigset_t mask;
} listening;

static void note_end(int sig) {
    ended = 1;
    for (int k = 0; k < ENDINGS; k++)
        if (sig == endings[k]) listening.own[k].sa_handler(sig);
}

static bool handles(const struct sigaction *a) {
    return (a->sa_flags & SA_SIGINFO) == 0 && a->sa_handler != SIG_DFL && a->sa_handler != SIG_IGN;
}

static void listen_for_end(void) {
    sigset_t open;
    struct sigaction noting = {.sa_handler = note_end, .sa_flags = SA_RESTART};
    if (listening.made) return;
    ended = 0;
    (void)sigemptyset(&open);
    (void)sigemptyset(&noting.sa_mask);
    for (int k = 0; k < ENDINGS; k++) {
        if (sigaction(endings[k], NULL, &listening.own[k]) != 0 || !handles(&listening.own[k])) continue;
        (void)sigaddset(&open, endings[k]);
        (void)sigaction(endings[k], &noting, NULL);
    }
    listening.made = pthread_sigmask(SIG_UNBLOCK, &open, &listening.mask) == 0;
}

static void listen_no_more(void) {
    if (!listening.made) return;
    (void)pthread_sigmask(SIG_SETMASK, &listening.mask, NULL);
    for (int k = 0; k < ENDINGS; k++) {
        struct sigaction now;
        if (sigaction(endings[k], NULL, &now) == 0 && now.sa_handler == note_end)
            (void)sigaction(endings[k], &listening.own[k], NULL);
    }
    listening.made = false;
}
#else
static const int ended = 0;
static void listen_for_end(void) {}
static void listen_no_more(void) {}
#endif

static void end_call(void) {
    listen_no_more();
    restore_threads();
    ap_work_close(&arena);
}

_Noreturn void ap_mex_fail(const char *what, const char *format, ...) {
    char id[NAME], text[TEXT];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    (void)snprintf(id, sizeof id, "attnpath:%s:%s", stem, what);
    end_call();
    mexErrMsgIdAndTxt(id, "%s", text);
    abort();  // never reached: the line above does not return, which its prototype does not declare
}

void ap_mex_usage(const char *gateway, bool ok, const char *usage) {
    stem = gateway;
    if (!ok) ap_mex_fail("usage", "wrong number of arguments; the call is %s", usage);
    if (!ap_blas_selftest())
        ap_mex_fail("blasInteger", "the BLAS that was linked uses integers of another width than it was built for");
}

void ap_mex_advise(const char *what) { less = what; }

// attnpath_interrupt_mex (what). Where interrupts are not held back, Octave may end the call right here.
static bool of_interrupts(const char *what) {
    mxArray *word = mxCreateString(what), *answer = NULL;
    if (mexCallMATLAB(1, &answer, 1, &word, "attnpath_interrupt_mex") != 0) return false;
    return *(const mxLogical *)mxGetData(answer);
}

void ap_mex_check(ap_status status) {
    restore_threads();
    if (status < 0) ap_mex_fail(ap_status_name(status), "%s", ap_mex_err.text);
    if (status == AP_INTERRUPTED && !ended && of_interrupts("held")) ap_mex_fail(ap_status_name(status), "interrupted");
}

#ifdef HAVE_OCTAVE  // from mex.h. No header promises the flag, so it is looked up weakly; MATLAB has none
extern volatile sig_atomic_t octave_interrupt_state __attribute__((weak));
static volatile sig_atomic_t *flag(void) { return &octave_interrupt_state; }
#else
static volatile sig_atomic_t *flag(void) { return NULL; }
#endif

bool ap_mex_interrupted(void) {
    const volatile sig_atomic_t *state = flag();
    return ended || (state != NULL && *state != 0);
}

void ap_mex_keep(ap_status status) {
    volatile sig_atomic_t *const state = flag();
    if (status != AP_INTERRUPTED) {
        ap_mex_check(status);
    } else if (state != NULL && !ended) {  // the host need not raise it, and what holds it notes it
        *state = 0;
        (void)of_interrupts("note");
    }
}

bool ap_mex_stop(void *context) {
    (void)context;
    return ap_mex_interrupted();
}

bool ap_mex_due(ap_mex_progress *p) {
    const time_t now = time(NULL);
    const double gap = fmax(difftime(now, p->seen), 0.0);
    p->passed += gap;
    p->seen = now;
    if (p->passed + fmax(gap - 2.0, 0.0) < p->next) return false;  // the next test may be as far off as the last
    p->next = p->passed + fmin(fmax(p->passed, 2.0), 8.0);
    return true;
}

bool ap_mex_watch(void *progress) { return ap_mex_draws_done(progress, 0); }

bool ap_mex_draws_done(void *progress, size_t done) {
    ap_mex_progress *p = progress;
    if (!ap_mex_due(p) || p->name == NULL) return ap_mex_interrupted();
    if (done == 0)
        ap_mex_print("attnpath_%s: running for %.0f s\n", p->name, p->passed);
    else if (done < p->draws)
        ap_mex_print("attnpath_%s: %zu of %zu %s%s, %.0f s left\n", p->name, done, p->draws,
                     p->what == NULL ? "draws" : p->what, p->part,
                     (p->passed - p->before) * (double)(p->draws - done) / (double)done);
    return ap_mex_interrupted();
}

void ap_mex_print(const char *format, ...) {
    char text[TEXT];
    va_list args;
    if (ended) return;
    const int threads = set_threads(session);
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    mexPrintf("%s", text);
    (void)set_threads(threads);
}

// One thread, unless more are requested by name. Two were even with one at 3e7 flops an evaluation (P = 200, 4 paths of
// 100 features) and 1.5 times faster at 2e8, on two cores that nothing else used. On busy cores threads wait for each
// other: a tuning of 64 paths took 10 times as long as with one, and among seven other processes an evaluation took as
// long at P = 400, and 1.1 to 1.3 times as long at P = 800 and 1600.
void ap_mex_threads(int count, double flops) {
    if (count == 0 && flops >= 5e7 && getenv("OPENBLAS_NUM_THREADS") != NULL) {
        restore_threads();
    } else {
        const int wanted = count > 0 ? count : 1, before = set_threads(wanted);
        if (session == 0 && wanted != before) session = before;
    }
}

double ap_mex_flops(const ap_kernel *kernel, size_t unknowns) {  // what threads share: products and factors
    const double P = (double)kernel->P, n = (double)unknowns;
    const double evaluation = P * P * (P / 3.0 + 2.0 * (double)kernel->N0 * (double)kernel->inputs);
    return evaluation + n * n * (n / 3.0 + P * P / 2.0);
}

// Those behind a part that failed are left out, those before it are not: so it does not depend on the threads which one
// is reported, the first in their order that did not come to its end.
static ap_status run(ap_part part, void *job, size_t parts, size_t threads, ap_error *err) {
    ap_error first = {.status = AP_OK};
    size_t at = 0;
    const int before = set_threads(0);
    ap_mex_threads(1, 0.0);
    (void)threads;
    WITH_OPENMP(omp parallel for num_threads(threads) schedule(static))
    for (size_t k = 0; k < parts; k++) {
        bool needed = true;
        ap_error own = {0};
        WITH_OPENMP(omp critical(ap_mex_first))
        needed = first.status >= 0 || k < at;
        if (!needed) continue;
        own.status = part(job, k, (size_t)omp_get_thread_num(), &own);
        WITH_OPENMP(omp critical(ap_mex_first))
        if (own.status != AP_OK && (first.status == AP_OK || k < at)) {
            first = own;
            at = k;
        }
    }
    (void)set_threads(before);
    if (err != NULL && first.status != AP_OK) *err = first;
    return first.status;
}

const ap_team *ap_mex_team(void) {
    static ap_team team = {.run = run};
    team.threads = (size_t)omp_get_max_threads();
    return &team;
}

// ---- memory ---------------------------------------------------------------------------------------------------------

// A system may promise more memory than it has, and end the host when the memory is used. Requests are therefore
// limited to the memory of the machine, or to the limit of this process.
static double machine_bytes(void) {
    static double bytes = 0.0;
    if (bytes > 0.0) return bytes;
    bytes = 70368744177664.0;  // 2^46 if unknown: beyond any machine, well within size_t
#ifdef __linux__
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    FILE *group = fopen("/sys/fs/cgroup/memory.max", "r");
    double most;
    if (pages > 0 && size > 0) bytes = (double)pages * (double)size;
    if (group != NULL && fscanf(group, "%lf", &most) == 1) bytes = fmin(bytes, most);
    if (group != NULL) (void)fclose(group);
#endif
    return bytes;
}

// How many of them are left, and of addresses, of which a process may have a limit too.
static double bytes_left(void) {
    double left = machine_bytes();
#ifdef __linux__
    FILE *own = fopen("/proc/self/statm", "r");
    double mapped = 0.0, held = 0.0;
    struct rlimit space;
    if (own != NULL && fscanf(own, "%lf %lf", &mapped, &held) == 2) left -= held * (double)sysconf(_SC_PAGESIZE);
    if (own != NULL) (void)fclose(own);
    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY)
        left = fmin(left, (double)space.rlim_cur - mapped * (double)sysconf(_SC_PAGESIZE));
#endif
    return fmax(left, 0.0);
}

bool ap_mex_has(size_t count) { return (double)count * sizeof(double) <= machine_bytes(); }

// If mxMalloc or mxCreateNumericArray fails, the call ends with an error without identifier. So a block is allocated
// here first, and freed. volatile: compilers leave out a block that is not used.
void ap_mex_fits(size_t count) {
    const double wanted = (double)count * sizeof(double) / gib;
    if (!ap_mex_has(count))
        ap_mex_fail("tooLarge", "this needs %.3g GiB of memory, and the machine has %.3g: %s", wanted,
                    machine_bytes() / gib, less);
    void *volatile probe = malloc(ap_times(count, sizeof(double)));
    const bool given = probe != NULL || count == 0;
    free(probe);
    if (!given) ap_mex_fail("outOfMemory", "this needs %.3g GiB of memory, more than is free: %s", wanted, less);
}

void *ap_mex_list(size_t count, size_t size) {
    const size_t doubles = ap_plus(ap_times(count, size) / sizeof(double), 1);
    ap_mex_fits(doubles);
    return mxMalloc(doubles * sizeof(double));
}

// glibc gives memory back at the end of each call until it has freed a large block once, and then keeps twice as much.
// Without that attnpath_attend of 256 keys takes 230 page faults, a third of its time.
enum { kept_by_malloc = 16 << 20 };  // bytes

ap_work *ap_mex_work(size_t about) {
    ap_mex_fits(about);
    if (arena.held > 0) return &arena;  // of this call
    const double left = bytes_left(), blas = 136314880.0;
    if (arena.alloc == NULL) {
        // Where addresses are limited (ulimit -v) OpenBLAS requests its 128 MiB in an endless loop if refused. It keeps
        // them, so that only the first call of a gateway checks
        if (left < blas)
            ap_mex_fail("outOfMemory",
                        "%.3g GiB of memory are left to this process, and the BLAS alone may take %.3g: raise its "
                        "limit (ulimit -v)",
                        left / gib, blas / gib);
        (void)mexAtExit(end_call);
        void *volatile large = malloc(kept_by_malloc);
        free(large);
    }
    listen_for_end();
    arena = (ap_work){.alloc = malloc, .release = free, .limit = (size_t)(left / sizeof(double))};
#if defined(__SANITIZE_ADDRESS__) || defined(AP_APART)  // gcc defines the first
    arena.guard_each_take = true;
#endif
    return &arena;
}

double *ap_mex_take(ap_work *work, size_t count) {
    double *p = ap_take(work, count);
    if (p == NULL) {
        ap_work_refused(&ap_mex_err, work, "this");
        ap_mex_check(AP_EMEMORY);
    }
    return p;
}

#undef mexFunction
void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
    end_call();  // where the host raised an error in the middle of the call before
    ap_mex_gateway(nlhs, plhs, nrhs, prhs);
    end_call();
}
