// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One number means different things, depending on the call that answered it. */
class KernelExceptionTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "28 | move_mount | mount table is full | /proc/sys/fs/mount-max",
                "28 | mount /dev/sda | mount table is full | mount-max",
                "28 | open_tree | mount table is full | mount-max",
                "28 | write | no space left | write",
                "28 | mkdir data | no space left | data",
                "1 | move_mount | not permitted | CAP_SYS_ADMIN",
                "1 | unlink x | operation not permitted | unlink x",
                "24 | open x | as many files open as it may | ulimit -n",
                "23 | open x | the machine has as many files open | file-max",
                "11 | read | a limit | read",
                "40 | open x | symbolic link | too many"
            })
    void aFailureNamesItsCauseAndTheWayOut(int errno, String call, String cause, String wayOut) {
        assertThat(new KernelException(errno, call).getMessage()).contains(call, cause, wayOut);
    }
}
