// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import java.util.Optional;

/** Asks whether a server takes connections, before a mount waits for it. */
interface Connector {
    /** Takes every server for reachable. */
    Connector NONE = (server, options) -> Optional.empty();

    /**
     * Tries to connect.
     *
     * @param server name or address
     * @param options what the mount is going to use
     * @return why the server cannot be reached; empty if it can or if only the mount can tell
     */
    Optional<String> whyNotReachable(String server, NfsMountOptions options);
}
