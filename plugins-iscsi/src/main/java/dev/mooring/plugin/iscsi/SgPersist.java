// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.Command;
import dev.mooring.storage.spi.host.CommandResult;
import dev.mooring.storage.spi.host.CommandResult.Ending;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Persistent reservations by {@code sg_persist} (semantics/plugins §3.8). Keys are hexadecimal digits without leading zeros. */
final class SgPersist {
    static final String TOOL = "sg_persist";

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int ATTEMPTS = 4;
    private static final Pattern KEY_LINE = Pattern.compile("\\s*0x([0-9a-fA-F]{1,16})\\s*");
    private static final Pattern HOLDER = Pattern.compile("Key\\s*=\\s*0x([0-9a-fA-F]{1,16})");

    private final IscsiCall call;

    SgPersist(IscsiCall call) {
        this.call = call;
    }

    /** The kind of reservation. */
    enum Reservation {
        /** One registrant holds it, all registrants write. */
        REGISTRANTS_ONLY("5"),
        /** All registrants hold it and write: it lives as long as one path does. */
        ALL_REGISTRANTS("7");

        private final String number;

        Reservation(String number) {
            this.number = number;
        }
    }

    /**
     * What a unit can do.
     *
     * @param survivesPowerLoss whether registrations can be kept over a restart of the target
     * @param allRegistrants whether it knows {@link Reservation#ALL_REGISTRANTS}
     */
    record Abilities(boolean survivesPowerLoss, boolean allRegistrants) {}

    boolean isThere() {
        return call.host().processes().locate(TOOL).isPresent();
    }

    Outcome<Abilities> abilities(BlockDevice path) {
        return run(
                        "asking " + path.path() + " for reservations",
                        "-n",
                        "-i",
                        "-c",
                        path.path().toString())
                .map(text -> new Abilities(
                        text.contains("(PTPL_C): 1"), text.contains("Write Exclusive, all registrants: 1")));
    }

    /** The keys that are registered, once for every nexus. */
    Outcome<List<String>> keys(BlockDevice path) {
        return run(
                        "reading the keys of " + path.path(),
                        "-n",
                        "-i",
                        "-k",
                        path.path().toString())
                .map(text -> text.lines()
                        .flatMap(line -> matched(KEY_LINE.matcher(line), true))
                        .toList());
    }

    /**
     * What a unit answered.
     *
     * @param path over which path
     * @param keys the keys that are registered, once for every nexus
     */
    record Answer(BlockDevice path, List<String> keys) {}

    /** Of the first path over which the unit answers. */
    Outcome<Answer> answering(List<BlockDevice> paths) {
        Outcome<Answer> last = Outcome.deferred("there is no path any more");
        for (BlockDevice path : paths) {
            last = keys(path).map(keys -> new Answer(path, keys));
            if (last.isDone()) {
                return last;
            }
        }
        return last;
    }

    /** The key that holds the reservation; {@code 0} if all registrants hold it; empty if there is none. */
    Outcome<Optional<String>> holder(BlockDevice path) {
        return run(
                        "reading the reservation of " + path.path(),
                        "-n",
                        "-i",
                        "-r",
                        path.path().toString())
                .map(text -> text.lines()
                        .flatMap(line -> matched(HOLDER.matcher(line), false))
                        .findFirst());
    }

    private static Stream<String> matched(Matcher matcher, boolean whole) {
        return (whole ? matcher.matches() : matcher.find()) ? Stream.of(normal(matcher.group(1))) : Stream.empty();
    }

    /** A key as it is compared. */
    static String normal(String key) {
        String digits = key.toLowerCase(Locale.ROOT).replaceFirst("^0+", "");
        return digits.isEmpty() ? "0" : digits;
    }

    /** Registers, whatever was registered for this path before: a path of a new session has no registration yet. */
    Outcome<Nothing> register(BlockDevice path, String key, boolean survivesPowerLoss) {
        return registration("registering at ", path, survivesPowerLoss, "-I", "-S", "0x" + key);
    }

    /** Whether those that stay registered survive is for this one to say too. */
    Outcome<Nothing> unregister(BlockDevice path, String key, boolean survivesPowerLoss) {
        return registration("unregistering at ", path, survivesPowerLoss, "-G", "-K", "0x" + key, "-S", "0");
    }

    private Outcome<Nothing> registration(
            String what, BlockDevice path, boolean survivesPowerLoss, String... arguments) {
        List<String> all = new ArrayList<>(List.of("-n", "-o"));
        all.addAll(List.of(arguments));
        if (survivesPowerLoss) {
            all.add("-Z");
        }
        return change(what + path.path(), path, all);
    }

    Outcome<Nothing> reserve(BlockDevice path, String key, Reservation type) {
        return change("reserving " + path.path(), path, List.of("-n", "-o", "-R", "-K", "0x" + key, "-T", type.number));
    }

    /** Takes everything from a key: its registrations, its reservation, and the commands that it has under way. */
    Outcome<Nothing> preempt(BlockDevice path, String key, String victim, Reservation type) {
        return change(
                "fencing key 0x" + victim + " at " + path.path(),
                path,
                List.of("-n", "-o", "-A", "-K", "0x" + key, "-S", "0x" + victim, "-T", type.number));
    }

    private Outcome<Nothing> change(String what, BlockDevice path, List<String> arguments) {
        List<String> all = new ArrayList<>(arguments);
        all.add(path.path().toString());
        return repeated(what, Command.change(path.path().toString(), LIMIT, TOOL, all))
                .map(text -> Nothing.NOTHING);
    }

    private Outcome<String> run(String what, String... arguments) {
        return repeated(what, Command.query(TOOL, arguments));
    }

    /** A unit attention reports something that happened before, once: the command itself was not carried out. */
    private Outcome<String> repeated(String what, Command command) {
        Outcome<CommandResult> result = call.host().processes().run(call.context(), command);
        for (int i = 1; i < ATTEMPTS && code(result) == PersistExit.UNIT_ATTENTION; i++) {
            result = call.host().processes().run(call.context(), command);
        }
        int code = code(result);
        return result.then(end -> PersistExit.outcome(what, code).map(nothing -> end.standardOutput()));
    }

    private static int code(Outcome<CommandResult> result) {
        return result.result()
                .filter(end -> end.ending() == Ending.EXITED)
                .map(CommandResult::exitCode)
                .orElse(-1);
    }
}
