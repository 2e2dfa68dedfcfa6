// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.plugin.support.VolumeOptions;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.FormatPolicy;

/**
 * What an administrator chose for a volume, by annotations of its PersistentVolume.
 *
 * @param discovery how records are made
 * @param multipath whether a map over the paths is wanted
 * @param fencing whether reservations are wanted
 * @param format whether a file system may be made
 */
record Settings(Discovery discovery, Wanted multipath, Wanted fencing, FormatPolicy format) {
    static final String DISCOVERY = "mooring.dev/iscsi-discovery";
    static final String MULTIPATH = "mooring.dev/iscsi-multipath";
    static final String FENCING = "mooring.dev/iscsi-fencing";
    static final String FORMAT = "mooring.dev/format";

    /** How a record comes to be. */
    enum Discovery {
        /** From the source alone: no question to the target, no records of others. */
        STATIC,
        /** The portal is asked for the target's portal group. */
        SENDTARGETS
    }

    /** How much something is wanted. */
    enum Wanted {
        OFF,
        PREFER,
        REQUIRE
    }

    static Outcome<Settings> of(VolumeSpec volume) {
        return VolumeOptions.choice(volume, DISCOVERY, Discovery.STATIC)
                .then(discovery -> VolumeOptions.choice(volume, MULTIPATH, Wanted.PREFER)
                        .then(multipath -> VolumeOptions.choice(volume, FENCING, Wanted.PREFER)
                                .then(fencing -> VolumeOptions.formatPolicy(volume)
                                        .map(format -> new Settings(discovery, multipath, fencing, format)))));
    }
}
