// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.node;

import dev.mooring.storage.model.NodeSystemInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Who claims a Node.
 *
 * @param node its name
 * @param holder under which name its Lease is held
 * @param info what the Node says of its agent and machine
 * @param lease for how long the Node counts as alive after a renewal
 */
public record NodeClaimant(String node, String holder, NodeSystemInfo info, Duration lease) {
    /**
     * An agent of this machine.
     *
     * @param version of this program
     * @throws IOException if the machine does not tell of itself
     */
    public static NodeClaimant of(String node, String holder, String version, Duration lease) throws IOException {
        return of(node, holder, version, lease, new MachineFacts(Path.of("/proc")));
    }

    static NodeClaimant of(String node, String holder, String version, Duration lease, MachineFacts machine)
            throws IOException {
        return new NodeClaimant(node, holder, machine.info(NodeRegistration.AGENT + version), lease);
    }
}
