// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ThreadsTest {
    private Process process;

    private void startProcess() throws IOException {
        process = new ProcessBuilder("sleep", "600").start();
    }

    @AfterEach
    void end() throws InterruptedException {
        if (process != null) {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void aProcessThatIsStartedAndStaysIsTold() throws Exception {
        Threads before = Threads.now();
        assertThat(before.left()).isEmpty();
        startProcess();

        assertThat(before.left())
                .hasValueSatisfying(told -> assertThat(told).contains("the process " + process.pid(), "sleep"));
        end();
        assertThat(before.left()).isEmpty();
    }

    @Test
    void aProcessThatAThreadStartedWhichHasEndedIsToldToo() throws Exception {
        Threads before = Threads.now();
        Thread starter = new Thread(() -> {
            try {
                startProcess();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        starter.start();
        starter.join();

        assertThat(before.left()).hasValueSatisfying(told -> assertThat(told).contains("the process " + process.pid()));
    }

    @Test
    void aProcessThatWasThereBeforeIsNotReported() throws Exception {
        startProcess();

        assertThat(Threads.now().left()).isEmpty();
    }
}
