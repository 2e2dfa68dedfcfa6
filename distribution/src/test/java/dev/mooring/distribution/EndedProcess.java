// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Ends processes that a test has started. */
public final class EndedProcess {
    private static final Duration ENDING = Duration.ofSeconds(60);

    private EndedProcess() {}

    /**
     * Lets a process end in order, and kills it if it does not. What a server that was killed has mounted stays, and its directory cannot be
     * removed then.
     */
    public static void inOrder(Process process) {
        // Not Process.destroy: that closes the streams too, and a thread may be reading.
        ProcessHandle handle = process.toHandle();
        handle.destroy();
        try {
            if (!process.waitFor(ENDING.toSeconds(), TimeUnit.SECONDS)) {
                handle.destroyForcibly();
                process.waitFor();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            handle.destroyForcibly();
        }
    }
}
