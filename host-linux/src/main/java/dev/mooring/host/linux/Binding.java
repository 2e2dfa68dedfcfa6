// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.BindOptions;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountTable;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * One bind mount: {@code open_tree} makes a copy that nobody sees, {@code mount_setattr} gives it its restrictions and cuts it off
 * from the original's propagation, {@code move_mount} attaches it. A crash before the last call leaves nothing, since the kernel drops a
 * copy that is not attached; a crash after it leaves the finished mount, which the next call recognises.
 */
final class Binding {
    private static final long READ_ONLY = 1;
    private static final long NO_SETUID = 2;
    private static final long NO_DEVICES = 4;
    private static final long NO_EXECUTION = 8;
    private static final long SLAVE = 1 << 19;
    private static final long PRIVATE = 1 << 18;

    private final Kernel kernel;
    private final Supplier<Outcome<MountTable>> table;
    private final BindOptions options;

    Binding(Kernel kernel, Supplier<Outcome<MountTable>> table, BindOptions options) {
        this.kernel = kernel;
        this.table = table;
        this.options = options;
    }

    Outcome<MountEntry> bind(Descriptor source, Path target) {
        return Guarded.change(() -> {
            try (MountPoint point = MountPoint.of(kernel, target)) {
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
        FileStatus wanted = kernel.status(source);
        // compared by the table before it is touched: what is mounted there may be a dead server
        String device = now.byId(wanted.mountId()).map(MountEntry::device).orElseGet(wanted::device);
        if (!there.device().equals(device)) {
            return foreign(there);
        }
        try (Descriptor shown = point.open(kernel)) {
            FileStatus status = kernel.status(shown);
            if (status.mountId() != there.id() || !status.sameFileAs(wanted)) {
                return foreign(there);
            }
        }
        boolean originalReadOnly =
                now.byId(wanted.mountId()).map(MountEntry::readOnly).orElse(false);
        return there.readOnly() == (options.readOnly() || originalReadOnly)
                ? Outcome.done(there)
                : Outcome.refused(
                        Refusal.INCOMPATIBLE, "mounted already, but " + (there.readOnly() ? "" : "not ") + "read-only");
    }

    private static Outcome<MountEntry> foreign(MountEntry there) {
        return Outcome.refused(Refusal.IN_USE, "a foreign mount is in the place: " + there);
    }

    private Outcome<MountEntry> mount(Descriptor source, MountPoint point) throws KernelException {
        boolean directory = kernel.status(source).isDirectory();
        boolean made = point.make(kernel, directory);
        try (Descriptor place = point.open(kernel)) {
            FileStatus status = kernel.status(place);
            if (status.isDirectory() != directory || status.kind() == FileKind.LINK) {
                return Outcome.refused(Refusal.INCOMPATIBLE, "the mount point is a " + status.kind());
            }
            return attach(source, place, point);
        } catch (KernelException e) {
            if (made) {
                point.remove(kernel, directory);
            }
            throw e;
        }
    }

    private Outcome<MountEntry> attach(Descriptor source, Descriptor place, MountPoint point) throws KernelException {
        try (Descriptor tree = kernel.cloneTree(source, options.recursive())) {
            kernel.setMountAttributes(tree, attributes(), options.followsOriginal() ? SLAVE : PRIVATE);
            int id = kernel.status(tree).mountId();
            kernel.moveMount(tree, place);
            return table.get()
                    .then(now -> now.top(point.path())
                            .filter(top -> top.id() == id)
                            .map(Outcome::done)
                            .orElseGet(
                                    () -> Outcome.uncertain("another mount came on top of ours at " + point.path())));
        }
    }

    private long attributes() {
        return (options.readOnly() ? READ_ONLY : 0)
                | (options.noSetuid() ? NO_SETUID : 0)
                | (options.noDevices() ? NO_DEVICES : 0)
                | (options.noExecution() ? NO_EXECUTION : 0);
    }
}
