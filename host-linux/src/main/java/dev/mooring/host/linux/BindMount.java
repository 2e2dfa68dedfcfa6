// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import dev.mooring.host.linux.kernel.Descriptor;
import dev.mooring.host.linux.kernel.FileStatus;
import dev.mooring.host.linux.kernel.Guarded;
import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.host.linux.kernel.MountCloning;
import dev.mooring.host.linux.kernel.MountFlags;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.BindOptions;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountTable;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * One bind mount: the mount point, what is there already, and the copy that is attached there. A crash leaves either nothing but an empty
 * mount point or the finished mount, which the next call recognises. Only what never changes is asked of the source, and of what is shown
 * already, so that no server is waited for.
 */
final class BindMount {
    private final Kernel kernel;
    private final Supplier<Outcome<MountTable>> table;
    private final Supplier<Optional<KnownMounts>> known;
    private final MountCloning cloning;
    private final Masks masks;
    private final BindOptions options;

    BindMount(
            Kernel kernel,
            Supplier<Outcome<MountTable>> table,
            Supplier<Optional<KnownMounts>> known,
            MountCloning cloning,
            Masks masks,
            BindOptions options) {
        this.kernel = kernel;
        this.table = table;
        this.known = known;
        this.cloning = cloning;
        this.masks = masks;
        this.options = options;
    }

    Outcome<MountEntry> bind(Descriptor source, Path target) {
        return Guarded.change(() -> {
            try (MountPoint point = MountPoint.of(kernel, target)) {
                if (known.get().filter(mounts -> mounts.isFree(point)).isPresent()) {
                    return mount(source, point);
                }
                return table.get()
                        .then(now -> now.top(point.path())
                                .map(there -> Guarded.look(() -> recognise(source, point, there, now)))
                                .orElseGet(() -> Guarded.change(() -> mount(source, point))));
            }
        });
    }

    /** Something is mounted there already: ours, from an earlier attempt, or not. */
    private Outcome<MountEntry> recognise(Descriptor source, MountPoint point, MountEntry there, MountTable now)
            throws KernelException {
        FileStatus wanted = kernel.knownStatus(source);
        // compared by the table before it is touched: what is mounted there may be a dead server
        String device = now.byId(wanted.mountId()).map(MountEntry::device).orElseGet(wanted::device);
        if (!there.device().equals(device)) {
            return foreign(there);
        }
        try (Descriptor shown = point.open(kernel)) {
            FileStatus status = kernel.knownStatus(shown);
            if (status.mountId() != there.id() || !status.sameFileAs(wanted)) {
                return foreign(there);
            }
        }
        boolean originalReadOnly =
                now.byId(wanted.mountId()).map(MountEntry::readOnly).orElse(false);
        return there.readOnly() == (options.readOnly() || originalReadOnly)
                ? masked(point, there)
                : Outcome.refused(
                        Refusal.INCOMPATIBLE, "mounted already, but " + (there.readOnly() ? "" : "not ") + "read-only");
    }

    private static Outcome<MountEntry> foreign(MountEntry there) {
        return Outcome.refused(Refusal.IN_USE, "a foreign mount is in the place: " + there);
    }

    private Outcome<MountEntry> mount(Descriptor source, MountPoint point) throws KernelException {
        boolean directory = kernel.knownStatus(source).isDirectory();
        boolean made = point.make(kernel, directory);
        try (Descriptor place = point.open(kernel)) {
            FileStatus status = kernel.status(place);
            if (status.isDirectory() != directory || status.kind() == FileKind.LINK) {
                return Outcome.refused(Refusal.INCOMPATIBLE, "the mount point is a " + status.kind());
            }
            Outcome<MountEntry> attached = cloning.attach(source, place, options)
                    .then(copy -> verify(point, copy))
                    .then(entry -> Guarded.change(() -> maskedOrGone(point, entry)));
            if (made && !attached.isDone()) {
                // fails if there is a mount after all
                point.remove(kernel, directory);
            }
            return attached;
        }
    }

    private Outcome<MountEntry> verify(MountPoint point, MountCloning.Attached copy) {
        Optional<MountEntry> seen = known.get().flatMap(mounts -> mounts.made(point, copy.lasting()));
        return seen.map(Outcome::done)
                .orElseGet(() -> table.get()
                        .then(now -> now.top(point.path())
                                .filter(top -> top.id() == copy.id())
                                .map(Outcome::done)
                                .orElseGet(() ->
                                        Outcome.uncertain("another mount came on top of ours at " + point.path()))));
    }

    private Outcome<MountEntry> masked(MountPoint point, MountEntry shown) {
        return masks.cover(point, shown, options.recursive()).map(covered -> shown);
    }

    /** A mount without its masks must not be seen. */
    private Outcome<MountEntry> maskedOrGone(MountPoint point, MountEntry shown) throws KernelException {
        Outcome<MountEntry> masked = masked(point, shown);
        if (!masked.isDone()) {
            kernel.unmount(point.anchored(), MountFlags.DETACH | MountFlags.NO_FOLLOW);
        }
        return masked;
    }
}
