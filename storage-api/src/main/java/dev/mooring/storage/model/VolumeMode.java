// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import org.apiguardian.api.API;

/** What a pod sees of a volume. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum VolumeMode implements WireEnum {
    /** A mounted directory. */
    FILESYSTEM,
    /** A raw device. */
    BLOCK,
    /** A value that this version does not know. */
    UNKNOWN
}
