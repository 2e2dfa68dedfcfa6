// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import dev.mooring.host.linux.file.NewFiles;
import dev.mooring.host.linux.kernel.Descriptor;
import dev.mooring.host.linux.kernel.Errno;
import dev.mooring.host.linux.kernel.FileStatus;
import dev.mooring.host.linux.kernel.Guarded;
import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.host.linux.kernel.MountCloning;
import dev.mooring.host.linux.kernel.MountFlags;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.BindOptions;
import dev.mooring.storage.spi.host.BindOptionsBuilder;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountTable;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What is mounted over the places that Mooring keeps for itself, where a volume shows a directory above one of them: a pod sees them empty
 * and read-only. The original is not touched, since a mask lies on the copy alone. Masks come and go with what they lie in. Thread-safe.
 */
final class Masks {
    /** What the table says a mask of a directory is made of; the name of the file that masks files. */
    static final String NAME = "mooring-kept-place";

    private static final byte[] OPTIONS = Kernel.name("size=4k,nr_inodes=1,mode=0555");
    private static final long RESTRICTED =
            MountFlags.READ_ONLY | MountFlags.NO_SETUID | MountFlags.NO_DEVICES | MountFlags.NO_EXECUTION;
    private static final BindOptions EMPTY_FILE = BindOptionsBuilder.builder()
            .readOnly(true)
            .noSetuid(true)
            .noDevices(true)
            .noExecution(true)
            .build();
    private static final int FILE_MODE = 0444;
    private static final int STATE_MODE = 0700;

    private final Kernel kernel;
    private final KeptParts kept;
    private final Supplier<Outcome<MountTable>> table;
    private final MountCloning cloning;
    private final Path state;

    /**
     * @param state where the host keeps things; an empty file is made in it when a file has to be masked
     */
    Masks(Kernel kernel, KeptParts kept, Supplier<Outcome<MountTable>> table, MountCloning cloning, Path state) {
        this.kernel = kernel;
        this.kept = kept;
        this.table = table;
        this.cloning = cloning;
        this.state = state;
    }

    /** Whether a mount is a mask. */
    static boolean isMask(MountEntry entry) {
        return entry.source().equals(NAME) || entry.root().endsWith("/" + NAME);
    }

    /**
     * Masks what is seen through a mount that has just been made, and through those below it. What is masked already stays so.
     *
     * @param point where it is mounted
     * @param shown the mount
     * @param below whether others may be mounted below it
     */
    Outcome<Nothing> cover(MountPoint point, MountEntry shown, boolean below) {
        return kept.existing(table)
                .then(parts -> parts.isEmpty()
                        ? Outcome.done()
                        : mounts(shown, below).then(mounts -> Guarded.change(() -> cover(point, parts, mounts))));
    }

    private Outcome<List<MountEntry>> mounts(MountEntry shown, boolean below) {
        return below ? table.get().map(now -> now.in(shown.mountPoint()).entries()) : Outcome.done(List.of(shown));
    }

    private Outcome<Nothing> cover(MountPoint point, List<KeptParts.Part> parts, List<MountEntry> mounts)
            throws KernelException {
        Set<Path> done = new HashSet<>();
        List<KeptParts.Part> outerFirst = parts.stream()
                .sorted(Comparator.comparingInt(part -> part.place().getNameCount()))
                .toList();
        for (KeptParts.Part part : outerFirst) {
            for (MountEntry mount : mounts) {
                Path place =
                        part.seenThrough(mount).filter(seen -> !isMask(mount)).orElse(point.path());
                // another check refuses a volume that lies in a place as a whole
                boolean isBelow = place.startsWith(point.path()) && !place.equals(point.path());
                Outcome<Nothing> covered = isBelow && done.add(place) ? cover(point, place, mount) : Outcome.done();
                if (!covered.isDone()) {
                    return covered;
                }
            }
        }
        return Outcome.done();
    }

    private Outcome<Nothing> cover(MountPoint point, Path place, MountEntry mount) throws KernelException {
        Path root =
                point.path().getParent() == null ? point.path() : point.path().getParent();
        long rules = Kernel.BENEATH | Kernel.NO_LINKS | Kernel.NO_MAGIC_LINKS;
        byte[] way = Kernel.name(root.relativize(place));
        try (Descriptor seen = kernel.open(point.parent().number(), way, Kernel.O_PATH, 0, rules)) {
            FileStatus status = kernel.knownStatus(seen);
            if (status.mountId() != mount.id()) {
                return Outcome.done(); // something else is mounted over it
            }
            if (!status.isDirectory()) {
                return coverFile(seen);
            }
            kernel.mount(Kernel.name(NAME), Kernel.name(seen.link()), Kernel.name("tmpfs"), RESTRICTED, OPTIONS);
            return Outcome.done();
        } catch (KernelException e) {
            // a link stands where the original has a directory: it is another file
            if (e.is(Errno.ENOENT) || e.is(Errno.ENOTDIR) || e.is(Errno.ELOOP)) {
                return Outcome.done();
            }
            throw e;
        }
    }

    private Outcome<Nothing> coverFile(Descriptor place) throws KernelException {
        try (MountPoint directory = MountPoint.of(kernel, state)) {
            NewFiles.makeDirectory(kernel, directory.parent(), directory.name(), STATE_MODE);
        }
        try (MountPoint file = MountPoint.of(kernel, state.resolve(NAME))) {
            try (Descriptor made =
                    kernel.open(file.parent().number(), file.name(), Kernel.O_WRONLY | Kernel.O_CREAT, FILE_MODE)) {
                kernel.status(made);
            }
            try (Descriptor empty = file.open(kernel)) {
                return cloning.attach(empty, place, EMPTY_FILE).map(attached -> Nothing.NOTHING);
            }
        }
    }
}
