// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.capacity;

import dev.mooring.storage.model.CSINodeDriver;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The parts of the cluster that drivers tell apart: the distinct values that their nodes have for the topology keys of their CSINodes
 * (semantics/csi §8.5, §12). A node that lacks a label is in none. Each change costs what concerns its own node. Confined to the decider.
 */
final class DriverPlaces {
    private final Map<String, Map<String, String>> labels = new HashMap<>();
    private final Map<String, Map<String, List<String>>> keys = new HashMap<>();
    private final Map<String, Map<Map<String, String>, Integer>> nodes = new HashMap<>();

    /**
     * Learns the labels of a node.
     *
     * @param found empty if there is no such Node any more
     * @return the drivers whose parts may have changed
     */
    Set<String> learnLabels(String node, Optional<Map<String, String>> found) {
        Set<String> drivers = new TreeSet<>(keys.getOrDefault(node, Map.of()).keySet());
        drivers.forEach(driver -> count(node, driver, -1));
        found.ifPresentOrElse(known -> labels.put(node, known), () -> labels.remove(node));
        drivers.forEach(driver -> count(node, driver, 1));
        return drivers;
    }

    /**
     * Learns the drivers of a node.
     *
     * @param found none if there is no such CSINode any more
     * @return the drivers whose parts may have changed
     */
    Set<String> learnDrivers(String node, List<CSINodeDriver> found) {
        Set<String> drivers = new TreeSet<>(keys.getOrDefault(node, Map.of()).keySet());
        drivers.forEach(driver -> count(node, driver, -1));
        Map<String, List<String>> known = new TreeMap<>();
        found.forEach(driver -> known.put(driver.name(), List.copyOf(driver.topologyKeys())));
        if (known.isEmpty()) {
            keys.remove(node);
        } else {
            keys.put(node, known);
        }
        known.keySet().forEach(driver -> count(node, driver, 1));
        drivers.addAll(known.keySet());
        return drivers;
    }

    private void count(String node, String driver, int change) {
        term(node, driver).ifPresent(place -> {
            Map<Map<String, String>, Integer> places = nodes.computeIfAbsent(driver, fresh -> new HashMap<>());
            if (places.merge(place, change, Integer::sum) == 0) {
                places.remove(place);
            }
        });
    }

    private Optional<Map<String, String>> term(String node, String driver) {
        Map<String, String> known = labels.getOrDefault(node, Map.of());
        Map<String, String> place = new TreeMap<>();
        for (String key : keys.getOrDefault(node, Map.of()).getOrDefault(driver, List.of())) {
            String value = known.get(key);
            if (value == null) {
                return Optional.empty();
            }
            place.put(key, value);
        }
        return Optional.of(place);
    }

    /** The parts of the cluster that a driver tells apart, each in a fixed order; the empty one alone if it tells none apart. */
    Set<Map<String, String>> of(String driver) {
        Set<Map<String, String>> places =
                new HashSet<>(nodes.getOrDefault(driver, Map.of()).keySet());
        if (places.size() > 1) {
            // while the driver is being replaced by a version that reports a topology
            places.remove(Map.of());
        }
        return places;
    }
}
