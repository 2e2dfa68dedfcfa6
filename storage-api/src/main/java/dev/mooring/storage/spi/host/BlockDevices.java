// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi.host;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Block devices of this machine (semantics/plugins §1.7). What a device is comes from the kernel's {@code /sys}, never from a link that
 * may be stale. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface BlockDevices {
    /**
     * Looks at the device behind a path; links are followed.
     *
     * @param path such as {@code /dev/sda} or {@code /dev/disk/by-id/…}
     * @return the device; NOT_FOUND if nothing is there, INCOMPATIBLE if it is no block device
     */
    Outcome<BlockDevice> find(Path path);

    /**
     * Looks at a device by the kernel's name.
     *
     * @param name such as {@code sda}
     * @return the device; NOT_FOUND if the kernel knows none of that name
     */
    Outcome<BlockDevice> named(String name);

    /**
     * Who uses a device: mounts, devices on top of it or of its partitions, loop devices, swap, and processes with an exclusive open.
     *
     * @return one line per user, for people; empty only if it is surely unused
     */
    Outcome<List<String>> users(OperationContext context, BlockDevice device);

    /** Writes out everything that the kernel holds for the device, and forgets it. */
    Outcome<Nothing> flush(OperationContext context, BlockDevice device);

    /**
     * Whether a part of a device reads as zeros only: read from the medium itself, past everything that the kernel holds.
     *
     * @param offset where the part begins, a multiple of 4096
     * @param length how long it is, a multiple of 4096; what lies behind the end of the device does not count
     * @return the answer; deferred if a part cannot be read, which is never taken for zeros
     */
    default Outcome<Boolean> isZero(OperationContext context, BlockDevice device, long offset, long length) {
        return Outcome.refused(Refusal.UNSUPPORTED, "this host does not read devices");
    }

    /** Forbids or allows writes to the whole device. */
    Outcome<Nothing> setReadOnly(OperationContext context, BlockDevice device, boolean readOnly);

    /**
     * Asks a SCSI or loop device for its size again.
     *
     * @return the device as it is now; unchanged where its kind needs no asking
     */
    Outcome<BlockDevice> rescan(OperationContext context, BlockDevice device);

    /**
     * Takes a SCSI device away from the kernel. The caller has made sure that it is unused and flushed. Done if it is gone already.
     *
     * @return refused as IN_USE while a process has the device open, unless the kernel has given the device up
     */
    Outcome<Nothing> remove(OperationContext context, BlockDevice device);

    /**
     * The multipath map over paths.
     *
     * @param path one of its paths, or the map itself
     * @return the map; empty if it does not exist. A partition or a logical volume on the path is no map
     */
    Outcome<Optional<BlockDevice>> multipathMap(BlockDevice path);

    /**
     * Shows a file or block device as a loop device, which also keeps its numbers from being given to another one. If that file has a
     * loop device already, the answer is that one. A device that is bound to files in several places has one for each, so that letting
     * go of one leaves the others held.
     *
     * @param file the file behind it
     */
    Outcome<BlockDevice> attachLoop(OperationContext context, Path file);

    /** Detaches the loop devices of a file; done if there is no such device. */
    Outcome<Nothing> detachLoop(OperationContext context, Path file);
}
