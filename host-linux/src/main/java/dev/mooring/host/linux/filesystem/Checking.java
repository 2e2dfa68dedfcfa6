// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.filesystem;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Notice;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.Command;
import dev.mooring.storage.spi.host.CommandResult;
import dev.mooring.storage.spi.host.CommandResult.Ending;
import dev.mooring.storage.spi.host.ProcessRunner;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Checks a file system before it is mounted, and reads the tool's answer for what it is: a set of bits (semantics/plugins §1.5). */
public final class Checking {
    private static final int REBOOT_ADVISED = 2;
    private static final int NOT_CORRECTED = 4;
    private static final int OPERATIONAL = 8;
    private static final int USAGE = 16;
    private static final int CANCELLED = 32;
    private static final int LIBRARY = 128;
    private static final int MOST_FAILURES = 3;

    private final ProcessRunner processes;
    /** By device: how often in a row the tool could not do its work. */
    private final Map<String, Integer> failures = new ConcurrentHashMap<>();

    public Checking(ProcessRunner processes) {
        this.processes = processes;
    }

    Outcome<Nothing> check(OperationContext context, BlockDevice device, String type) {
        Optional<Command> command = FileSystemTools.check(type, device.path());
        return command.isEmpty()
                ? Outcome.done()
                : processes.run(context, command.get()).then(result -> judge(context, device, result));
    }

    private Outcome<Nothing> judge(OperationContext context, BlockDevice device, CommandResult result) {
        if (result.ending() != Ending.EXITED) {
            return Outcome.deferred("the check of " + device.path() + " has not ended yet");
        }
        int failed = isFailure(result.exitCode()) ? failures.merge(identity(device), 1, Integer::sum) : 0;
        if (failed == 0) {
            failures.remove(identity(device));
        }
        Outcome<Nothing> outcome = classify(device, result, failed);
        if (outcome.isDone() && (result.exitCode() & REBOOT_ADVISED) != 0) {
            context.report(
                    Notice.warning("RebootAdvised", "the check of " + device.path() + " advises to reboot the node"));
        }
        return outcome;
    }

    private static String identity(BlockDevice device) {
        return device.wwid().orElse(device.number());
    }

    private static boolean isFailure(int exit) {
        return (exit & (OPERATIONAL | USAGE | LIBRARY)) != 0;
    }

    /**
     * What an answer means.
     *
     * @param failed how often the tool has failed in a row, this time included
     */
    static Outcome<Nothing> classify(BlockDevice device, CommandResult result, int failed) {
        int exit = result.exitCode();
        String why = "the check of " + device.path() + " ended with " + exit + ": " + result.complaint();
        if ((exit & NOT_CORRECTED) != 0) {
            return Outcome.refused(Refusal.CORRUPT, why);
        }
        if (isFailure(exit)) {
            return failed > MOST_FAILURES ? Outcome.refused(Refusal.CORRUPT, why) : Outcome.deferred(why);
        }
        return (exit & CANCELLED) != 0 || exit > (CANCELLED | 3) ? Outcome.deferred(why) : Outcome.done();
    }
}
