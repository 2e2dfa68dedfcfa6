// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi.host;

import org.apiguardian.api.API;

/** How far an unmount goes. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum UnmountForce {
    /** Only if nothing uses it. The only choice for anything on a block device. */
    NONE,
    /**
     * Fails what is waiting for a server first. Ends the waiting of every other mount of that file system too, so only where there
     * is none (semantics/plugins §2.6). Refused for block devices.
     */
    ABORT_REQUESTS,
    /** Takes the mount out of sight although it is used; it ends when its last user does. Refused for block devices. */
    DETACH
}
