// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import dev.mooring.distribution.page.LifeEntry.Source;
import dev.mooring.storage.model.Condition;
import dev.mooring.storage.model.Event;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Puts together what is known of an object's life: what this process has seen, what the object itself tells, and its events. */
final class LifeTelling {
    private static final int MOST = 200;

    private LifeTelling() {}

    /** The life of an object, which may be gone, the newest first. */
    static List<Object> of(PageWorld world, PageKind kind, ObjectKey key, Optional<PageRow> row) {
        List<LifeEntry> seen = world.lifeLines().of(kind, key);
        List<LifeEntry> all = new ArrayList<>(seen);
        Set<String> told = seen.stream().map(LifeEntry::text).collect(Collectors.toSet());
        row.ifPresent(there -> own(there).stream()
                .filter(entry -> entry.at().isBefore(world.lifeLines().begun())
                        || entry.text().equals("is made"))
                .forEach(all::add));
        // A name that no object has or had is asked for nowhere.
        Optional<String> asked = row.isPresent() || !seen.isEmpty() ? kindName(kind) : Optional.empty();
        asked.ifPresent(name -> world.reads().events(name, key).stream()
                .flatMap(event -> entry(event).stream())
                .filter(entry -> !told.contains(entry.text()))
                .forEach(all::add));
        return all.stream()
                .sorted(Comparator.comparing(LifeEntry::at).reversed())
                .limit(MOST)
                .<Object>map(entry -> Map.of(
                        "at", entry.at().toString(),
                        "source", entry.source().name().toLowerCase(Locale.ROOT),
                        "text", entry.text(),
                        "count", entry.count()))
                .toList();
    }

    private static Optional<String> kindName(PageKind kind) {
        return switch (kind) {
            case CLAIMS -> Optional.of("PersistentVolumeClaim");
            case VOLUMES -> Optional.of("PersistentVolume");
            case ATTACHMENTS -> Optional.of("VolumeAttachment");
            case PODS -> Optional.of("Pod");
            case NODES -> Optional.of("Node");
            case CLASSES, NAMESPACES, MOUNTS -> Optional.empty();
        };
    }

    /** What the object itself tells of the time before this process. */
    private static List<LifeEntry> own(PageRow row) {
        List<LifeEntry> own = new ArrayList<>();
        row.created().ifPresent(at -> own.add(new LifeEntry(at, Source.CHANGE, "is made")));
        if (row.subject() instanceof PersistentVolume volume) {
            volume.status()
                    .lastPhaseTransitionTime()
                    .ifPresent(at -> own.add(new LifeEntry(
                            at,
                            Source.CHANGE,
                            "state: " + volume.status().phase().wireName())));
        } else if (row.subject() instanceof PersistentVolumeClaim claim) {
            own.addAll(conditions(claim.status().conditions()));
        } else if (row.subject() instanceof Node node) {
            own.addAll(conditions(node.status().conditions()));
        }
        return own;
    }

    private static List<LifeEntry> conditions(List<Condition> conditions) {
        List<LifeEntry> entries = new ArrayList<>();
        for (Condition condition : conditions) {
            String text = "condition " + condition.type() + ": "
                    + condition.status().wireName() + " " + condition.reason() + " " + condition.message();
            condition.lastTransitionTime().ifPresent(at -> entries.add(new LifeEntry(at, Source.CHANGE, text.strip())));
        }
        return entries;
    }

    private static Optional<LifeEntry> entry(Event event) {
        Optional<Instant> at = event.lastTimestamp()
                .or(event::firstTimestamp)
                .or(() -> event.metadata().creationTimestamp());
        String component = event.source().component().isEmpty()
                ? event.reportingComponent()
                : event.source().component();
        return at.map(time -> new LifeEntry(
                time,
                Source.EVENT,
                event.reason() + " (" + component + "): " + event.message(),
                Math.max(1, event.count())));
    }
}
