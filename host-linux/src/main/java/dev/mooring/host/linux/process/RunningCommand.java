// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.process;

import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.host.Command;
import dev.mooring.storage.spi.host.CommandResult;
import dev.mooring.storage.spi.host.CommandResult.Ending;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * One process that is waited for. Its output is only read as far as it is there, so that a process left behind that keeps the pipe
 * open does not block the caller (P2).
 */
final class RunningCommand {
    private static final int HALF_OUTPUT = 32 * 1024;
    private static final Duration GRACE = Duration.ofSeconds(2);
    private static final Duration LAST_WAIT = Duration.ofSeconds(5);
    private static final long LONGEST_PAUSE_MILLIS = 20;
    private static final int SIGTERM = 15;
    private static final int SIGKILL = 9;

    private final Kernel kernel;
    private final OperationContext context;
    private final Command command;
    private final Process process;
    private final Optional<Path> file;
    private final boolean ownGroup;
    private final HeadAndTail output = new HeadAndTail(HALF_OUTPUT);
    private final HeadAndTail errors = new HeadAndTail(HALF_OUTPUT);
    private final byte[] buffer = new byte[8192];

    /**
     * Waits for a process.
     *
     * @param file where it writes both of its outputs; empty if they come through pipes
     */
    RunningCommand(
            Kernel kernel,
            OperationContext context,
            Command command,
            Process process,
            Optional<Path> file,
            boolean ownGroup) {
        this.file = file;
        this.kernel = kernel;
        this.context = context;
        this.command = command;
        this.process = process;
        this.ownGroup = ownGroup;
    }

    CommandResult await() {
        feed();
        if (waitUntil(end(context, command), true)) {
            return result(Ending.EXITED);
        }
        if (command.atLimit() == Command.AtLimit.LEAVE) {
            return result(Ending.STILL_RUNNING);
        }
        signal(SIGTERM);
        boolean obeyed = waitUntil(context.clock().instant().plus(GRACE), false);
        // also when it obeyed: what it started may not have
        signal(SIGKILL);
        if (obeyed) {
            return result(Ending.KILLED);
        }
        boolean gone = waitUntil(context.clock().instant().plus(LAST_WAIT), false);
        return result(gone ? Ending.KILLED : Ending.STILL_RUNNING);
    }

    /** When the time of a command that is started now will be up. */
    static Instant end(OperationContext context, Command command) {
        Instant end = context.clock().instant().plus(command.limit());
        return end.isBefore(context.deadline()) ? end : context.deadline();
    }

    private void feed() {
        if (command.input().isEmpty()) {
            return;
        }
        byte[] secret = command.input().get().reveal();
        try (OutputStream in = process.getOutputStream()) {
            in.write(secret);
        } catch (IOException closedEarly) {
            // a tool that ends without reading its input tells why by its exit code
            return;
        } finally {
            Arrays.fill(secret, (byte) 0);
        }
    }

    /** Whether the process ended. */
    private boolean waitUntil(Instant end, boolean untilCancelled) {
        long pause = 1;
        while (!(untilCancelled && context.cancelled())) {
            try {
                boolean ended = process.waitFor(pause, TimeUnit.MILLISECONDS);
                drain();
                if (ended) {
                    return true;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return !process.isAlive();
            }
            if (!context.clock().instant().isBefore(end)) {
                return false;
            }
            pause = Math.min(pause * 2, LONGEST_PAUSE_MILLIS);
        }
        return !process.isAlive();
    }

    private void drain() {
        drain(process.getInputStream(), output);
        drain(process.getErrorStream(), errors);
    }

    private void drain(InputStream from, HeadAndTail to) {
        try {
            // bounded, or a tool that writes faster than this reads would never be looked at
            for (int i = 0; i < 64 && from.available() > 0; i++) {
                int count = from.read(buffer, 0, Math.min(buffer.length, from.available()));
                to.add(buffer, Math.max(0, count));
            }
        } catch (IOException closed) {
            return;
        }
    }

    /** Tools that outlive the agent complain on either output; no reader needs to know on which. */
    private void read(Path written) {
        try (InputStream from = Files.newInputStream(written)) {
            for (int count = from.read(buffer); count > 0; count = from.read(buffer)) {
                errors.add(buffer, count);
            }
        } catch (IOException unreadable) {
            // the exit code tells what counts
            return;
        }
    }

    private void signal(int signal) {
        try {
            kernel.kill(ownGroup ? -process.pid() : process.pid(), signal);
        } catch (KernelException noGroup) {
            // not yet in its group, or ended at this moment
            process.toHandle().destroyForcibly();
        }
    }

    private CommandResult result(Ending ending) {
        int exit = process.isAlive() ? -1 : process.exitValue();
        file.ifPresent(this::read);
        return new CommandResult(ending, exit, output.toString(), errors.toString());
    }
}
