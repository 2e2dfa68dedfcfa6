// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.controller;

import dev.mooring.csi.v1.Topology;
import dev.mooring.csi.v1.TopologyRequirement;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.CSINode;
import dev.mooring.storage.model.CSINodeDriver;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.NodeSelector;
import dev.mooring.storage.model.NodeSelectorRequirement;
import dev.mooring.storage.model.NodeSelectorTerm;
import dev.mooring.storage.model.VolumeNodeAffinity;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * From where a new volume has to be reachable (semantics/csi §8.5): the places of the nodes that have the driver, as far as the class allows
 * them. Where Kubernetes forgets the other keys of a node once the class allows only some values (external-provisioner#1568), both hold
 * here; and the keys are those that most nodes have, not those of one node drawn at random (external-provisioner#221). Pure.
 */
final class VolumePlaces {
    private static final String IN = "In";
    private static final String NOWHERE = "the allowedTopologies of the class allow no place";
    private static final Comparator<Map<String, String>> ORDER =
            Comparator.<Map<String, String>>comparingInt(Map::size).thenComparing(Map::toString);

    private final String driver;
    private final Map<String, Map<String, String>> labels = new TreeMap<>();
    private final Map<String, List<String>> keys = new TreeMap<>();

    /** What the cluster says of a driver's nodes. */
    VolumePlaces(String driver, Collection<Node> nodes, Collection<CSINode> drivers) {
        this.driver = driver;
        nodes.forEach(node -> labels.put(node.metadata().name(), node.metadata().labels()));
        for (CSINode node : drivers) {
            node.spec().drivers().stream()
                    .filter(entry -> entry.name().equals(driver))
                    .map(CSINodeDriver::topologyKeys)
                    .filter(found -> !found.isEmpty())
                    .forEach(found -> keys.put(node.metadata().name(), List.copyOf(new TreeSet<>(found))));
        }
    }

    /**
     * The requirement of a new volume.
     *
     * @param claim the claim's name, by which volumes that may lie anywhere are spread
     * @param selected the node that the scheduler chose; empty if any will do
     * @param allowed {@code allowedTopologies} of the class; empty for everywhere
     * @return NOT_FOUND or INCOMPATIBLE if the scheduler has to choose again; deferred if no node of the driver is known yet
     */
    Outcome<TopologyRequirement> requirement(String claim, Optional<String> selected, List<Document> allowed) {
        List<Map<String, String>> permitted = flattened(allowed);
        if (permitted.isEmpty() && !allowed.isEmpty()) {
            return Outcome.refused(Refusal.INVALID, NOWHERE);
        }
        return selected.isPresent()
                ? ofNode(selected.get(), permitted)
                : terms(commonKeys(), permitted)
                        .map(terms -> requirement(terms, terms.get(start(claim, terms.size()))));
    }

    /**
     * The requirement of a new volume that has to be reachable from one node.
     *
     * @param node the node that the scheduler chose
     * @param allowed {@code allowedTopologies} of the class; empty for everywhere
     */
    Outcome<TopologyRequirement> strictly(String node, List<Document> allowed) {
        List<Map<String, String>> permitted = flattened(allowed);
        return permitted.isEmpty() && !allowed.isEmpty()
                ? Outcome.refused(Refusal.INVALID, NOWHERE)
                : placeOf(node, permitted).map(VolumePlaces::only);
    }

    /** The requirement of a new volume for one place. */
    static TopologyRequirement only(Map<String, String> place) {
        return requirement(List.of(place), place);
    }

    private Outcome<TopologyRequirement> ofNode(String node, List<Map<String, String>> permitted) {
        return placeOf(node, permitted)
                .then(place -> terms(keys.getOrDefault(node, List.of()), permitted)
                        .map(terms -> requirement(terms, place)));
    }

    private Outcome<Map<String, String>> placeOf(String node, List<Map<String, String>> permitted) {
        if (!labels.containsKey(node)) {
            return Outcome.refused(Refusal.NOT_FOUND, "node \"" + node + "\" not found");
        }
        List<String> own = keys.getOrDefault(node, List.of());
        if (own.isEmpty()) {
            return Outcome.deferred("no topology key found on CSINode " + node + ": driver " + driver
                    + " is not registered on that node, or reports no topology there");
        }
        Optional<Map<String, String>> place = term(node, own);
        if (place.isEmpty()) {
            return Outcome.deferred("node \"" + node + "\" lacks a label of the topology keys " + own);
        }
        if (!isPermitted(place.get(), permitted)) {
            return Outcome.refused(
                    Refusal.INCOMPATIBLE, "selected node '" + node + "' is not in allowedTopologies of the class");
        }
        return Outcome.done(place.get());
    }

    private Outcome<List<Map<String, String>>> terms(List<String> wanted, List<Map<String, String>> permitted) {
        List<Map<String, String>> terms = keys.entrySet().stream()
                .filter(entry -> !wanted.isEmpty() && entry.getValue().containsAll(wanted))
                .flatMap(entry -> term(entry.getKey(), wanted).stream())
                .filter(term -> isPermitted(term, permitted))
                .distinct()
                .sorted(ORDER)
                .toList();
        return terms.isEmpty()
                ? Outcome.deferred("no available topology found for driver " + driver
                        + ": no node has it registered with the topology that the class allows")
                : Outcome.done(terms);
    }

    /** The keys that most nodes share: while a driver is being replaced by a version with other keys, nodes differ. */
    private List<String> commonKeys() {
        Map<List<String>, Integer> counts = new HashMap<>();
        keys.values().forEach(found -> counts.merge(found, 1, Integer::sum));
        return counts.entrySet().stream()
                .max(Comparator.<Map.Entry<List<String>, Integer>>comparingInt(Map.Entry::getValue)
                        .thenComparing(entry -> entry.getKey().toString()))
                .map(Map.Entry::getKey)
                .orElse(List.of());
    }

    private Optional<Map<String, String>> term(String node, List<String> wanted) {
        Map<String, String> known = labels.getOrDefault(node, Map.of());
        Map<String, String> term = new TreeMap<>();
        for (String key : wanted) {
            String value = known.get(key);
            if (value == null) {
                return Optional.empty();
            }
            term.put(key, value);
        }
        return Optional.of(term);
    }

    private static boolean isPermitted(Map<String, String> term, List<Map<String, String>> permitted) {
        return permitted.isEmpty()
                || permitted.stream().anyMatch(one -> term.entrySet().containsAll(one.entrySet()));
    }

    /** Every combination of one value for each key of a term. */
    private static List<Map<String, String>> flattened(List<Document> allowed) {
        List<Map<String, String>> all = new ArrayList<>();
        for (Document term : allowed) {
            List<Map<String, String>> combined = List.of(Map.of());
            for (Document expression : term.objects("matchLabelExpressions")) {
                String key = expression.text("key").orElse("");
                List<Map<String, String>> longer = new ArrayList<>();
                for (Map<String, String> one : combined) {
                    for (String value : texts(expression, "values")) {
                        Map<String, String> more = new TreeMap<>(one);
                        more.put(key, value);
                        longer.add(more);
                    }
                }
                combined = longer;
            }
            all.addAll(combined);
        }
        return all;
    }

    private static List<String> texts(Document document, String field) {
        return document.at(field)
                .filter(List.class::isInstance)
                .map(found -> ((List<?>) found).stream().map(String::valueOf).toList())
                .orElse(List.of());
    }

    private static TopologyRequirement requirement(List<Map<String, String>> terms, Map<String, String> first) {
        int start = Math.max(0, terms.indexOf(first));
        TopologyRequirement.Builder requirement = TopologyRequirement.newBuilder();
        terms.forEach(term -> requirement.addRequisite(Topology.newBuilder().putAllSegments(term)));
        for (int i = 0; i < terms.size(); i++) {
            requirement.addPreferred(Topology.newBuilder().putAllSegments(terms.get((start + i) % terms.size())));
        }
        return requirement.build();
    }

    /** As external-provisioner spreads them: claims of one replica share a place, replicas follow each other. */
    private static int start(String claim, int places) {
        int dash = claim.lastIndexOf('-');
        long index = 0;
        String hashed = claim;
        if (dash >= 0 && claim.substring(dash + 1).matches("[0-9]{1,9}")) {
            index = Long.parseLong(claim.substring(dash + 1));
            String stem = claim.substring(0, dash);
            hashed = stem.substring(stem.lastIndexOf('-') + 1);
        }
        long hash = 0x811c9dc5L;
        for (byte b : hashed.getBytes(StandardCharsets.UTF_8)) {
            hash = ((hash ^ (b & 0xff)) * 0x01000193L) & 0xffffffffL;
        }
        return (int) ((hash + index) % places);
    }

    /** From where a volume can be reached, as its PersistentVolume says it; empty if the driver named no place. */
    static Optional<VolumeNodeAffinity> affinity(List<Topology> places) {
        List<NodeSelectorTerm> terms = places.stream()
                .filter(place -> place.getSegmentsCount() > 0)
                .map(place -> new NodeSelectorTerm(
                        new TreeMap<>(place.getSegmentsMap())
                                .entrySet().stream()
                                        .map(segment -> new NodeSelectorRequirement(
                                                segment.getKey(), IN, List.of(segment.getValue())))
                                        .toList(),
                        List.of()))
                .toList();
        return terms.isEmpty()
                ? Optional.empty()
                : Optional.of(new VolumeNodeAffinity(Optional.of(new NodeSelector(terms))));
    }
}
