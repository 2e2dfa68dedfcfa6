// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import dev.mooring.host.linux.kernel.Descriptor;
import dev.mooring.host.linux.kernel.Errno;
import dev.mooring.host.linux.kernel.Guarded;
import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.host.linux.kernel.MountFlags;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountTable;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * The directory below which a node shows volumes to pods, as a mount of its own in two layers. The lower one is private and unbindable: who
 * shows a directory above it with all mounts below, such as {@code /} for a hostPath volume, neither copies what is mounted here nor receives
 * what will be (semantics/plugins §4). The upper one lies on it and is shared: what a container mounts below a volume with Bidirectional
 * propagation comes to the host.
 *
 * <p>Both are binds of the directory itself, so that every path in it is as before. They stay when the process dies, and the next one uses
 * them. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class RootMount implements AutoCloseable {
    private static final byte[] NOTHING = Kernel.name("none");
    private static final byte[] NO_DATA = Kernel.name("");

    private final Kernel kernel;
    private final Supplier<Outcome<MountTable>> table;
    private final Path root;
    private final int id;

    private RootMount(Kernel kernel, Supplier<Outcome<MountTable>> table, Path root, int id) {
        this.kernel = kernel;
        this.table = table;
        this.root = root;
        this.id = id;
    }

    /**
     * Makes the layers, or finds those of an earlier process. What is mounted below the directory already comes with it.
     *
     * @param root an absolute path, may lead through links
     */
    static Outcome<RootMount> of(Kernel kernel, Supplier<Outcome<MountTable>> table, Path root) {
        return Guarded.change(() -> {
            Path real;
            try (Descriptor directory = directory(kernel, root)) {
                real = kernel.path(directory);
            }
            return table.get()
                    .then(found -> Guarded.change(() -> withoutTorn(kernel, table, found, real)))
                    .then(now -> Guarded.change(() -> {
                        if (layers(now, real).isEmpty()) {
                            make(kernel, table, now, real);
                        }
                        try (Descriptor upper = directory(kernel, real)) {
                            int id = kernel.knownStatus(upper).mountId();
                            return Outcome.done(new RootMount(kernel, table, real, id));
                        }
                    }));
        });
    }

    /** The number of the upper layer, on which volumes are mounted. */
    int id() {
        return id;
    }

    private static Descriptor directory(Kernel kernel, Path path) throws KernelException {
        return kernel.open(Kernel.CURRENT_DIRECTORY, Kernel.name(path), Kernel.O_PATH | kernel.directoryFlag(), 0);
    }

    /** The upper and the lower layer, if both are there. */
    private static List<MountEntry> layers(MountTable now, Path root) {
        Optional<MountEntry> upper =
                now.top(root).filter(entry -> entry.peerGroup().isPresent());
        Optional<MountEntry> lower = upper.flatMap(entry -> now.byId(entry.parent()));
        boolean ours = lower.filter(entry -> entry.mountPoint().equals(root)
                        && entry.peerGroup().isEmpty()
                        && entry.master().isEmpty()
                        && upper.filter(above -> showsTheSame(above, entry)).isPresent())
                .isPresent();
        return ours ? List.of(upper.orElseThrow(), lower.orElseThrow()) : List.of();
    }

    private static boolean showsTheSame(MountEntry one, MountEntry other) {
        return one.root().equals(other.root()) && one.device().equals(other.device());
    }

    /**
     * The table once nothing is half done. A process that ended while it made the layers left an upper one that is still of the group of what
     * is below both; or it left the lower one alone, if it ended while it took them away.
     */
    private static Outcome<MountTable> withoutTorn(
            Kernel kernel, Supplier<Outcome<MountTable>> table, MountTable now, Path root) throws KernelException {
        Optional<MountEntry> below =
                layers(now, root).stream().skip(1).findFirst().flatMap(lower -> now.byId(lower.parent()));
        boolean inOldGroup = below.map(MountEntry::peerGroup)
                .filter(group -> group.isPresent()
                        && now.top(root).map(MountEntry::peerGroup).equals(Optional.of(group)))
                .isPresent();
        if (inOldGroup) {
            // it only shows copies: all of them are below as well
            try (MountPoint point = MountPoint.of(kernel, root)) {
                undo(kernel, point, below.orElseThrow().id());
            }
            return table.get();
        }
        Optional<MountEntry> alone = now.top(root)
                .filter(top -> top.peerGroup().isEmpty() && top.master().isEmpty())
                .filter(top -> now.byId(top.parent())
                        .filter(parent -> parent.device().equals(top.device())
                                && FoundPlace.inFileSystem(parent, root).equals(Path.of(top.root())))
                        .isPresent());
        if (alone.isPresent()) {
            // what is unbindable cannot be the original of new layers
            try (Descriptor lower = directory(kernel, root)) {
                mount(kernel, NOTHING, Kernel.name(lower.link()), MountFlags.PRIVATE);
            }
        }
        return Outcome.done(now);
    }

    private static void make(Kernel kernel, Supplier<Outcome<MountTable>> table, MountTable now, Path root)
            throws KernelException {
        try (Descriptor under = directory(kernel, root);
                MountPoint point = MountPoint.of(kernel, root)) {
            int before = kernel.knownStatus(under).mountId();
            try {
                build(kernel, under, root);
            } catch (KernelException e) {
                undo(kernel, point, before);
                throw e;
            }
            List<MountEntry> below = now.below(root);
            // each is seen in the upper layer now
            for (MountEntry original : below) {
                if (original.parent() == before) {
                    detach(kernel, under, root.relativize(original.mountPoint()));
                }
            }
            Optional<KeptParts.Part> part = now.byId(before).map(mount -> KeptParts.Part.of(mount, root));
            if (!below.isEmpty() && part.isPresent()) {
                dropCopies(kernel, table, part.get(), root);
            }
        }
    }

    /** An older version showed pods what others have: those would never end. */
    private static void dropCopies(Kernel kernel, Supplier<Outcome<MountTable>> table, KeptParts.Part part, Path root)
            throws KernelException {
        MountTable now = table.get().result().orElseGet(() -> new MountTable(List.of()));
        Map<Integer, List<MountEntry>> children =
                now.entries().stream().collect(Collectors.groupingBy(MountEntry::parent));
        try (Descriptor upper = directory(kernel, root)) {
            for (MountEntry pin : now.below(root)) {
                Path copy = part.wholeThrough(pin).orElse(root);
                for (MountEntry entry : children.getOrDefault(pin.id(), List.of())) {
                    if (!copy.equals(root) && entry.mountPoint().startsWith(copy)) {
                        detach(kernel, upper, root.relativize(entry.mountPoint()));
                    }
                }
            }
        }
    }

    /** With all that is mounted below it. No link is followed on the way: pods may write where their volumes are copied. */
    private static void detach(Kernel kernel, Descriptor directory, Path relative) throws KernelException {
        Path parent = relative.getParent();
        long rules = Kernel.BENEATH | Kernel.NO_LINKS | Kernel.NO_MAGIC_LINKS;
        byte[] way = Kernel.name(parent == null ? Path.of(".") : parent);
        try (MountPoint place = new MountPoint(
                kernel.open(directory.number(), way, Kernel.O_PATH, 0, rules),
                Kernel.name(relative.getFileName()),
                relative)) {
            kernel.unmount(place.anchored(), MountFlags.DETACH | MountFlags.NO_FOLLOW);
        } catch (KernelException e) {
            // it went with another one, or is out of sight
            if (!e.is(Errno.ENOENT) && !e.is(Errno.EINVAL)) {
                throw e;
            }
        }
    }

    private static void build(Kernel kernel, Descriptor under, Path root) throws KernelException {
        byte[] original = Kernel.name(under.link());
        mount(kernel, original, original, MountFlags.BIND);
        try (Descriptor lower = directory(kernel, root)) {
            mount(kernel, NOTHING, Kernel.name(lower.link()), MountFlags.UNBINDABLE);
            mount(kernel, original, Kernel.name(lower.link()), MountFlags.BIND | MountFlags.RECURSIVE);
        }
        try (Descriptor upper = directory(kernel, root)) {
            // a group of its own: the copy is a member of the original's
            mount(kernel, NOTHING, Kernel.name(upper.link()), MountFlags.PRIVATE);
            mount(kernel, NOTHING, Kernel.name(upper.link()), MountFlags.SHARED);
        }
    }

    private static void mount(Kernel kernel, byte[] source, byte[] place, long flags) throws KernelException {
        kernel.mount(source, place, NOTHING, flags, NO_DATA);
    }

    /** Takes away the layers that were made. */
    private static void undo(Kernel kernel, MountPoint point, int before) throws KernelException {
        for (int layer = 0; layer < 2; layer++) {
            try (Descriptor there = point.open(kernel)) {
                if (kernel.knownStatus(there).mountId() == before) {
                    return;
                }
            }
            kernel.unmount(point.anchored(), MountFlags.DETACH | MountFlags.NO_FOLLOW);
        }
    }

    /** Removes the layers if nothing is mounted below and no process uses the directory; else they stay for the next process. */
    @Override
    public void close() {
        try (MountPoint point = MountPoint.of(kernel, root)) {
            MountTable now = table.get().result().orElseGet(() -> new MountTable(List.of()));
            if (!layers(now, root).isEmpty() && now.below(root).isEmpty()) {
                kernel.unmount(point.anchored(), MountFlags.NO_FOLLOW);
                kernel.unmount(point.anchored(), MountFlags.NO_FOLLOW);
            }
        } catch (KernelException inUse) {
            // nothing depends on it: the next process finds what is left
            return;
        }
    }
}
