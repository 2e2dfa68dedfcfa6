// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.registration;

import dev.mooring.csi.v1.NodeGetInfoResponse;
import dev.mooring.plugin.support.LabelSyntax;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a driver says of the node that it is on.
 *
 * @param driver the driver
 * @param nodeId its name for the node
 * @param topology where the node is, in a fixed order
 * @param mostVolumes how many of its volumes fit on the node; empty for no limit
 */
record DriverOnNode(String driver, String nodeId, Map<String, String> topology, OptionalLong mostVolumes) {
    private static final int LONGEST_ID = 256;

    DriverOnNode {
        topology = new TreeMap<>(topology);
    }

    /** The answer of a driver; INVALID names what breaks a rule of Kubernetes or CSI (semantics/csi §3.1, §5.1). */
    static Outcome<DriverOnNode> of(String driver, NodeGetInfoResponse answer) {
        String id = answer.getNodeId();
        int bytes = id.getBytes(StandardCharsets.UTF_8).length;
        if (id.isEmpty() || bytes > LONGEST_ID) {
            return invalid(driver, "node_id has " + bytes + " bytes; it needs 1 to " + LONGEST_ID);
        }
        for (Map.Entry<String, String> segment :
                answer.getAccessibleTopology().getSegmentsMap().entrySet()) {
            if (!LabelSyntax.isKey(segment.getKey())) {
                return invalid(driver, "topology key '" + segment.getKey() + "' is no label's key");
            } else if (!LabelSyntax.isValue(segment.getValue())) {
                return invalid(driver, "topology value '" + segment.getValue() + "' is no label's value");
            }
        }
        long most = answer.getMaxVolumesPerNode();
        return Outcome.done(new DriverOnNode(
                driver,
                id,
                answer.getAccessibleTopology().getSegmentsMap(),
                most > 0 ? OptionalLong.of(Math.min(most, Integer.MAX_VALUE)) : OptionalLong.empty()));
    }

    private static <T> Outcome<T> invalid(String driver, String why) {
        return Outcome.refused(Refusal.INVALID, "NodeGetInfo of driver " + driver + ": " + why);
    }

    /** The keys by which the node's place is found, sorted. */
    List<String> topologyKeys() {
        return new ArrayList<>(new TreeSet<>(topology.keySet()));
    }
}
