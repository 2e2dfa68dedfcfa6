// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.runtime.control.Effect;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.store.Change;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Which nodes have lost a volume by force, written down on the PersistentVolume before their attachments are forgotten: the node that gets it
 * next is told whose power to write has to be taken (semantics/plugins §3.8), and a node that comes back is let in again before it gets
 * it. A source written in a pod has no such memory. Pure.
 *
 * @param volume the volume; empty if there is none
 * @param nodeUid the node that an attachment is about
 */
record FenceOrders(Optional<PersistentVolume> volume, String nodeUid) {
    /** On a PersistentVolume: uids of nodes, the latest last. */
    static final String ANNOTATION = "mooring.dev/fenced-nodes";

    /** What a plugin on the node looks for in what the attachment says. */
    private static final String KEY = "fence";

    /** Nodes that never come back are forgotten some time. */
    private static final int MOST = 16;

    /** Whether this node is one of them. */
    boolean nameThisNode() {
        return uids().contains(nodeUid);
    }

    /** What the node is told about the others. */
    Map<String, String> addedTo(Map<String, String> metadata) {
        List<String> others =
                uids().stream().filter(uid -> !uid.equals(nodeUid)).toList();
        if (others.isEmpty()) {
            return metadata;
        }
        Map<String, String> told = new TreeMap<>(metadata);
        told.put(KEY, String.join(",", others));
        return told;
    }

    /** Writes down that this node loses the volume by force; empty if that stands there, or cannot be written down. */
    Optional<Effect> order(String operation) {
        if (volume.isEmpty() || nodeUid.isEmpty() || nameThisNode()) {
            return Optional.empty();
        }
        List<String> uids = new ArrayList<>(uids());
        uids.add(nodeUid);
        return Optional.of(write(operation, uids.subList(Math.max(0, uids.size() - MOST), uids.size())));
    }

    /** Writes down that this node may have it again. */
    Effect lift(String operation) {
        return write(
                operation, uids().stream().filter(uid -> !uid.equals(nodeUid)).toList());
    }

    private Effect write(String operation, List<String> uids) {
        PersistentVolume known = volume.orElseThrow();
        PersistentVolume edited = known.withMetadata(
                uids.isEmpty()
                        ? known.metadata().withoutAnnotation(ANNOTATION)
                        : known.metadata().withAnnotation(ANNOTATION, String.join(",", uids)));
        return new Effect.Update<>(operation, Kinds.PERSISTENT_VOLUME, new Change<>(known, edited));
    }

    private List<String> uids() {
        String text =
                volume.flatMap(known -> known.metadata().annotation(ANNOTATION)).orElse("");
        return Arrays.stream(text.split(",", -1))
                .map(String::strip)
                .filter(uid -> !uid.isEmpty())
                .toList();
    }
}
