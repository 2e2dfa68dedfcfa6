// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.world;

import dev.mooring.runtime.control.Call;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.VolumeSpec;
import java.util.HashMap;
import java.util.Map;

/**
 * What is on the storage of volumes, by their names. A disk is blank when it is first seen, unless its volume object says by the
 * attribute {@code holds} which file system was made on it before, or that something {@code unknown} is on it. Confined to the
 * world's thread.
 */
final class Contents {
    /** What a volume of a stand-in may say of itself: what is on it already. */
    static final String HOLDS = "holds";

    private final Map<String, Disk> disks = new HashMap<>();
    private long last;

    /** The disk behind a volume: another one if the volume object names another. */
    Disk of(VolumeSpec volume) {
        String identity = identity(volume.source());
        Disk known = disks.get(volume.name());
        if (known != null
                && (known.identity().equals(identity) || known.identity().isEmpty())) {
            return known;
        }
        String holds = CsiSource.of(volume.source())
                .map(csi -> csi.volumeAttributes().getOrDefault(HOLDS, ""))
                .orElse("");
        Disk disk = new Disk(identity, ++last, holds);
        disks.put(volume.name(), disk);
        return disk;
    }

    /** A driver tells disks apart by their handles; all else that a volume object says of one may change. */
    private static String identity(VolumeSource source) {
        return CsiSource.of(source)
                .map(csi -> csi.driver() + " " + csi.volumeHandle())
                .orElseGet(() -> source.type() + source.attributes());
    }

    /** The name of what is on the storage of a volume: another one once all of it has gone; 0 if nothing has ever been. */
    long nameOf(String volume) {
        Disk disk = disks.get(volume);
        return disk == null ? 0 : disk.content();
    }

    /** A name for what is made on a disk. */
    long next() {
        return ++last;
    }

    /** What a call that is not about a device does to it. */
    void apply(Call call) {
        switch (call.operation()) {
            case "delete" -> disks.put(call.volume(), new Disk("", ++last, ""));
            case "recycle" ->
                disks.computeIfAbsent(call.volume(), name -> new Disk("", 0, ""))
                        .scrub(++last);
            default -> {
                // leaves what is there
            }
        }
    }
}
