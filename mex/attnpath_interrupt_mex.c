// attnpath_interrupt_mex.c: holds Ctrl-C back while .m code works on what a long run has made
// SPDX-License-Identifier: BSD-3-Clause
//
// seen = attnpath_interrupt_mex (what)
//
// what:  'hold'     from now on an interrupt in .m code is noted, and the code goes on
//        'note'     an interrupt that a gateway has returned counts as noted
//        'seen'     changes nothing else
//        'held'     the same; the answer is whether interrupts are held now
//        'forget'   no interrupt has been noted
//        'release'  the same, and interrupts are Octave's again
// seen:  had an interrupt been noted before this call?
//
// Holds may be nested: a sweep holds, and so does a run in one of its cells. Interrupts are then Octave's again after
// as many releases as holds, and only the outermost of them forgets: an interrupt that ended the run ends the sweep.
//
// When Ctrl-C is pressed, Octave sets octave_signal_caught and octave_interrupt_state, in whichever thread gets the
// signal. Gateways read the second flag (ap_mex_interrupted) with and without a hold: an interrupt that is held back
// is an error attnpath:<stem>:interrupted (ap_mex_check), or a word among the gateway's outputs. The interpreter
// looks at the first one at every statement: it calls octave_signal_hook, and throws if the second flag is still set.
// The hook below clears it, and notes that it was set. A second Ctrl-C, more than ten seconds after an interrupt that
// nothing answered, is not held back, so that no hold lasts for ever.
// Hook and note are all that a gateway of this package keeps between calls (a call that the host ends from within
// leaves its arena to the next), and unloading this file puts Octave's own hook back. Where there is no such hook
// (MATLAB, Windows) nothing is held, and seen is false.

#define _POSIX_C_SOURCE 200112L  // nanosleep

#include <signal.h>
#include <time.h>

#include "ap_mexutil.h"

enum { HOLD, NOTE, SEEN, HELD, FORGET, RELEASE };

#if defined(HAVE_OCTAVE) && !defined(_WIN32)
extern volatile sig_atomic_t octave_interrupt_state __attribute__((weak));  // looked up as in ap_mexhost.c
extern void (*octave_signal_hook)(void) __attribute__((weak));
static void (*octaves_own)(void);
static bool noted;
static unsigned held;  // how often
static time_t since;

static void note(void) {
    if (!noted) since = time(NULL);
    noted = true;
    octave_interrupt_state = 0;
}

static void hook(void) {
    // Octave's watcher of signals, another thread, sets the first flag a moment before the second. The first time this
    // moment is long enough to be met; a signal that is no interrupt costs these ten milliseconds
    const struct timespec moment = {.tv_nsec = 100000};
    for (int k = 0; octave_interrupt_state == 0 && k < 100; k++) (void)nanosleep(&moment, NULL);
    if (octave_interrupt_state > 0 && noted && time(NULL) - since > 10) {
        noted = false;
    } else if (octave_interrupt_state > 0) {
        note();
    }
    if (octaves_own != NULL) octaves_own();  // for all other signals; it may throw
}

static void put_back(void) {
    if (held > 0) octave_signal_hook = octaves_own;
    held = 0;
}

static bool change(size_t what) {
    if (&octave_interrupt_state == NULL || &octave_signal_hook == NULL) return false;
    // On a busy machine the second flag may come later than the hook waits: a gateway sees it then, and the interpreter
    // clears it when the gateway's error is caught. ap_mex_check calls this function before it raises that error
    if (held > 0 && (what == NOTE || (!noted && octave_interrupt_state > 0))) note();
    const bool seen = noted;
    if (what == HELD) return held > 0;
    if (what == HOLD && held == 0) {
        (void)mexAtExit(put_back);
        octaves_own = octave_signal_hook;
        octave_signal_hook = hook;
    }
    if (held == 1 && (what == RELEASE || what == FORGET)) {
        noted = false;
        octave_interrupt_state = 0;
    }
    if (what == HOLD) held++;
    if (what == RELEASE && held == 1) put_back();
    if (what == RELEASE && held > 1) held--;
    return seen;
}
#else
static bool change(size_t what) {
    (void)what;
    return false;
}
#endif

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
    static const char *const words[] = {"hold", "note", "seen", "held", "forget", "release"};
    ap_mex_usage("interrupt", nrhs == 1 && nlhs <= 1, "seen = attnpath_interrupt_mex (what)");
    plhs[0] = mxCreateLogicalScalar(change(ap_mex_choice("what", prhs[0], 6, words)));
}
