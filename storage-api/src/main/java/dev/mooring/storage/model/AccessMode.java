// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import org.apiguardian.api.API;

/** How a volume may be mounted. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum AccessMode implements WireEnum {
    /** By one node, for reading and writing. */
    READ_WRITE_ONCE,
    /** By many nodes, for reading. */
    READ_ONLY_MANY,
    /** By many nodes, for reading and writing. */
    READ_WRITE_MANY,
    /** By one pod, for reading and writing. */
    READ_WRITE_ONCE_POD,
    /** A value that this version does not know. */
    UNKNOWN
}
