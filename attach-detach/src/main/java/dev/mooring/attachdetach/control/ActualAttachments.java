// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.runtime.cache.Multimap;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.model.VolumeAttachment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * All VolumeAttachments by volume and node, and those that are being created: together, what occupies volumes. Confined to the
 * decider.
 */
final class ActualAttachments {
    private final Map<String, ActualAttachment> byName = new TreeMap<>();
    private final Map<String, VolumeAttachment> foreign = new TreeMap<>();
    private final Multimap<String, String> bySlot = new Multimap<>();
    private final Multimap<String, String> byNode = new Multimap<>();
    private final Multimap<String, String> foreignByVolume = new Multimap<>();
    private final Multimap<String, String> foreignByNode = new Multimap<>();
    private final Map<String, Map<String, Reservation>> reservations = new HashMap<>();
    private final Set<String> certain = new HashSet<>();

    /**
     * An attachment whose object is being created.
     *
     * @param slot the volume
     * @param attachment the attachment's name
     * @param node to which node
     * @param use what the node will do with it
     */
    record Reservation(String slot, String attachment, String node, Sharing.Use use) {}

    void update(Optional<VolumeAttachment> before, Optional<VolumeAttachment> after) {
        before.ifPresent(this::remove);
        after.ifPresent(this::add);
    }

    /**
     * Notes how an attachment became known.
     *
     * @param live whether by a write of ours or a live read, rather than by a list or a watch, which may be old
     */
    void seen(String name, boolean live) {
        if (live) {
            certain.add(name);
        } else {
            certain.remove(name);
        }
    }

    /**
     * Notes which attachments a key has read live: what is known of them is as new as what was read, and stays certain until a watch
     * shows the next version, so that two keys, or two rounds of one, need not read at the same time.
     *
     * @param situation of the key whose decision asked for the reads
     */
    void confirmed(Situation situation) {
        for (EffectResult result : situation.results()) {
            if (result.succeeded()
                    && result.effect() instanceof Effect.Read<?> read
                    && read.operation().equals(AttachmentOperations.CONFIRM)
                    && byName.containsKey(read.object().name())) {
                certain.add(read.object().name());
            }
        }
    }

    /**
     * Whether what is known of an attachment is no mere word of a list or a watch: it was the truth when it became known, or when it was
     * read.
     */
    boolean isCertain(String name) {
        return certain.contains(name);
    }

    private void add(VolumeAttachment attachment) {
        String name = attachment.metadata().name();
        Optional<AttachmentAnnotations> marks = AttachmentAnnotations.of(attachment);
        if (marks.isPresent()) {
            byName.put(name, new ActualAttachment(attachment, marks.get()));
            bySlot.add(marks.get().slot(), name);
            byNode.add(attachment.spec().nodeName(), name);
        } else {
            foreign.put(name, attachment);
            foreignByNode.add(attachment.spec().nodeName(), name);
            attachment.spec().source().persistentVolumeName().ifPresent(volume -> foreignByVolume.add(volume, name));
        }
    }

    private void remove(VolumeAttachment attachment) {
        String name = attachment.metadata().name();
        ActualAttachment known = byName.remove(name);
        if (known != null) {
            bySlot.remove(known.marks().slot(), name);
            byNode.remove(known.node(), name);
        }
        VolumeAttachment stranger = foreign.remove(name);
        if (stranger != null) {
            foreignByNode.remove(stranger.spec().nodeName(), name);
            stranger.spec().source().persistentVolumeName().ifPresent(volume -> foreignByVolume.remove(volume, name));
        }
    }

    void reserve(Optional<Reservation> before, Optional<Reservation> after) {
        before.ifPresent(gone -> reservations.computeIfPresent(gone.slot(), (slot, held) -> {
            held.remove(gone.attachment());
            return held.isEmpty() ? null : held;
        }));
        after.ifPresent(now -> reservations
                .computeIfAbsent(now.slot(), slot -> new TreeMap<>())
                .put(now.attachment(), now));
    }

    /** An attachment of ours. */
    Optional<ActualAttachment> get(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** An attachment that another program made. */
    Optional<VolumeAttachment> foreign(String name) {
        return Optional.ofNullable(foreign.get(name));
    }

    /** All attachments of a volume. */
    List<ActualAttachment> ofSlot(String slot) {
        return known(bySlot.of(slot));
    }

    /** Other programs' attachments of a PersistentVolume. */
    List<VolumeAttachment> foreignOf(String volume) {
        List<VolumeAttachment> found = new ArrayList<>();
        foreignByVolume
                .of(volume)
                .forEach(name -> Optional.ofNullable(foreign.get(name)).ifPresent(found::add));
        return found;
    }

    /** The names of other programs' attachments to a node. */
    Set<String> foreignOn(String node) {
        return foreignByNode.copyOf(node);
    }

    /** The attachments of a volume that are being created. */
    List<Reservation> reserved(String slot) {
        return List.copyOf(reservations.getOrDefault(slot, Map.of()).values());
    }

    /** All attachments to a node. */
    List<ActualAttachment> onNode(String node) {
        return known(byNode.of(node));
    }

    private List<ActualAttachment> known(Set<String> names) {
        List<ActualAttachment> found = new ArrayList<>();
        names.forEach(name -> get(name).ifPresent(found::add));
        return found;
    }
}
