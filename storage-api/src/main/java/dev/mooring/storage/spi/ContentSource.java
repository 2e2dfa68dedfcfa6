// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import org.apiguardian.api.API;

/**
 * What new storage holds from the start. Only a plugin with the capability for a kind of source is asked for it, by a method of that
 * capability.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface ContentSource {
    /**
     * What another volume holds; for {@link Cloning}.
     *
     * @param volume a volume of the same plugin, whose claim is in the namespace of the new claim. It may be in use
     */
    record OfVolume(VolumeSpec volume) implements ContentSource {}

    /**
     * What a snapshot holds; for {@link Snapshotting}.
     *
     * @param snapshot a snapshot of a volume of the same plugin, ready to use
     */
    record OfSnapshot(SnapshotRef snapshot) implements ContentSource {}
}
