// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import dev.mooring.storage.model.VolumeSource;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** A plugin with a back-end, for {@link DriverSuite}. */
interface DriverSubject {
    /** The plugin's name. */
    String plugin();

    /** Starts the back-end, or skips the test where it cannot be. */
    void start(Path directory);

    /** Takes the back-end away. */
    default void end() {}

    /** The settings of the plugin. */
    default Map<String, String> settings(Path directory) {
        return Map.of();
    }

    /** The parameters of a class; for plugins that make volumes. */
    default Map<String, String> parameters() {
        return Map.of();
    }

    /** Storage that exists; for plugins that make none. */
    default VolumeSource existing(Path directory, int number) {
        throw new UnsupportedOperationException("this plugin makes its volumes");
    }

    /** Storage that exists and can be a raw block device; empty if there is none. */
    default Optional<VolumeSource> existingDevice(Path directory, int number) {
        return Optional.empty();
    }

    /** The secrets of each call that takes some. */
    default Map<String, String> secrets() {
        return Map.of();
    }
}
