// SPDX-License-Identifier: Apache-2.0
package dev.mooring.e2e.inside;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Who could write to a unit, as its target tells: the initiators that have a session, of which a reservation leaves only those that are
 * registered. Thread-safe.
 */
final class TargetWatch {
    private static final Path CONFIG = Path.of("/sys/kernel/config/target");

    private final Path sessions;
    private final Path reservation;
    private final List<String> wrong = new ArrayList<>();
    private final Set<String> wrote = new LinkedHashSet<>();
    private int reserved;

    /** Watches unit 0 of a target. */
    TargetWatch(String iqn) {
        Path group = CONFIG.resolve("iscsi").resolve(iqn).resolve("tpgt_1");
        sessions = group.resolve("dynamic_sessions");
        try (Stream<Path> links = Files.list(group.resolve("lun/lun_0"))) {
            reservation = links.filter(Files::isSymbolicLink)
                    .findFirst()
                    .orElseThrow()
                    .toRealPath()
                    .resolve("pr");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Looks, and keeps what is wrong. */
    synchronized void look(String when) {
        // The order matters: a holder that came between the two looks is not registered, and counts only if nothing is
        // reserved.
        String holder = MachineView.read(reservation.resolve("res_holder"));
        String registered = MachineView.read(reservation.resolve("res_pr_registered_i_pts"));
        Set<String> writers = new LinkedHashSet<>();
        MachineView.read(sessions)
                .replace("\0", "\n")
                .lines()
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .forEach(writers::add);
        if (!holder.startsWith("No SPC-3")) {
            reserved++;
            writers.removeIf(name -> !registered.contains(name));
        }
        wrote.addAll(writers);
        if (writers.size() > 1) {
            wrong.add(when + ": " + writers + " with " + holder.strip());
        }
    }

    /** When two could write. */
    synchronized List<String> wrong() {
        return List.copyOf(wrong);
    }

    /** All that could write at some time. */
    synchronized Set<String> wrote() {
        return Set.copyOf(wrote);
    }

    /** How often a look found a reservation. */
    synchronized int reserved() {
        return reserved;
    }
}
