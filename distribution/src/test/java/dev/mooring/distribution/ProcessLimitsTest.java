// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.host.linux.LinuxHost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import org.junit.jupiter.api.Test;

/** A limit of the process is told as a limit, not as what happened to fail first. */
class ProcessLimitsTest {
    @Test
    void aLimitOfOpenFilesIsFoundBelowWhateverItBroke() {
        IOException full = new FileSystemException("/x", null, "Too many open files");
        assertThat(ProcessLimits.reachedBy(new UncheckedIOException(full)).orElse(""))
                .contains(
                        "files open as it may (" + LinuxHost.openFilesLimit().getAsLong() + ")",
                        "ulimit -n",
                        "LimitNOFILE=");
        assertThat(ProcessLimits.reachedBy(new ExceptionInInitializerError(new IllegalStateException(full))))
                .isPresent();
    }

    @Test
    void aLimitOfThreadsIsNoLackOfMemory() {
        assertThat(ProcessLimits.reachedBy(
                                new OutOfMemoryError("unable to create native thread: possibly out of memory"))
                        .orElse(""))
                .contains("threads", "TasksMax=");
    }

    @Test
    void anythingElseHasAnotherCause() {
        assertThat(ProcessLimits.reachedBy(new IOException())).isEmpty();
        assertThat(ProcessLimits.reachedBy(new OutOfMemoryError("Java heap space")))
                .isEmpty();
    }
}
