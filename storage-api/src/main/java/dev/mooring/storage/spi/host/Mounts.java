// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi.host;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import java.nio.file.Path;
import org.apiguardian.api.API;

/**
 * Mounts of this machine. The one source of truth is the kernel's table; nothing here touches a mounted file system to find out
 * whether it is mounted (semantics/plugins §1.2). Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface Mounts {
    /** The table as it is now: one consistent look; uncertain if it could not be read. */
    Outcome<MountTable> table();

    /**
     * What is mounted at a path and below it, as it is now. If the kernel can answer for one place, the time does not depend on
     * what is mounted elsewhere; reading the table does. What is mounted there is not touched.
     *
     * <p>A mount that was somewhere else and has just been moved below the path, or came there with a directory that was renamed, may be
     * missing for a moment; a new one never is, nor one at the path itself. So what follows from the answer has to be something that the
     * kernel does not do to a mount point, such as removing a directory; else ask {@link #table()}.
     *
     * @param path an absolute path without links
     * @return the mounts, as a part of the table and in its order; uncertain if it could not be found out
     */
    default Outcome<MountTable> mountedIn(Path path) {
        return table().map(table -> table.in(path));
    }

    /**
     * Shows an open file or directory at a second place. The new mount appears at once as a whole, read-only from its first
     * instant if so asked, and never shares its propagation with the original, so that removing it removes nothing there
     * (semantics/plugins §1.3).
     *
     * <p>The mount point is made if it is missing: a directory for a directory, an empty file for anything else. If the same thing
     * is already shown there in the same way, the answer is that mount.
     *
     * @param source what is shown: this very object, whatever its path means by now
     * @param target where, an absolute path below a directory that the host controls; its parent exists
     * @param options how
     * @return the mount; IN_USE if something else is mounted there, INCOMPATIBLE if it is mounted there with other options or the
     *     mount point is of another kind, UNSUPPORTED if the kernel cannot do it
     */
    Outcome<MountEntry> bind(PinnedPath source, Path target, BindOptions options);

    /**
     * Whether a pod may be given a path itself, without a bind, so that what it mounts there appears on the host. Then nothing can be
     * hidden from it that lies below.
     *
     * @return done, or DENIED if the path lies in a place that Mooring keeps or contains one
     */
    default Outcome<Nothing> mayShare(PinnedPath path) {
        return Outcome.done();
    }

    /**
     * The mount through which an open file is seen.
     *
     * @return its entry; uncertain if the mount has gone since
     */
    Outcome<MountEntry> entryOf(PinnedPath path);

    /**
     * Removes what is mounted at a path, every layer of it, and then the mount point. What does not fit the expectation is left
     * alone. A mount point that is not empty afterwards is put aside under another name, never emptied (semantics/plugins §1.4).
     * A path that does not exist is {@link Outcome.Done}.
     *
     * @param context bounds the wait
     * @param target the mount point
     * @param expected what may be unmounted there
     * @param force how far to go
     * @return IN_USE if a foreign mount is on or below the path or the mount is busy, CORRUPT if the mount point held something
     *     and was put aside, uncertain if the kernel did not answer in time
     */
    Outcome<Nothing> unmount(OperationContext context, Path target, MountExpectation expected, UnmountForce force);

    /**
     * Mounts a file system by the kernel alone, without a tool: for block devices and {@code tmpfs}. What needs a tool, such as NFS, is
     * run by {@link ProcessRunner}.
     *
     * @param context bounds the wait
     * @param target where; its parent exists, the mount point is made if it is missing
     * @return the mount; the one that is there if it has the same source and type; IN_USE if something else is mounted there
     */
    Outcome<MountEntry> mount(OperationContext context, Path target, MountRequest request);
}
