// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi.host;

import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import java.nio.file.Path;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * File systems on block devices: recognise, make, check, mount, grow. The one place that decides whether a device may be formatted:
 * never one that may hold data (semantics/plugins §1.5). Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface FileSystems {
    /** The note on a volume that says which file system was made on it: {@code pending:<type>:<uuid>}, then {@code <type>:<uuid>}. */
    String NOTE = "mooring.dev/filesystem";

    /**
     * What is on a device.
     *
     * @return the type of what was recognised, such as {@code ext4}; empty only if there surely is no signature; CORRUPT if the device
     *     answers ambiguously, deferred if it cannot be read
     */
    Outcome<Optional<String>> probe(OperationContext context, BlockDevice device);

    /**
     * Mounts a device, after making its file system if that is allowed and needed, and checking it. If the device is mounted at the
     * target already, the answer is that mount.
     *
     * @param target the mount point; made if it is missing
     * @return the mount; CORRUPT if the device holds what may be data, was noted as formatted and now looks blank, or cannot be repaired;
     *     INCOMPATIBLE if it would have to be written to for a read-only mount
     */
    Outcome<MountEntry> mount(OperationContext context, BlockDevice device, Path target, FileSystemRequest request);

    /**
     * Grows the file system of a device to the device's size; never shrinks it.
     *
     * @param mountPoint where it is mounted
     * @return the size of the file system now in bytes; done only if it has grown or was large enough
     */
    Outcome<Long> grow(OperationContext context, BlockDevice device, Path mountPoint);
}
