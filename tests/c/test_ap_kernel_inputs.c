// test_ap_kernel_inputs.c: the kernel from path inputs
// SPDX-License-Identifier: BSD-3-Clause

#include "kernel.h"

int main(void) {
    kernel_check(0.0, 5, 22, false, false);
    kernel_check_workspace(0.0);
    return check_report("test_ap_kernel_inputs");
}
