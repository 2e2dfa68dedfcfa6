// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Option;

/** Which CSI drivers a process calls by a socket that it is told. */
final class CsiEndpointOptions {
    @Option(
            names = "--csi-endpoint",
            paramLabel = "DRIVER=SOCKET",
            split = "\n",
            hideParamSyntax = true,
            description =
                    "The socket of a CSI driver, such as disks.example.com=unix:///run/disks/csi.sock. May be repeated."
                            + " In a file: a map. See docs/operate/csi.md.")
    private Map<String, String> endpoints = Map.of();

    /** Sockets by the drivers' names. */
    Map<String, String> endpoints() {
        return new TreeMap<>(endpoints);
    }
}
