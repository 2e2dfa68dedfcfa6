// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import dev.mooring.host.linux.KeptPlaces;
import java.net.InetAddress;
import java.nio.file.Path;

/** Standalone servers for tests. */
public final class StandaloneServers {
    private StandaloneServers() {}

    /** A server on a free port of this machine, whose node is {@code here}, and that keeps everything in one directory. */
    public static StandaloneOptions options(Path data) {
        return new StandaloneOptions(
                data,
                data.resolve("kubeconfig"),
                InetAddress.getLoopbackAddress(),
                0,
                "here",
                "0.1.0",
                KeptPlaces.in(data.toAbsolutePath().resolveSibling("places")));
    }
}
