// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.VolumeAttachment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * All objects in groups, for a picture that stays readable however many there are: an object that needs attention is drawn alone, objects
 * that are well are counted. Pure.
 */
final class PageMap {
    /** Groups beyond that are counted. */
    static final int MOST_GROUPS = 24;

    /** Objects of a group that stand for themselves; more of them are counted. */
    static final int MOST_ALONE = 36;

    private PageMap() {}

    /** By what objects are grouped. */
    enum By {
        /** Claims and volumes by their storage class. */
        CLASS,
        /** Claims and pods by their namespace. */
        NAMESPACE,
        /** Pods and attachments by their node. */
        NODE;

        static Optional<By> of(String wireName) {
            return List.of(values()).stream()
                    .filter(each -> each.wireName().equals(wireName))
                    .findFirst();
        }

        String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }

        private Set<PageKind> kinds() {
            return switch (this) {
                case CLASS -> Set.of(PageKind.CLAIMS, PageKind.VOLUMES);
                case NAMESPACE -> Set.of(PageKind.CLAIMS, PageKind.PODS);
                case NODE -> Set.of(PageKind.PODS, PageKind.ATTACHMENTS);
            };
        }

        private String group(PageRow row) {
            return switch (this) {
                case CLASS -> PageCells.storageClass(row);
                case NAMESPACE -> row.key().namespace();
                case NODE ->
                    row.subject() instanceof Pod pod
                            ? pod.spec().nodeName()
                            : row.subject() instanceof VolumeAttachment attachment
                                    ? attachment.spec().nodeName()
                                    : "";
            };
        }
    }

    private static final class Group {
        private final String name;
        private final Map<PageKind, Map<String, Long>> counts = new TreeMap<>();
        private final List<PageRow> alarming = new ArrayList<>();
        private long all;

        Group(String name) {
            this.name = name;
        }

        void add(PageRow row) {
            all++;
            if (row.attention()) {
                alarming.add(row);
            }
            counts.computeIfAbsent(row.kind(), kind -> new TreeMap<>()).merge(row.state(), 1L, Long::sum);
        }

        int alarm() {
            return alarming.size();
        }

        Map<String, Object> shown() {
            List<Object> states = new ArrayList<>();
            counts.forEach((kind, ofKind) -> ofKind.forEach(
                    (state, count) -> states.add(Map.of("kind", kind.wireName(), "state", state, "count", count))));
            List<Map<String, Object>> alone = alarming.stream()
                    .sorted(Comparator.comparing((PageRow row) -> row.since().orElse(Instant.MAX))
                            .thenComparing(PageRow::kind)
                            .thenComparing(PageRow::key))
                    .limit(MOST_ALONE)
                    .map(row -> Map.<String, Object>of(
                            "kind", row.kind().wireName(),
                            "namespace", row.key().namespace(),
                            "name", row.key().name(),
                            "state", row.state(),
                            "since", row.since().map(Instant::toString).orElse("")))
                    .toList();
            return Map.of("name", name, "count", all, "attention", (long) alarm(), "states", states, "alone", alone);
        }
    }

    /** The groups, those with most to look at first, then the largest. */
    static Document of(PageMoment moment, By by) {
        Map<String, Group> groups = new TreeMap<>();
        for (PageKind kind : by.kinds()) {
            for (PageRow row : moment.rows(kind)) {
                groups.computeIfAbsent(by.group(row), Group::new).add(row);
            }
        }
        Collection<Group> all = groups.values();
        List<Map<String, Object>> shown = all.stream()
                .sorted(Comparator.comparing(Group::alarm)
                        .thenComparing(group -> group.all)
                        .reversed()
                        .thenComparing(group -> group.name))
                .limit(MOST_GROUPS)
                .map(Group::shown)
                .toList();
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("version", moment.version());
        fields.put("now", moment.takenAt().toString());
        fields.put("by", by.wireName());
        fields.put("groups", shown);
        fields.put("left", (long) (all.size() - shown.size()));
        return Document.of(fields);
    }
}
