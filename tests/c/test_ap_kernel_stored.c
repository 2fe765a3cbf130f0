// test_ap_kernel_stored.c: the kernel from stored path kernels, packed alone and unpacked as well
// SPDX-License-Identifier: BSD-3-Clause

#include "kernel.h"

int main(void) {
    kernel_check(1e9, 400, 22, true, true);
    kernel_check(8.0 * 21 * 22 * 23 / 2, 400, 22, true, false);
    kernel_check_workspace(1e9);
    kernel_check_workspace(8.0 * 21 * 3 * 4 / 2);
    return check_report("test_ap_kernel_stored");
}
