// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import dev.mooring.host.linux.kernel.Descriptor;
import dev.mooring.host.linux.kernel.Errno;
import dev.mooring.host.linux.kernel.FileStatus;
import dev.mooring.host.linux.kernel.Guarded;
import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Which parts of file systems Mooring keeps for itself. A part has one place in its file system, at however many paths it is seen.
 * Thread-safe.
 */
final class KeptParts {
    private final Kernel kernel;
    private final Supplier<Outcome<List<Path>>> paths;
    /** As found before: a look at the file shows whether it is the same. */
    private final Map<Path, Found> known = new ConcurrentHashMap<>();

    /** A part, found through a path. */
    private record Found(FileStatus status, Part part) {
        boolean is(FileStatus now) {
            return now.mountId() == status.mountId() && now.sameFileAs(status);
        }
    }

    /**
     * A file or directory with all below it.
     *
     * @param device the number of its file system, as the mount table has it
     * @param place its path within the file system
     */
    record Part(String device, Path place) {
        /** What is seen at a path without links through a mount. */
        static Part of(MountEntry mount, Path path) {
            Path root = Path.of(mount.root());
            Path below = mount.mountPoint().relativize(path);
            return new Part(mount.device(), below.toString().isEmpty() ? root : root.resolve(below));
        }

        /** Where all of it is seen through a mount; empty if it is not. */
        Optional<Path> wholeThrough(MountEntry mount) {
            Path root = Path.of(mount.root());
            return mount.device().equals(device) && place.startsWith(root)
                    ? Optional.of(mount.mountPoint().resolve(root.relativize(place)))
                    : Optional.empty();
        }

        /** Where it, or something of it, is seen through a mount; empty if it is not. */
        Optional<Path> seenThrough(MountEntry mount) {
            boolean something =
                    mount.device().equals(device) && Path.of(mount.root()).startsWith(place);
            return something ? Optional.of(mount.mountPoint()) : wholeThrough(mount);
        }
    }

    /**
     * The parts at some paths.
     *
     * @param paths where they are, or will be; absolute, may lead through links
     */
    KeptParts(Kernel kernel, Supplier<Outcome<List<Path>>> paths) {
        this.kernel = kernel;
        this.paths = paths;
    }

    /**
     * Those that exist now.
     *
     * @param table asked for only if a part was not seen before
     * @return the parts; deferred if one of them cannot be looked at
     */
    Outcome<List<Part>> existing(Supplier<Outcome<MountTable>> table) {
        return paths.get().then(all -> {
            Outcome<List<Part>> parts = Outcome.done(new ArrayList<>());
            for (Path path : all) {
                parts = parts.then(before -> find(path, table).map(found -> {
                    found.ifPresent(before::add);
                    return before;
                }));
            }
            return parts;
        });
    }

    private Outcome<Optional<Part>> find(Path path, Supplier<Outcome<MountTable>> table) {
        return Guarded.look(() -> {
            try (Descriptor held = kernel.open(Kernel.CURRENT_DIRECTORY, Kernel.name(path), Kernel.O_PATH, 0)) {
                FileStatus status = kernel.knownStatus(held);
                Found before = known.get(path);
                if (before != null && before.is(status)) {
                    return Outcome.done(Optional.of(before.part()));
                }
                Path real = kernel.path(held);
                return table.get()
                        .map(now -> now.byId(status.mountId())
                                .filter(mount -> real.startsWith(mount.mountPoint()))
                                .map(mount -> remember(path, status, mount, real)));
            } catch (KernelException e) {
                if (e.is(Errno.ENOENT) || e.is(Errno.ENOTDIR)) {
                    return Outcome.done(Optional.empty());
                }
                throw e;
            }
        });
    }

    private Part remember(Path path, FileStatus status, MountEntry mount, Path real) {
        Part part = Part.of(mount, real);
        known.put(path, new Found(status, part));
        return part;
    }
}
