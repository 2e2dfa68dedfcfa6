// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.wiring;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Whether the machine is being shut down, or only this process is ended: systemd knows. */
public final class MachineShutdown {
    private static final Path SYSTEMD = Path.of("/run/systemd/system");
    private static final List<String> QUESTION = List.of("systemctl", "is-system-running");
    private static final long PATIENCE_SECONDS = 3;

    private MachineShutdown() {}

    /** Asks; no where there is no systemd or it does not answer. */
    public static boolean isUnderWay() {
        return Files.isDirectory(SYSTEMD) && answer(QUESTION).equals("stopping");
    }

    /** What a command says, in one line; empty if it cannot be run or does not end. */
    static String answer(List<String> command) {
        try {
            Process asked = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            asked.getOutputStream().close();
            if (!asked.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                asked.destroyForcibly();
                return "";
            }
            return new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }
}
