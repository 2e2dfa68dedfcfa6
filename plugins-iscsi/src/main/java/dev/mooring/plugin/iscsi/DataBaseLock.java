// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Notice;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.Command;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.PinnedPath;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The lock of the record data base that {@code iscsiadm} and {@code iscsid} take: the process that makes the file {@code lock.write} has
 * it. A process that dies with it leaves it behind, and all others wait in vain (semantics/plugins §3.2).
 */
final class DataBaseLock {
    private static final Path DIRECTORY = Path.of("/run/lock/iscsi");
    private static final String FILE = "lock.write";
    private static final Path LOCK = DIRECTORY.resolve(FILE);
    private static final int DIRECTORY_MODE = 0700;
    private static final int FILE_MODE = 0600;
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration STALE = Duration.ofSeconds(60);

    private static final Path UP_TIME = Path.of("/proc/uptime");
    private static final Pattern UP_TIME_FORM = Pattern.compile("(\\d{1,12})\\.");

    private final IscsiCall call;

    DataBaseLock(IscsiCall call) {
        this.call = call;
    }

    /** Does something while no other process changes records. */
    <T> Outcome<T> with(Supplier<Outcome<T>> action) {
        return taken().then(nothing -> {
            Outcome<T> outcome;
            try {
                outcome = action.get();
            } finally {
                // a lock that could not be let go is found to be stale later
                remove();
            }
            return outcome;
        });
    }

    private Outcome<Nothing> taken() {
        return call.await(PATIENCE, this::take)
                .then(first -> first.isPresent()
                        ? Outcome.done(first)
                        : recover().then(removed -> removed ? take() : Outcome.done(first)))
                .then(second -> second.map(Outcome::done)
                        .orElseGet(() -> Outcome.deferred("another process holds the lock " + LOCK)));
    }

    private Outcome<Optional<Nothing>> take() {
        return made(DIRECTORY, FileKind.DIRECTORY, DIRECTORY_MODE)
                .then(directory -> made(LOCK, FileKind.FILE, FILE_MODE))
                .map(isNew -> isNew ? Optional.of(Nothing.NOTHING) : Optional.empty());
    }

    private Outcome<Boolean> made(Path path, FileKind kind, int mode) {
        return call.host().files().openOrMake(path, LinkRule.FOLLOW, kind, mode).map(made -> {
            made.path().close();
            return made.isNew();
        });
    }

    /**
     * Removes the lock if its owner is surely dead: no {@code iscsiadm} runs, and the lock has been the same for a minute. {@code iscsid}
     * always runs, with a child of its own, and holds the lock for moments only: the minute covers it.
     *
     * @return whether it was removed
     */
    Outcome<Boolean> recover() {
        return age().then(age -> {
            if (age.isEmpty() || age.get().compareTo(STALE) < 0) {
                return Outcome.done(false);
            }
            return toolRuns().then(runs -> {
                if (runs) {
                    return Outcome.done(false);
                }
                call.context()
                        .report(Notice.normal(
                                "StaleLockRemoved",
                                "removing the lock of the iSCSI data base, which a dead process left behind"));
                return remove().map(nothing -> true);
            });
        });
    }

    /** How long this very lock has been seen; empty if there is none, or if the machine does not say how long it runs. */
    private Outcome<Optional<Duration>> age() {
        return identity()
                .then(lock -> upTime().map(now -> lock.isPresent() && now.isPresent()
                        ? Optional.of(call.shared().seenFor(lock.get(), now.get()))
                        : Optional.empty()));
    }

    /** The file and when it was linked: a process that takes the lock again makes another one. */
    private Outcome<Optional<String>> identity() {
        return call.host()
                .processes()
                .run(call.context(), Command.query("stat", "-c", "%i %z", LOCK.toString()))
                .map(result -> Optional.of(result.standardOutput().strip())
                        .filter(text -> result.succeeded() && !text.isEmpty()));
    }

    /** The kernel's own clock, which cannot be set. Once the wall clock was set, the time of a file says nothing about its age. */
    private Outcome<Optional<Duration>> upTime() {
        return call.host()
                .sysfs()
                .read(UP_TIME)
                .map(text -> text.map(UP_TIME_FORM::matcher)
                        .filter(Matcher::lookingAt)
                        .map(seconds -> Duration.ofSeconds(Long.parseLong(seconds.group(1)))));
    }

    private Outcome<Boolean> toolRuns() {
        return call.host().sysfs().list(Path.of("/proc")).then(names -> {
            List<String> processes =
                    names.stream().filter(name -> name.matches("\\d+")).toList();
            return Steps.first(
                            processes,
                            process -> call.host()
                                    .sysfs()
                                    .read(Path.of("/proc", process, "comm"))
                                    .map(name -> name.filter("iscsiadm"::equals)))
                    .map(Optional::isPresent);
        });
    }

    private Outcome<Nothing> remove() {
        Outcome<PinnedPath> directory = call.host().files().open(DIRECTORY, LinkRule.FOLLOW);
        if (directory.isRefused(Refusal.NOT_FOUND)) {
            return Outcome.done();
        }
        return directory.then(pinned -> {
            try (pinned) {
                return pinned.removeFile(FILE);
            }
        });
    }
}
