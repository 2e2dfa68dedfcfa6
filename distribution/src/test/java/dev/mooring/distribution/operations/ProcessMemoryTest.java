// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class ProcessMemoryTest {
    private static final long MEBI = 1024 * 1024;

    @Test
    void countsBytes() throws IOException {
        assertThat(ProcessMemory.ofThis().resident()).isGreaterThan(MEBI);
        assertThat(ProcessMemory.of(ProcessHandle.current().pid()).mostResident())
                .isGreaterThan(MEBI);
    }

    @Test
    void failsForAProcessThatHasGone() {
        assertThatIOException()
                .isThrownBy(() -> ProcessMemory.of(Long.MAX_VALUE).resident());
    }
}
