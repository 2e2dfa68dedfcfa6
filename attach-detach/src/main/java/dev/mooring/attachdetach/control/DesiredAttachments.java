// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.runtime.cache.Multimap;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What all pods together want attached, by attachment, volume and node. Confined to the decider. */
final class DesiredAttachments {
    private final AttachmentCounts counts;
    private final Map<String, TreeMap<String, DesiredAttachment>> byAttachment = new HashMap<>();
    private final Multimap<String, String> bySlot = new Multimap<>();
    private final Multimap<String, String> byReportedName = new Multimap<>();
    private final Multimap<String, String> byNode = new Multimap<>();
    private final Multimap<String, String> byTitle = new Multimap<>();

    /** Nothing is wanted; what is will be counted. */
    DesiredAttachments(AttachmentCounts counts) {
        this.counts = counts;
    }

    /** Learns what one pod wants now instead of before; answers with the attachments that this concerns. */
    Set<String> update(List<DesiredAttachment> before, List<DesiredAttachment> after) {
        Set<String> concerned = new TreeSet<>();
        if (!before.equals(after)) {
            before.forEach(want -> concerned.add(want.attachment()));
            after.forEach(want -> concerned.add(want.attachment()));
            concerned.forEach(attachment -> counts.wanted(first(attachment), Optional.empty()));
            before.forEach(this::remove);
            after.forEach(this::add);
            concerned.forEach(attachment -> counts.wanted(Optional.empty(), first(attachment)));
        }
        return concerned;
    }

    private void add(DesiredAttachment want) {
        String name = want.attachment();
        byAttachment.computeIfAbsent(name, a -> new TreeMap<>()).put(want.key(), want);
        bySlot.add(want.volume().slot(), name);
        byReportedName.add(want.volume().reportedName(), name);
        byNode.add(want.node(), name);
        byTitle.add(want.title(), name);
    }

    private void remove(DesiredAttachment want) {
        String name = want.attachment();
        TreeMap<String, DesiredAttachment> wants = byAttachment.get(name);
        if (wants == null || wants.remove(want.key()) == null) {
            return;
        }
        String reportedName = want.volume().reportedName();
        if (wants.values().stream().noneMatch(other -> other.title().equals(want.title()))) {
            byTitle.remove(want.title(), name);
        }
        if (wants.values().stream().noneMatch(other -> other.isReportedAs(reportedName))) {
            byReportedName.remove(reportedName, name);
        }
        if (wants.isEmpty()) {
            byAttachment.remove(name);
            bySlot.remove(want.volume().slot(), name);
            byNode.remove(want.node(), name);
        }
    }

    /** Who wants an attachment, in order of pods. */
    Collection<DesiredAttachment> of(String attachment) {
        Map<String, DesiredAttachment> wants = byAttachment.get(attachment);
        return wants == null ? List.of() : List.copyOf(wants.values());
    }

    /** One of those who want an attachment: the first by name. */
    Optional<DesiredAttachment> first(String attachment) {
        return Optional.ofNullable(byAttachment.get(attachment))
                .map(wants -> wants.firstEntry().getValue());
    }

    /** One of those who want each attachment. */
    List<DesiredAttachment> firstOfEach() {
        return byAttachment.values().stream()
                .map(wants -> wants.firstEntry().getValue())
                .toList();
    }

    /** The attachments wanted of one volume. */
    Set<String> ofSlot(String slot) {
        return bySlot.copyOf(slot);
    }

    /** Whether any attachment of a volume is wanted. */
    boolean anyOfSlot(String slot) {
        return bySlot.hasAny(slot);
    }

    /** One of those who want a volume as nodes call it. */
    Optional<DesiredAttachment> firstOfReportedName(String name) {
        return byReportedName
                .first(name)
                .flatMap(attachment -> of(attachment).stream()
                        .filter(want -> want.isReportedAs(name))
                        .findFirst());
    }

    /** The attachments wanted of a PersistentVolume. */
    Set<String> ofTitle(String title) {
        return byTitle.copyOf(title);
    }

    /** The attachments wanted on a node. */
    Set<String> onNode(String node) {
        return byNode.copyOf(node);
    }
}
