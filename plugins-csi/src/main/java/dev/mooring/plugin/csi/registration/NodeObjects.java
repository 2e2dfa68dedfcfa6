// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.registration;

import dev.mooring.plugin.csi.driver.JsonPairs;
import dev.mooring.storage.model.CSINode;
import dev.mooring.storage.model.CSINodeDriver;
import dev.mooring.storage.model.CSINodeDriverAllocatable;
import dev.mooring.storage.model.CSINodeSpec;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.OwnerReference;
import dev.mooring.storage.model.OwnerReferenceBuilder;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What Node and CSINode say of a driver (semantics/csi §5). A label with another value is never overwritten unless this node's agent wrote
 * it for the driver before: it may be the administrator's (kubernetes#96505). Pure.
 */
final class NodeObjects {
    private static final String NODE_IDS = "csi.volume.kubernetes.io/nodeid";
    /** The labels that the agent wrote for a driver, so that it may change and remove them. */
    private static final String OWN_LABELS = "mooring.dev/csi-labels";

    private NodeObjects() {}

    /** The Node with the driver; INCOMPATIBLE if a label has another value and is not the driver's alone. */
    static Outcome<Node> with(Node node, DriverOnNode driver) {
        ObjectMeta metadata = node.metadata();
        Map<String, String> owners = JsonPairs.read(metadata.annotation(OWN_LABELS));
        Map<String, String> labels = new TreeMap<>(metadata.labels());
        String name = driver.driver();
        for (Map.Entry<String, String> segment : driver.topology().entrySet()) {
            String key = segment.getKey();
            String there = labels.get(key);
            Set<String> own = drivers(owners, key);
            boolean others = there != null && !there.equals(segment.getValue()) && !own.equals(Set.of(name));
            if (others) {
                return Outcome.refused(
                        Refusal.INCOMPATIBLE,
                        "driver " + name + " says that the node's topology " + key + " is '" + segment.getValue()
                                + "', and the Node's label says '" + there
                                + "'; remove the label if it is out of date");
            }
            if (there == null || !own.isEmpty()) {
                own.add(name);
                owners.put(key, String.join(",", own));
            }
            labels.put(key, segment.getValue());
        }
        for (String key : List.copyOf(owners.keySet())) {
            Set<String> own = drivers(owners, key);
            if (!driver.topology().containsKey(key) && own.remove(name)) {
                if (own.isEmpty()) {
                    owners.remove(key);
                    labels.remove(key);
                } else {
                    owners.put(key, String.join(",", own));
                }
            }
        }
        Map<String, String> ids = JsonPairs.read(metadata.annotation(NODE_IDS));
        ids.put(JsonPairs.escaped(name), JsonPairs.escaped(driver.nodeId()));
        ObjectMeta noted = metadata.withLabels(labels).withAnnotation(NODE_IDS, JsonPairs.text(ids));
        return Outcome.done(node.withMetadata(
                owners.isEmpty()
                        ? noted.withoutAnnotation(OWN_LABELS)
                        : noted.withAnnotation(OWN_LABELS, JsonPairs.text(owners))));
    }

    /** The drivers for which a label was written; several may say the same of the node. */
    private static Set<String> drivers(Map<String, String> owners, String key) {
        String all = owners.getOrDefault(key, "");
        return all.isEmpty() ? new TreeSet<>() : new TreeSet<>(List.of(all.split(",", -1)));
    }

    /** The Node without the driver. Its labels stay, for volumes that are bound by them. */
    static Node without(Node node, String driver) {
        Map<String, String> ids = JsonPairs.read(node.metadata().annotation(NODE_IDS));
        ids.remove(JsonPairs.escaped(driver));
        ObjectMeta metadata = node.metadata();
        return node.withMetadata(
                ids.isEmpty()
                        ? metadata.withoutAnnotation(NODE_IDS)
                        : metadata.withAnnotation(NODE_IDS, JsonPairs.text(ids)));
    }

    /** A CSINode of a node, without drivers. */
    static CSINode fresh(NodeRef node) {
        OwnerReference owner = OwnerReferenceBuilder.builder()
                .apiVersion("v1")
                .kind("Node")
                .name(node.name())
                .uid(node.uid())
                .build();
        return new CSINode(ObjectMeta.named(node.name()).withOwnerReferences(List.of(owner)), CSINodeSpec.EMPTY);
    }

    /** Whether a CSINode is this node's and not that of a former Node of its name. */
    static boolean isOf(CSINode found, NodeRef node) {
        return found.metadata().ownerReferences().stream()
                .anyMatch(owner -> owner.uid().equals(node.uid()));
    }

    /** The driver's entry; empty if there is none. */
    static Optional<CSINodeDriver> entry(CSINode node, String driver) {
        return node.spec().drivers().stream()
                .filter(entry -> entry.name().equals(driver))
                .findFirst();
    }

    /**
     * Whether an entry has to be removed before the driver can be entered: Kubernetes changes nothing in an entry but the number of volumes
     * (semantics/csi §5.2).
     */
    static boolean isStale(CSINodeDriver entry, DriverOnNode driver) {
        return !entry.nodeID().equals(driver.nodeId()) || !entry.topologyKeys().equals(driver.topologyKeys());
    }

    /** The CSINode with the driver. */
    static CSINode with(CSINode node, DriverOnNode driver) {
        CSINodeDriver entry = new CSINodeDriver(
                driver.driver(),
                driver.nodeId(),
                driver.topologyKeys(),
                driver.mostVolumes().isPresent()
                        ? Optional.of(new CSINodeDriverAllocatable(
                                Optional.of(driver.mostVolumes().getAsLong())))
                        : Optional.empty());
        if (entry(node, driver.driver()).filter(entry::equals).isPresent()) {
            return node;
        }
        List<CSINodeDriver> drivers =
                new ArrayList<>(without(node, driver.driver()).spec().drivers());
        drivers.add(entry);
        return node.withSpec(new CSINodeSpec(drivers));
    }

    /** The CSINode without the driver. */
    static CSINode without(CSINode node, String driver) {
        return node.withSpec(new CSINodeSpec(node.spec().drivers().stream()
                .filter(entry -> !entry.name().equals(driver))
                .toList()));
    }
}
