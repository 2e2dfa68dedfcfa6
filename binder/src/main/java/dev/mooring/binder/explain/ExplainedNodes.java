// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.binder.snapshot.Snapshot;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The nodes of a snapshot. */
final class ExplainedNodes {
    private ExplainedNodes() {}

    static boolean any(Snapshot snapshot) {
        return !all(snapshot).isEmpty();
    }

    static Collection<Node> all(Snapshot snapshot) {
        return snapshot.all(Kinds.NODE);
    }

    static Optional<Node> named(Snapshot snapshot, String name) {
        return snapshot.get(Kinds.NODE, ObjectKey.cluster(name));
    }

    /** The values that nodes have under a label, in order. */
    static List<String> values(Snapshot snapshot, String label) {
        return all(snapshot).stream()
                .map(node -> node.metadata().labels())
                .filter(labels -> labels.containsKey(label))
                .map(labels -> labels.get(label))
                .distinct()
                .sorted()
                .toList();
    }

    /** The nodes that a volume is attached to, or being so. */
    static List<String> holding(Snapshot snapshot, PersistentVolume volume) {
        return snapshot.all(Kinds.VOLUME_ATTACHMENT).stream()
                .filter(attachment -> attachment
                        .spec()
                        .source()
                        .persistentVolumeName()
                        .filter(volume.metadata().name()::equals)
                        .isPresent())
                .map(attachment -> attachment.spec().nodeName())
                .toList();
    }

    /** How many volumes of a driver are attached to a node. */
    static long attached(Snapshot snapshot, String driver, String node) {
        return snapshot.all(Kinds.VOLUME_ATTACHMENT).stream()
                .filter(attachment -> attachment.spec().attacher().equals(driver)
                        && attachment.spec().nodeName().equals(node))
                .count();
    }

    /** How many volumes of a driver a node can have; empty if nobody says. */
    static Optional<Long> limit(Snapshot snapshot, String driver, String node) {
        return snapshot.get(Kinds.CSI_NODE, ObjectKey.cluster(node))
                .flatMap(found -> found.spec().drivers().stream()
                        .filter(known -> known.name().equals(driver))
                        .findFirst())
                .flatMap(known -> known.allocatable())
                .flatMap(allocatable -> allocatable.count());
    }

    /** Whether a volume can be used on a node. */
    static boolean reaches(Node node, PersistentVolume volume) {
        return volume.spec()
                .nodeAffinity()
                .map(affinity -> affinity.matches(node.metadata().labels()))
                .orElse(true);
    }
}
