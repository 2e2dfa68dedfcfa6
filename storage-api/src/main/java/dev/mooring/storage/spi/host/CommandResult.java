// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi.host;

import org.apiguardian.api.API;

/**
 * How a tool ended.
 *
 * @param ending in which way
 * @param exitCode its exit code, 128 + n if signal n ended it; -1 while it still runs
 * @param standardOutput what it wrote, at most the first and the last 32 KiB of it
 * @param standardError what it wrote there, bounded likewise
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CommandResult(Ending ending, int exitCode, String standardOutput, String standardError) {
    /** In which way a process ended. */
    public enum Ending {
        /** By itself, in time. */
        EXITED,
        /** Its time was up, or the call was cancelled, and it is gone now. */
        KILLED,
        /**
         * It still runs: it could not be killed, being in the middle of something that the kernel does not interrupt, or it was to
         * be left alone. What it changes is locked until it ends.
         */
        STILL_RUNNING
    }

    /** Whether it ended by itself with exit code 0. */
    public boolean succeeded() {
        return ending == Ending.EXITED && exitCode == 0;
    }

    /** Standard error, or standard output where that is empty, in one line of at most 300 characters; for people. */
    public String complaint() {
        String text = (standardError.isBlank() ? standardOutput : standardError)
                .strip()
                .replaceAll("\\s+", " ");
        return text.length() <= 300 ? text : text.substring(0, 300) + "…";
    }
}
