// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.fieldmanagement;

import dev.mooring.clusterstore.fieldmanagement.FieldManager.Operation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Who manages which fields of an object: what its {@code managedFields} say. A manager without fields is not in it. Immutable.
 *
 * @param shares by manager
 */
record ManagedFields(Map<FieldManager, Share> shares) {
    static final ManagedFields NONE = new ManagedFields(Map.of());

    /**
     * What one manager has.
     *
     * @param fields not empty
     * @param apiVersion of what it wrote last
     * @param time when its fields changed last; empty if that is not known
     */
    record Share(FieldSet fields, String apiVersion, String time) {}

    /** The API server's order. */
    private static final Comparator<Map.Entry<FieldManager, Share>> ORDER = Comparator.comparing(
                    (Map.Entry<FieldManager, Share> each) -> each.getKey().operation())
            .thenComparing(each -> each.getValue().time())
            .thenComparing(Map.Entry::getKey);

    ManagedFields {
        shares = new TreeMap<>(shares);
        shares.values().removeIf(share -> share.fields().isEmpty());
    }

    boolean isEmpty() {
        return shares.isEmpty();
    }

    FieldSet fieldsOf(FieldManager manager) {
        Share share = shares.get(manager);
        return share == null ? FieldSet.EMPTY : share.fields();
    }

    /** The same with another share of one manager. */
    ManagedFields with(FieldManager manager, Share share) {
        Map<FieldManager, Share> changed = new TreeMap<>(shares);
        changed.put(manager, share);
        return new ManagedFields(changed);
    }

    ManagedFields without(FieldManager manager) {
        Map<FieldManager, Share> changed = new TreeMap<>(shares);
        changed.remove(manager);
        return new ManagedFields(changed);
    }

    /** The same without some fields of every manager but one. */
    ManagedFields withoutFields(FieldSet lost, FieldManager except) {
        if (lost.isEmpty()) {
            return this;
        }
        Map<FieldManager, Share> changed = new TreeMap<>();
        shares.forEach((manager, share) -> changed.put(
                manager,
                manager.equals(except)
                        ? share
                        : new Share(share.fields().difference(lost), share.apiVersion(), share.time())));
        return new ManagedFields(changed);
    }

    /** The same with other fields of each manager. */
    ManagedFields mapped(UnaryOperator<FieldSet> change) {
        Map<FieldManager, Share> changed = new TreeMap<>();
        shares.forEach((manager, share) ->
                changed.put(manager, new Share(change.apply(share.fields()), share.apiVersion(), share.time())));
        return new ManagedFields(changed);
    }

    /** All fields that any manager has. */
    FieldSet all() {
        return shares.values().stream().map(Share::fields).reduce(FieldSet.EMPTY, FieldSet::union);
    }

    /** Whether the same managers have the same fields, whenever they got them. */
    boolean hasSameFields(ManagedFields other) {
        return shares.keySet().equals(other.shares.keySet())
                && shares.entrySet().stream().allMatch(each -> {
                    Share theirs = other.shares.get(each.getKey());
                    return theirs != null
                            && each.getValue().fields().equals(theirs.fields())
                            && each.getValue().apiVersion().equals(theirs.apiVersion());
                });
    }

    /** As an object has them. */
    List<Object> encode() {
        List<Object> entries = new ArrayList<>(shares.size());
        shares.entrySet().stream().sorted(ORDER).forEach(each -> {
            Share share = each.getValue();
            entries.add(entry(each.getKey(), share.apiVersion(), share.time(), FieldsV1.encode(share.fields())));
        });
        return entries;
    }

    /** One manager's entry, with its fields as {@link FieldsV1} writes them. */
    static Map<String, Object> entry(FieldManager manager, String apiVersion, String time, Map<String, Object> fields) {
        Map<String, Object> entry = new LinkedHashMap<>();
        putText(entry, "manager", manager.name());
        entry.put("operation", manager.operation().text());
        putText(entry, "apiVersion", apiVersion);
        putText(entry, "time", time);
        entry.put("fieldsType", "FieldsV1");
        entry.put("fieldsV1", fields);
        putText(entry, "subresource", manager.subresource());
        return entry;
    }

    private static void putText(Map<String, Object> entry, String field, String text) {
        if (!text.isEmpty()) {
            entry.put(field, text);
        }
    }

    /**
     * Reads what an object has. Empty if an entry cannot be read: then nothing of it counts, as with the API server.
     *
     * @param entries the value of {@code managedFields}
     */
    static Optional<ManagedFields> decode(List<?> entries) {
        Map<FieldManager, Share> shares = new TreeMap<>();
        try {
            for (Object entry : entries) {
                if (!(entry instanceof Map<?, ?> map)) {
                    return Optional.empty();
                }
                String apiVersion = text(map, "apiVersion");
                FieldSet fields =
                        map.get("fieldsV1") instanceof Map<?, ?> coded ? FieldsV1.decode(coded) : FieldSet.EMPTY;
                FieldManager manager = switch (text(map, "operation")) {
                    case "Apply" -> FieldManager.applier(text(map, "manager"), text(map, "subresource"));
                    case "Update" -> FieldManager.updater(text(map, "manager"), apiVersion, text(map, "subresource"));
                    default -> throw new IllegalArgumentException("operation");
                };
                boolean readable = text(map, "fieldsType").equals("FieldsV1") && !apiVersion.isEmpty();
                if (!readable) {
                    return Optional.empty();
                }
                shares.put(manager, new Share(fields, apiVersion, text(map, "time")));
            }
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        return Optional.of(new ManagedFields(shares));
    }

    private static String text(Map<?, ?> entry, String field) {
        return entry.get(field) instanceof String text ? text : "";
    }

    /** How many have come to their fields by anything but apply. */
    List<FieldManager> updatersOldestFirst() {
        return shares.entrySet().stream()
                .filter(each -> each.getKey().operation() == Operation.UPDATE)
                .sorted(ORDER)
                .map(Map.Entry::getKey)
                .toList();
    }
}
