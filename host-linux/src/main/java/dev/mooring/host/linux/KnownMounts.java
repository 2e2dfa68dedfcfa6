// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import dev.mooring.host.linux.kernel.Descriptor;
import dev.mooring.host.linux.kernel.Errno;
import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Answers questions about one place by asking the kernel of the mounts there alone, so that the answer takes the same time however many
 * others there are. What is known of mounts only says which to ask: every answer comes from the kernel, for this question. Where
 * that leaves a doubt there is no answer, and the table has to be read (semantics/plugins §1.2).
 *
 * <p>No mounted file system is touched: a look at a place ends, by the kernel's own rule, before what is mounted there. Thread-safe.
 */
final class KnownMounts {
    private static final int ATTEMPTS = 3;
    /** A tree with more mounts than this is not looked through one by one. */
    private static final int MOST_BELOW = 64;

    private final Kernel kernel;
    private final SingleMounts single;
    private final Map<Long, MountEntry> known = new HashMap<>();
    private final Map<Path, Set<Long>> places = new HashMap<>();
    /** Mounts that are there and that the kernel did not tell: they may be anywhere. */
    private final Set<Long> untold = new HashSet<>();

    private KnownMounts(Kernel kernel) {
        this.kernel = kernel;
        this.single = new SingleMounts(kernel);
    }

    private enum Look {
        NOTHING_THERE,
        NO_MOUNT,
        MOUNT_OR_DOUBT
    }

    /**
     * A mount that is alone at its place: nothing is mounted on it or below it.
     *
     * @param lastOfItsFileSystem whether no other mount of the file system was found
     */
    record Alone(MountEntry entry, boolean lastOfItsFileSystem) {}

    /** Empty unless this kernel tells single mounts exactly as they stand in its table. */
    static Optional<KnownMounts> of(Kernel kernel, Supplier<Outcome<MountTable>> table) {
        try {
            KnownMounts mounts = new KnownMounts(kernel);
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                mounts.refresh();
                Optional<MountTable> whole = table.get().result();
                if (whole.isPresent() && mounts.agreesWith(whole.get())) {
                    return Optional.of(mounts);
                }
            }
        } catch (KernelException notTold) {
            return Optional.empty();
        }
        return Optional.empty();
    }

    /** A kernel that tells no sources (before Linux 6.13) must not pass because nothing here has one. */
    private synchronized boolean agreesWith(MountTable table) {
        return table.entries().stream().anyMatch(entry -> !entry.source().isEmpty())
                && untold.isEmpty()
                && new HashSet<>(known.values()).equals(new HashSet<>(table.entries()));
    }

    // ---- questions ----

    /** Whether nothing is mounted at a place, as the kernel sees it now; false if there is a doubt. */
    boolean isFree(MountPoint point) {
        if (look(point) == Look.MOUNT_OR_DOUBT) {
            return false;
        }
        try {
            refresh();
        } catch (KernelException doubt) {
            return false;
        }
        // a mount that is left is hidden behind another mount
        return allTold() && at(point.path()).isEmpty();
    }

    /** The mount that one sees at a place, if it is the only one there; else, or if there is a doubt, empty. */
    Optional<Alone> alone(MountPoint point) {
        try {
            forgetGone(at(point.path()));
            List<Long> candidates = at(point.path());
            if (candidates.size() != 1 || look(point) != Look.MOUNT_OR_DOUBT) {
                return Optional.empty();
            }
            long id = candidates.get(0);
            Optional<MountEntry> entry = attached(point, id);
            if (entry.isEmpty() || !single.below(id).isEmpty()) {
                return Optional.empty();
            }
            return Optional.of(new Alone(entry.get(), !isShownElsewhere(id, entry.get())));
        } catch (KernelException doubt) {
            return Optional.empty();
        }
    }

    /** A mount that has just been made at a place, if nothing came on top of it; else, or if there is a doubt, empty. */
    Optional<MountEntry> made(MountPoint point, OptionalLong lasting) {
        if (lasting.isEmpty()) {
            return Optional.empty();
        }
        long id = lasting.getAsLong();
        try {
            Optional<MountEntry> entry = attached(point, id);
            List<Long> below = single.below(id);
            if (entry.isEmpty() || below.size() > MOST_BELOW) {
                return Optional.empty();
            }
            for (long child : below) {
                if (covers(child, point.path())) {
                    return Optional.empty();
                }
            }
            learn(id, entry.get());
            return entry;
        } catch (KernelException doubt) {
            return Optional.empty();
        }
    }

    /**
     * The mount that one sees at a place; else, or if there is a doubt, empty. What is mounted there is opened, so it has to be of this
     * machine.
     */
    Optional<MountEntry> top(MountPoint point) {
        try (Descriptor shown = point.open(kernel)) {
            return made(point, single.of(shown));
        } catch (KernelException doubt) {
            return Optional.empty();
        }
    }

    /**
     * All mounts at a path and below it; empty if there are many, or there is a doubt. One that was known and has been moved below the
     * path, or whose directory was renamed, is missed until the whole table is read the next time.
     */
    Optional<MountTable> in(Path path) {
        Path wanted = path.normalize();
        try {
            Look look = look(wanted);
            refresh();
            List<Long> candidates = within(wanted);
            if (!allTold() || candidates.size() > MOST_BELOW) {
                return Optional.empty();
            }
            List<MountEntry> found = new ArrayList<>();
            for (long id : candidates) {
                Optional<SingleMounts.Told> now = single.tell(id);
                now.map(SingleMounts.Told::entry)
                        .filter(entry -> entry.mountPoint().startsWith(wanted))
                        .ifPresent(found::add);
            }
            boolean seen = found.stream().anyMatch(entry -> entry.mountPoint().equals(wanted));
            return look == Look.MOUNT_OR_DOUBT && !seen ? Optional.empty() : Optional.of(new MountTable(found));
        } catch (KernelException doubt) {
            return Optional.empty();
        }
    }

    /** Attached at the place itself, on the mount of its directory: not hidden behind another mount. */
    private Optional<MountEntry> attached(MountPoint point, long id) throws KernelException {
        OptionalLong directory = single.of(point.parent());
        return single.tell(id)
                .filter(told -> directory.isPresent() && told.parent() == directory.getAsLong())
                .map(SingleMounts.Told::entry)
                .filter(entry -> entry.mountPoint().equals(point.path()));
    }

    private boolean covers(long id, Path place) throws KernelException {
        return single.tell(id)
                .map(told -> told.entry().mountPoint().equals(place))
                .orElse(true);
    }

    private boolean isShownElsewhere(long id, MountEntry entry) throws KernelException {
        for (long other : ofFileSystem(entry.device())) {
            if (other != id && single.tell(other).isPresent()) {
                return true;
            }
        }
        return false;
    }

    /** What the kernel sees at a name without going through what is mounted there. */
    private Look look(MountPoint point) {
        int flags = Kernel.O_PATH | kernel.noFollowFlag();
        try (Descriptor seen = kernel.open(point.parent().number(), point.name(), flags, 0, Kernel.NO_CROSSING)) {
            return seen.number() < 0 ? Look.MOUNT_OR_DOUBT : Look.NO_MOUNT;
        } catch (KernelException e) {
            return e.is(Errno.ENOENT) ? Look.NOTHING_THERE : Look.MOUNT_OR_DOUBT;
        }
    }

    private Look look(Path path) {
        try (MountPoint point = MountPoint.of(kernel, path)) {
            return look(point);
        } catch (KernelException e) {
            return e.is(Errno.ENOENT) ? Look.NOTHING_THERE : Look.MOUNT_OR_DOUBT;
        }
    }

    // ---- what is known ----

    /** Learns which mounts are new and which have gone. */
    private synchronized void refresh() throws KernelException {
        Set<Long> now = new HashSet<>(single.below(SingleMounts.ALL));
        new ArrayList<>(known.keySet()).stream().filter(id -> !now.contains(id)).forEach(this::forget);
        untold.clear();
        for (long id : now) {
            if (!known.containsKey(id)) {
                ask(id);
            }
        }
    }

    private void ask(long id) {
        try {
            single.tell(id).ifPresent(told -> learn(id, told.entry()));
        } catch (KernelException doubt) {
            untold.add(id);
        }
    }

    private synchronized boolean allTold() {
        return untold.isEmpty();
    }

    /** Learns from the whole table which mounts stand elsewhere or otherwise than they did. */
    synchronized void correct(MountTable table) {
        Map<Integer, MountEntry> entries = new HashMap<>();
        table.entries().forEach(entry -> entries.put(entry.id(), entry));
        try {
            refresh();
        } catch (KernelException notTold) {
            return; // each is asked for again before it is answered with
        }
        Map.copyOf(known).forEach((id, before) -> {
            if (!Optional.ofNullable(entries.get(before.id())).equals(Optional.of(before))) {
                correct(id);
            }
        });
    }

    /** By what the kernel says now: the table's number may have been given to another mount since it was read. */
    private void correct(long id) {
        try {
            single.tell(id).ifPresent(told -> learn(id, told.entry()));
        } catch (KernelException doubt) {
            forget(id);
        }
    }

    private void forgetGone(List<Long> ids) throws KernelException {
        for (long id : ids) {
            if (single.tell(id).isEmpty()) {
                forget(id);
            }
        }
    }

    private synchronized void forget(long id) {
        MountEntry gone = known.remove(id);
        if (gone != null) {
            Set<Long> there = places.getOrDefault(gone.mountPoint(), new HashSet<>());
            there.remove(id);
            if (there.isEmpty()) {
                places.remove(gone.mountPoint());
            }
        }
    }

    private synchronized void learn(long id, MountEntry entry) {
        forget(id);
        known.put(id, entry);
        places.computeIfAbsent(entry.mountPoint(), place -> new HashSet<>()).add(id);
    }

    private synchronized List<Long> at(Path place) {
        return List.copyOf(places.getOrDefault(place, Set.of()));
    }

    /** In the order of the table, which is that of the lasting numbers. */
    private synchronized List<Long> within(Path path) {
        return known.entrySet().stream()
                .filter(mount -> mount.getValue().mountPoint().startsWith(path))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    private synchronized List<Long> ofFileSystem(String device) {
        return known.entrySet().stream()
                .filter(mount -> mount.getValue().device().equals(device))
                .map(Map.Entry::getKey)
                .limit(MOST_BELOW)
                .toList();
    }
}
