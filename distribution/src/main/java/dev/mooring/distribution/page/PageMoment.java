// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Everything that the page shows of one moment, for all who look. Immutable once made. */
final class PageMoment {
    private final String version;
    private final Instant takenAt;
    private final PageRelations relations;
    private final List<KubernetesObject> objects;
    private final Map<PageKind, List<PageRow>> rows = new EnumMap<>(PageKind.class);

    PageMoment(String version, PageObjects objects, Collection<RecordEntry> mounts, Instant takenAt) {
        this.version = version;
        this.takenAt = takenAt;
        this.objects = objects.all();
        this.relations = new PageRelations(objects);
        PageStates states = new PageStates(takenAt);
        List<PageRow> claims = objects.claims().stream().map(states::of).toList();
        List<PageRow> volumes = objects.volumes().stream().map(states::of).toList();
        rows.put(PageKind.CLAIMS, claims);
        rows.put(PageKind.VOLUMES, volumes);
        rows.put(
                PageKind.ATTACHMENTS,
                objects.attachments().stream().map(states::of).toList());
        rows.put(PageKind.PODS, relations.pods().stream().map(states::of).toList());
        rows.put(PageKind.NODES, objects.nodes().stream().map(states::of).toList());
        rows.put(PageKind.MOUNTS, mounts.stream().map(states::of).toList());
        Map<String, PageGroup> namespaces = new TreeMap<>();
        Map<String, PageGroup> classes = new TreeMap<>();
        objects.classes().forEach(each -> group(classes, each.metadata().name()));
        for (PageRow row : claims) {
            group(namespaces, row.key().namespace()).count(row);
            group(classes, PageCells.storageClass(row)).count(row);
        }
        volumes.forEach(row -> group(classes, PageCells.storageClass(row)).count(row));
        rows.put(PageKind.NAMESPACES, grouped(PageKind.NAMESPACES, namespaces.values()));
        rows.put(PageKind.CLASSES, grouped(PageKind.CLASSES, classes.values()));
    }

    private static PageGroup group(Map<String, PageGroup> groups, String name) {
        return groups.computeIfAbsent(name, PageGroup::new);
    }

    private static List<PageRow> grouped(PageKind kind, Collection<PageGroup> groups) {
        List<PageRow> made = new ArrayList<>();
        for (PageGroup each : groups) {
            boolean attention = each.attention() > 0;
            made.add(new PageRow(
                    kind,
                    "group/" + each.name,
                    ObjectKey.cluster(each.name),
                    each,
                    attention ? each.attention() + " to look at" : "Well",
                    attention,
                    Optional.empty(),
                    Optional.empty()));
        }
        return List.copyOf(made);
    }

    /** Differs from that of any other moment of the process. */
    String version() {
        return version;
    }

    Instant takenAt() {
        return takenAt;
    }

    /** What an explanation looks at; the same list as long as the moment is the same. */
    List<KubernetesObject> objects() {
        return objects;
    }

    PageRelations relations() {
        return relations;
    }

    List<PageRow> rows(PageKind kind) {
        return rows.getOrDefault(kind, List.of());
    }

    /** The line of an object. */
    Optional<PageRow> row(PageKind kind, ObjectKey key) {
        PageStates states = new PageStates(takenAt);
        return switch (kind) {
            case CLAIMS -> relations.claim(key).map(states::of);
            case VOLUMES -> relations.volume(key.name()).map(states::of);
            case ATTACHMENTS -> relations.attachment(key.name()).map(states::of);
            case PODS -> relations.pod(key).map(states::of);
            case NODES -> relations.node(key.name()).map(states::of);
            case CLASSES, NAMESPACES, MOUNTS -> Optional.empty();
        };
    }
}
