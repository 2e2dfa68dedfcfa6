// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.plugin;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * How a process that is a driver's side-car calls it, as the flags of external-provisioner and external-attacher say. Begin with
 * {@link #DEFAULT}. Immutable.
 *
 * @param fsType the file system where neither class nor volume names one; empty to leave it to the driver
 * @param claimMetadata whether CreateVolume's parameters tell claim and volume ({@code --extra-create-metadata})
 * @param strictTopology whether a volume for a chosen node has to be reachable from that node alone ({@code --strict-topology})
 * @param immediateTopology whether a volume for no chosen node has to be reachable from some node of the driver
 * @param readOnlyVolumes whether a volume that only readers ask for is published read-only ({@code --controller-publish-readonly})
 * @param patientInUse whether a volume that the driver does not make larger while it is used is asked for after minutes only
 * @param timeout how long a call may take; what takes longer is asked for again
 * @param identity what a volume's attributes say of the process that made it, before the driver's name; empty for nothing
 * @param ownPlace the topology of the node whose storage alone is made; empty for that of all nodes
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record SidecarRules(
        String fsType,
        boolean claimMetadata,
        boolean strictTopology,
        boolean immediateTopology,
        boolean readOnlyVolumes,
        boolean patientInUse,
        Duration timeout,
        Optional<String> identity,
        Optional<Map<String, String>> ownPlace) {
    /** As the side-cars are without options. */
    public static final SidecarRules DEFAULT = new SidecarRules(
            "", false, false, true, false, true, Duration.ofMinutes(5), Optional.empty(), Optional.empty());

    /** Copies the map. */
    public SidecarRules {
        ownPlace = ownPlace.map(TreeMap::new);
    }

    /** The same for the storage of one node. */
    public SidecarRules ofPlace(Map<String, String> place) {
        return new SidecarRules(
                fsType,
                claimMetadata,
                strictTopology,
                immediateTopology,
                readOnlyVolumes,
                patientInUse,
                timeout,
                identity,
                Optional.of(place));
    }
}
