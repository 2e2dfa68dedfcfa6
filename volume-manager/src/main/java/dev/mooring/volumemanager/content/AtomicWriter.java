// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.content;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.storage.spi.host.TreeRules;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Writes a volume's files so that readers see either all of the old or all of the new version (semantics/plugins §1.9).
 *
 * <pre>
 *   name      → ..data/name
 *   ..data    → ..2026_01_31_12_00_00.0        replaced in one step, the moment of change
 *   ..2026_01_31_12_00_00.0/name               a version, complete before anything leads to it
 * </pre>
 *
 * <p>It may end between any two steps: the next call finds the old or the new version, and then takes away what was left over. The
 * directory to which {@code ..data} leads is never removed. Nothing is flushed: after a loss of power the content is made again.
 */
final class AtomicWriter {
    static final String DATA = "..data";

    private static final String NEW_DATA = "..data_tmp";
    private static final String NEW_LINK = "..link_tmp";
    private static final int DIRECTORY_MODE = 0755;
    private static final int GROUP_DIRECTORY_BITS = 02550;
    private static final int GROUP_FILE_BITS = 0440;
    private static final int MAX_NAMES = 100_000;
    private static final int MAX_SAME_TIME = 1000;
    private static final Pattern VERSION =
            Pattern.compile("\\.\\.[0-9]{4}_[0-9]{2}_[0-9]{2}_[0-9]{2}_[0-9]{2}_[0-9]{2}\\.[0-9]+");
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("'..'uuuu_MM_dd_HH_mm_ss").withZone(ZoneOffset.UTC);

    private final OperationContext context;
    private final PinnedPath volume;
    private final OptionalInt group;

    /**
     * A writer for one volume.
     *
     * @param volume its directory, which belongs to the host; stays open
     * @param group the group that may read too; absent for none
     */
    AtomicWriter(OperationContext context, PinnedPath volume, OptionalInt group) {
        this.context = context;
        this.volume = volume;
        this.group = group;
    }

    /** Makes the volume show these files and no others. */
    Outcome<Nothing> write(Payload payload) {
        return current().then(before -> {
            Outcome<Boolean> same = before.isEmpty() ? Outcome.done(false) : shows(before.get(), payload);
            return same.then(unchanged -> unchanged ? Outcome.done(before.get()) : change(before, payload))
                    .then(version -> links(payload).then(done -> clean(payload, version)));
        });
    }

    /** The version to which {@code ..data} leads; empty if there is none, also after another program has changed it. */
    private Outcome<Optional<String>> current() {
        return volume.readLink(DATA)
                .map(target -> target.filter(name -> VERSION.matcher(name).matches()));
    }

    // ---- comparing ----

    private Outcome<Boolean> shows(String version, Payload payload) {
        Outcome<PinnedPath> opened = volume.child(version);
        if (opened.isRefused(Refusal.NOT_FOUND)) {
            return Outcome.done(false);
        }
        return opened.then(directory -> {
            try (directory) {
                return new ContentVersion(directory, group).holds(payload);
            }
        });
    }

    // ---- the new version ----

    private Outcome<String> change(Optional<String> before, Payload payload) {
        removeVersionsBut(before);
        return newVersion()
                .then(version -> filled(version, payload)
                        .then(done -> volume.removeFile(NEW_DATA))
                        .then(done -> volume.makeSymbolicLink(NEW_DATA, version))
                        .then(done -> volume.replace(NEW_DATA, DATA))
                        .map(done -> version));
    }

    /** On a full disk what attempts leave would take the room that others make; what cannot be removed is tried again after the change. */
    private void removeVersionsBut(Optional<String> current) {
        volume.list(MAX_NAMES).result().orElse(List.of()).stream()
                .filter(name -> VERSION.matcher(name).matches() && !current.equals(Optional.of(name)))
                .forEach(this::removeVersion);
    }

    private Outcome<Nothing> filled(String version, Payload payload) {
        Outcome<Nothing> filled = fill(version, payload);
        if (!filled.isDone()) {
            removeVersion(version);
        }
        return filled;
    }

    /** Makes a directory with a name that is not in use. */
    private Outcome<String> newVersion() {
        String time = TIME.format(context.clock().instant());
        for (int number = 0; number < MAX_SAME_TIME; number++) {
            String name = time + "." + number;
            Outcome<Boolean> made = volume.makeDirectory(name, DIRECTORY_MODE).map(directory -> {
                directory.path().close();
                return directory.isNew();
            });
            if (!made.isDone() || made.result().orElse(false)) {
                return made.map(isNew -> name);
            }
        }
        return Outcome.deferred("there are " + MAX_SAME_TIME + " versions of one second");
    }

    private Outcome<Nothing> fill(String version, Payload payload) {
        return volume.child(version).then(directory -> {
            try (directory) {
                Outcome<Nothing> filled = giveDirectory(directory);
                for (var file : payload.files().entrySet()) {
                    filled = filled.then(done -> put(directory, file.getKey(), file.getValue()));
                }
                return filled;
            }
        });
    }

    private Outcome<Nothing> put(PinnedPath directory, String path, Payload.File file) {
        int slash = path.indexOf('/');
        if (slash < 0) {
            return directory
                    .writeFile(path, file.content(), modeOf(file, group))
                    .then(done -> group.isPresent() || file.owner().isPresent()
                            ? giveFile(directory, path, file)
                            : Outcome.done());
        }
        return directory.makeDirectory(path.substring(0, slash), DIRECTORY_MODE).then(made -> {
            try (PinnedPath below = made.path()) {
                Outcome<Nothing> given = made.isNew() ? giveDirectory(below) : Outcome.done();
                return given.then(done -> put(below, path.substring(slash + 1), file));
            }
        });
    }

    private Outcome<Nothing> giveFile(PinnedPath directory, String name, Payload.File file) {
        return directory.child(name).then(opened -> {
            try (opened) {
                return opened.setOwner(file.owner().orElse(-1), group.orElse(-1))
                        .then(done -> opened.setMode(modeOf(file, group)));
            }
        });
    }

    private Outcome<Nothing> giveDirectory(PinnedPath directory) {
        return group.isEmpty()
                ? Outcome.done()
                : directory
                        .setOwner(-1, group.getAsInt())
                        .then(done -> directory.setMode(DIRECTORY_MODE | GROUP_DIRECTORY_BITS));
    }

    static int modeOf(Payload.File file, OptionalInt group) {
        return file.mode() | (group.isPresent() ? GROUP_FILE_BITS : 0);
    }

    // ---- what users see ----

    /** Also repairs what an interrupted call left out. */
    private Outcome<Nothing> links(Payload payload) {
        Outcome<Nothing> made = Outcome.done();
        for (String name : payload.names()) {
            made = made.then(done -> link(name));
        }
        return made;
    }

    private Outcome<Nothing> link(String name) {
        String target = DATA + "/" + name;
        return volume.readLink(name).then(found -> {
            if (found.isEmpty()) {
                return volume.makeSymbolicLink(name, target);
            }
            return found.get().equals(target)
                    ? Outcome.done()
                    : volume.removeFile(NEW_LINK)
                            .then(done -> volume.makeSymbolicLink(NEW_LINK, target))
                            .then(done -> volume.replace(NEW_LINK, name));
        });
    }

    // ---- what is left over ----

    private Outcome<Nothing> clean(Payload payload, String version) {
        Set<String> wanted = payload.names();
        return volume.list(MAX_NAMES).then(names -> {
            Outcome<Nothing> cleaned = Outcome.done();
            for (String name : names) {
                cleaned = cleaned.then(done -> clean(name, wanted, version));
            }
            return cleaned;
        });
    }

    private Outcome<Nothing> clean(String name, Set<String> wanted, String version) {
        if (List.of(NEW_DATA, NEW_LINK).contains(name)) {
            return volume.removeFile(name);
        }
        if (VERSION.matcher(name).matches()) {
            return name.equals(version) ? Outcome.done() : removeVersion(name);
        }
        if (name.startsWith("..") || wanted.contains(name)) {
            return Outcome.done();
        }
        // only links of this writer's own making are obsolete ones; anything else is not its business
        Outcome<Optional<String>> target = volume.readLink(name);
        return target.isRefused(Refusal.INCOMPATIBLE)
                ? Outcome.done()
                : target.then(found -> found.filter((DATA + "/" + name)::equals).isPresent()
                        ? volume.removeFile(name)
                        : Outcome.done());
    }

    private Outcome<Nothing> removeVersion(String name) {
        return volume.child(name)
                .then(directory -> {
                    try (directory) {
                        return directory
                                .facts()
                                .then(facts -> facts.kind() == FileKind.DIRECTORY
                                        ? context.host()
                                                .files()
                                                .empty(context, directory, TreeRules.all(facts.identity()))
                                                .map(emptied -> Nothing.NOTHING)
                                        : Outcome.refused(Refusal.INCOMPATIBLE, name + " is no directory"));
                    }
                })
                .then(done -> volume.removeDirectory(name));
    }
}
