// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import dev.mooring.storage.document.Document;
import java.util.Optional;

/**
 * What a volume is, packed into its id: a controller that has moved to another machine without its records, and a node that never had
 * any, find everything in it. Pure.
 */
final class PackedVolume {
    private static final String BEGIN = "m2-";

    private PackedVolume() {}

    /** The id that holds a volume; empty if it would be too long. */
    static Optional<String> pack(VolumeRecord record) {
        return PackedText.pack(BEGIN, RecordJson.volumeText(record));
    }

    /** The volume that an id holds; empty if it holds none. */
    static Optional<VolumeRecord> unpack(VolumeHandle handle) {
        return document(handle.text()).flatMap(volume -> RecordJson.madeElsewhere(handle, volume));
    }

    /** The name of the volume that an id holds; empty if it holds none. */
    static Optional<String> volumeName(String text) {
        return document(text).flatMap(volume -> volume.text("name"));
    }

    private static Optional<Document> document(String text) {
        return PackedText.unpack(BEGIN, text);
    }
}
