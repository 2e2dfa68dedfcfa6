// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.fieldmanagement;

import dev.mooring.clusterstore.schema.FieldType;
import dev.mooring.clusterstore.schema.FieldType.Mapping;
import dev.mooring.clusterstore.schema.FieldType.Sequence;
import dev.mooring.clusterstore.schema.FieldType.Structure;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.JsonNull;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A value of an object with the type of its field: the tree in which fields have managers. A value that has one manager as a whole is a leaf,
 * whatever is in it.
 *
 * @param type the type; null if nothing is known of it
 * @param granular whether what is below may have managers of its own
 * @param named whether its parent's type names it; elements of lists and of mappings are not named
 * @param value the value; an empty object stands for a struct that is not there
 */
record FieldNode(@Nullable FieldType type, boolean granular, boolean named, Object value) {
    /** What Kubernetes' types write though it is empty or not set: such fields are always there. */
    private static final Map<String, Object> ALWAYS_THERE = Map.ofEntries(
            Map.entry("CSINodeDriver.topologyKeys", JsonNull.NULL),
            Map.entry("CSINodeSpec.drivers", List.of()),
            Map.entry("Container.resources", Map.of()),
            Map.entry("ContainerStateRunning.startedAt", JsonNull.NULL),
            Map.entry("ContainerStateTerminated.finishedAt", JsonNull.NULL),
            Map.entry("ContainerStateTerminated.startedAt", JsonNull.NULL),
            Map.entry("ContainerStatus.lastState", Map.of()),
            Map.entry("ContainerStatus.state", Map.of()),
            Map.entry("EphemeralContainer.resources", Map.of()),
            Map.entry("Event.eventTime", JsonNull.NULL),
            Map.entry("Event.firstTimestamp", JsonNull.NULL),
            Map.entry("Event.involvedObject", Map.of()),
            Map.entry("Event.lastTimestamp", JsonNull.NULL),
            Map.entry("Event.source", Map.of()),
            Map.entry("NodeCondition.lastHeartbeatTime", JsonNull.NULL),
            Map.entry("NodeCondition.lastTransitionTime", JsonNull.NULL),
            Map.entry("NodeDaemonEndpoints.kubeletEndpoint", Map.of()),
            Map.entry("NodeStatus.daemonEndpoints", Map.of()),
            Map.entry("NodeStatus.nodeInfo", Map.of()),
            Map.entry("PersistentVolumeClaimCondition.lastProbeTime", JsonNull.NULL),
            Map.entry("PersistentVolumeClaimCondition.lastTransitionTime", JsonNull.NULL),
            Map.entry("PersistentVolumeClaimSpec.resources", Map.of()),
            Map.entry("PodCondition.lastProbeTime", JsonNull.NULL),
            Map.entry("PodCondition.lastTransitionTime", JsonNull.NULL),
            Map.entry("PodSpec.containers", List.of()),
            Map.entry("VolumeAttachmentSpec.source", Map.of()),
            Map.entry("VolumeAttachmentStatus.attached", false));

    private static final Map<Structure, Map<String, Object>> KNOWN = new ConcurrentHashMap<>();

    /** The same of every kind. */
    private static final Set<String> ALWAYS_THERE_AT_THE_TOP = Set.of("metadata", "spec", "status");

    /** What an element has in a key field that is left out: only the protocol of a port has a default. */
    private static final Map<String, Object> KEY_DEFAULTS = Map.of("protocol", "TCP");

    static FieldNode root(Structure type, Document object) {
        return new FieldNode(type, true, true, object.asMap());
    }

    /** The same field with another value. */
    FieldNode with(Object other) {
        return new FieldNode(type, granular, named, other);
    }

    /** An object's value as a map. */
    @SuppressWarnings("unchecked") // maps in a document have text keys
    static Map<String, Object> asMap(Object value) {
        return value instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
    }

    /** Whether it has one manager as a whole. */
    boolean isLeaf() {
        boolean object = value instanceof Map<?, ?> && (type instanceof Structure || type instanceof Mapping);
        boolean list = value instanceof List<?>
                && type instanceof Sequence sequence
                && !sequence.listKeys().isEmpty();
        return !granular || !(object || list);
    }

    boolean isNull() {
        return value == JsonNull.NULL;
    }

    /** What is below it, in its order; empty for a leaf. An element that stands once more counts by its index. */
    Map<PathElement, FieldNode> children() {
        return children(false);
    }

    /** The same with the structs that Kubernetes has even if they are not written. */
    Map<PathElement, FieldNode> childrenAsTyped() {
        return children(true);
    }

    private Map<PathElement, FieldNode> children(boolean asTyped) {
        if (isLeaf()) {
            return Map.of();
        }
        Map<PathElement, FieldNode> children = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> map) {
            forEachKey(map, asTyped, children::put);
        } else if (type instanceof Sequence sequence && value instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                PathElement step = step(sequence, list.get(i));
                children.put(
                        children.containsKey(step) ? PathElement.index(i) : step,
                        element(sequence.element(), list.get(i)));
            }
        }
        return children;
    }

    /** A step with what it leads to. */
    record Child(PathElement step, FieldNode node) {}

    /** The same as {@link #childrenAsTyped}, in the order of the steps. The keys of an object stand once each: no table is made of very many. */
    Child[] sortedChildrenAsTyped() {
        List<Child> children = new ArrayList<>();
        BiConsumer<PathElement, FieldNode> add = (step, child) -> children.add(new Child(step, child));
        if (!isLeaf() && value instanceof Map<?, ?> map) {
            forEachKey(map, true, add);
        } else {
            childrenAsTyped().forEach(add);
        }
        Child[] sorted = children.toArray(Child[]::new);
        Arrays.sort(sorted, Comparator.comparing(Child::step));
        return sorted;
    }

    /** Tells of each key of an object that is no leaf, once. */
    private void forEachKey(Map<?, ?> map, boolean asTyped, BiConsumer<PathElement, FieldNode> told) {
        if (type instanceof Structure structure) {
            forEachField(structure, map, asTyped && !structure.isAsWritten(), told);
        } else if (type instanceof Mapping mapping) {
            map.forEach((key, each) -> told.accept(PathElement.field((String) key), element(mapping.values(), each)));
        }
    }

    private static void forEachField(
            Structure structure, Map<?, ?> map, boolean asTyped, BiConsumer<PathElement, FieldNode> told) {
        Map<String, Object> missing = asTyped ? new LinkedHashMap<>(alwaysThere(structure)) : Map.of();
        map.forEach((key, each) -> {
            String name = (String) key;
            if (!asTyped || !isLeftOut(structure.fields().get(name), each)) {
                told.accept(PathElement.field(name), field(structure, name, each));
                if (!missing.isEmpty()) {
                    missing.remove(name);
                }
            }
        });
        missing.forEach((name, each) -> told.accept(PathElement.field(name), field(structure, name, each)));
    }

    private static FieldNode field(Structure structure, String name, Object value) {
        FieldType type = structure.typeOf(name).orElse(null);
        return new FieldNode(type, type != null && !structure.isAtomic(name), type != null, value);
    }

    /** Kubernetes' types do not write empty lists and mappings. */
    private static boolean isLeftOut(@Nullable FieldType type, Object value) {
        return (type instanceof Mapping && value instanceof Map<?, ?> map && map.isEmpty())
                || (type instanceof Sequence && value instanceof List<?> list && list.isEmpty());
    }

    /** The fields of a type that are always there, with the values that they have unless they are set. */
    private static Map<String, Object> alwaysThere(Structure structure) {
        return KNOWN.computeIfAbsent(structure, FieldNode::findAlwaysThere);
    }

    private static Map<String, Object> findAlwaysThere(Structure structure) {
        Map<String, Object> found = new LinkedHashMap<>();
        boolean kind = structure.fields().containsKey("apiVersion");
        structure.fields().forEach((field, type) -> {
            Object value = ALWAYS_THERE.get(structure.simpleName() + "." + field);
            if (kind && type instanceof Structure && ALWAYS_THERE_AT_THE_TOP.contains(field)) {
                found.put(field, Map.of());
            } else if (value != null) {
                found.put(field, value);
            }
        });
        return Map.copyOf(found);
    }

    static FieldNode element(FieldType type, Object value) {
        return new FieldNode(type, !(type instanceof Structure structure && structure.isAtomic()), false, value);
    }

    private static PathElement step(Sequence sequence, Object element) {
        if (sequence.isSet() || !(element instanceof Map<?, ?> map)) {
            return PathElement.value(element);
        }
        List<String> names = sequence.listKeys();
        if (names.size() == 1 && map.containsKey(names.get(0))) {
            return PathElement.key(names.get(0), map.get(names.get(0)));
        }
        Map<String, Object> keys = new LinkedHashMap<>();
        for (String key : names) {
            Object value = map.containsKey(key) ? map.get(key) : KEY_DEFAULTS.get(key);
            if (value != null) {
                keys.put(key, value);
            }
        }
        return keys.isEmpty() ? PathElement.value(element) : PathElement.keys(keys);
    }

    /** Why this cannot be applied: an element stands twice, or lacks all of its keys; empty if all is well. */
    Optional<String> problem() {
        return problem("");
    }

    private Optional<String> problem(String path) {
        Optional<String> own =
                type instanceof Sequence sequence && !isLeaf() ? problem(path, sequence) : Optional.empty();
        if (own.isPresent()) {
            return own;
        }
        return children().entrySet().stream()
                .flatMap(child -> child.getValue().problem(path + child.getKey()).stream())
                .findFirst();
    }

    private Optional<String> problem(String path, Sequence sequence) {
        Set<PathElement> seen = new HashSet<>();
        List<?> list = value instanceof List<?> elements ? elements : List.of();
        for (int i = 0; i < list.size(); i++) {
            PathElement step = step(sequence, list.get(i));
            if (!sequence.isSet() && !step.isKeys()) {
                return Optional.of(path + ": element " + i
                        + ": associative list with keys has an element that omits key field \""
                        + sequence.listKeys().get(0) + "\"");
            } else if (!seen.add(step)) {
                return Optional.of(path + ": duplicate entries for key " + step);
            }
        }
        return Optional.empty();
    }

    /** A value of the form of this one, made of what stands below it. */
    Object withChildren(Map<PathElement, Object> children) {
        if (value instanceof List<?>) {
            return new ArrayList<>(children.values());
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        children.forEach((step, each) -> fields.put(step.fieldName(), each));
        return fields;
    }

    /** All paths that a manager has that applies this: leaves, and elements of lists and mappings. */
    FieldSet fields() {
        return fields(false);
    }

    private FieldSet fields(boolean asTyped) {
        FieldSet.Builder set = new FieldSet.Builder();
        addTo(set, asTyped);
        return set.build();
    }

    private void addTo(FieldSet.Builder set, boolean asTyped) {
        children(asTyped).forEach((step, child) -> {
            FieldSet.Builder at = set.at(step);
            boolean emptyObject = child.isNull() || (child.value instanceof Map<?, ?> map && map.isEmpty());
            if (emptyObject || !child.named || child.isLeaf()) {
                at.add();
            }
            child.addTo(at, asTyped);
        });
    }

    /** The value without some paths; what loses all it has becomes null. */
    Object without(FieldSet removed) {
        if (removed.isEmpty() || isLeaf()) {
            return value;
        }
        Map<PathElement, Object> kept = new LinkedHashMap<>();
        children().forEach((step, child) -> {
            FieldSet.Branch branch = removed.branch(step);
            if (!branch.member()) {
                kept.put(step, child.without(branch.below()));
            }
        });
        return kept.isEmpty() ? JsonNull.NULL : withChildren(kept);
    }

    /**
     * A set that was put down when types said otherwise, as it is meant now: a path that stands alone has a manager as a whole. Where what is there
     * has managers of its own below, all that is there now is meant; and the other way round. As the API server does it, a manager whose
     * fields below were all taken over by others is no exception.
     */
    FieldSet reconciled(FieldSet set) {
        Map<PathElement, FieldNode> children = children();
        Map<PathElement, FieldSet.Branch> branches = new LinkedHashMap<>();
        set.branches().forEach((step, branch) -> {
            FieldNode child = children.get(step);
            branches.put(step, child == null ? branch : child.reconciled(branch));
        });
        return FieldSet.of(branches);
    }

    private FieldSet.Branch reconciled(FieldSet.Branch branch) {
        boolean container = value instanceof Map<?, ?> || value instanceof List<?>;
        if (!container) {
            return branch;
        } else if (isLeaf()) {
            return branch.below().isEmpty() ? branch : new FieldSet.Branch(true, FieldSet.EMPTY);
        }
        boolean alone = branch.member() && branch.below().isEmpty();
        return new FieldSet.Branch(branch.member(), alone ? fields(true) : reconciled(branch.below()));
    }

    /**
     * The same set with all objects of known fields that its paths lead through. Such an object goes with the last of its fields that has a
     * manager, as what is left of it are defaults; what is always there stays, and so do lists and mappings, since what is left there has
     * an owner.
     */
    static FieldSet withObjects(FieldSet set, @Nullable FieldType type) {
        Map<PathElement, FieldSet.Branch> branches = new LinkedHashMap<>();
        set.branches().forEach((step, branch) -> {
            FieldType below = type instanceof Structure structure
                    ? structure.fields().get(step.fieldName())
                    : type instanceof Mapping mapping
                            ? mapping.values()
                            : type instanceof Sequence sequence ? sequence.element() : null;
            boolean named = type instanceof Structure structure
                    && below instanceof Structure
                    && !alwaysThere(structure).containsKey(step.fieldName());
            branches.put(step, new FieldSet.Branch(branch.member() || named, withObjects(branch.below(), below)));
        });
        return FieldSet.of(branches);
    }
}
