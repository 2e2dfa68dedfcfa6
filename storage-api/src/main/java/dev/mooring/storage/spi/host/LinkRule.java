// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi.host;

import org.apiguardian.api.API;

/** What becomes of symbolic links in a path. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum LinkRule {
    /** They are followed. */
    FOLLOW,
    /** A path with a link anywhere is refused. */
    REFUSE
}
