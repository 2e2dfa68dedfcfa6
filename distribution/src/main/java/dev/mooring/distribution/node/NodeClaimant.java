// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.node;

import java.io.IOException;
import java.time.Duration;

/**
 * Who claims a Node.
 *
 * @param node its name
 * @param holder under which name its Lease is held
 * @param description what the Node says of its agent and machine
 * @param lease for how long the Node counts as alive after a renewal
 */
public record NodeClaimant(String node, String holder, NodeDescription description, Duration lease) {
    /**
     * An agent of this machine.
     *
     * @param version of this program
     * @throws IOException if the machine does not tell of itself
     */
    public static NodeClaimant of(String node, String holder, String version, Duration lease) throws IOException {
        return of(node, holder, version, lease, MachineFacts.ofThisMachine());
    }

    static NodeClaimant of(String node, String holder, String version, Duration lease, MachineFacts machine)
            throws IOException {
        return new NodeClaimant(node, holder, machine.described(node, NodeRegistration.AGENT + version), lease);
    }
}
