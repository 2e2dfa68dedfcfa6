// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import dev.mooring.storage.model.VolumeMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Where a volume has its place on a node if its plugin names none: a name of a fixed length that any back-end's name leads to. */
final class DefaultDirectories {
    private static final String DEVICES = "volumeDevices";

    private DefaultDirectories() {}

    static Path staging(VolumeSpec volume, VolumeId id) {
        return volume.mode() == VolumeMode.BLOCK
                ? Path.of(DEVICES, "staging", digest(id))
                : Path.of(digest(id), "globalmount");
    }

    static Path map(VolumeId id) {
        return Path.of(DEVICES, digest(id));
    }

    private static String digest(VolumeId id) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(id.backend().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
