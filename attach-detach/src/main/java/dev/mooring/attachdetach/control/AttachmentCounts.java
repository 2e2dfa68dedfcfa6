// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.VolumeAttachment;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What is wanted and what is attached, counted (semantics/attach-and-mount §1.14). A plugin of this process goes by its name, a CSI
 * driver by {@code kubernetes.io/csi:<driver>}.
 *
 * @param wantedByNode how many attachments pods want, by node and plugin
 * @param wanted the same by plugin
 * @param attached how many attachments there are in whatever phase, by plugin
 */
public record AttachmentCounts(Map<At, Long> wantedByNode, Map<String, Long> wanted, Map<String, Long> attached) {
    /**
     * Where and whose.
     *
     * @param node the node
     * @param plugin the plugin
     */
    public record At(String node, String plugin) {}

    /** Counts. */
    public static AttachmentCounts of(Caches caches, PluginRegistry plugins) {
        PodResolver resolver = new PodResolver(plugins);
        Map<At, Long> byNode = new TreeMap<>(Comparator.comparing(At::node).thenComparing(At::plugin));
        Map<String, Long> wanted = new TreeMap<>();
        Set<String> seen = new HashSet<>();
        caches.of(Kinds.POD)
                .all()
                .forEach(pod -> resolver.resolve(pod, Optional.empty(), caches).map(DesiredByPod::wants).stream()
                        .flatMap(List::stream)
                        .filter(want -> seen.add(want.attachment()))
                        .forEach(want -> {
                            byNode.merge(new At(want.node(), pluginOf(want.volume())), 1L, Long::sum);
                            wanted.merge(pluginOf(want.volume()), 1L, Long::sum);
                        }));
        Map<String, Long> attached = new TreeMap<>();
        caches.of(Kinds.VOLUME_ATTACHMENT)
                .all()
                .forEach(attachment -> attached.merge(pluginOf(attachment), 1L, Long::sum));
        return new AttachmentCounts(byNode, wanted, attached);
    }

    private static String pluginOf(Attachable volume) {
        return volume.id().map(id -> id.plugin().value()).orElse("kubernetes.io/csi:" + volume.owner());
    }

    private static String pluginOf(VolumeAttachment attachment) {
        return AttachmentAnnotations.of(attachment)
                .flatMap(AttachmentAnnotations::id)
                .map(id -> id.plugin().value())
                .orElse("kubernetes.io/csi:" + attachment.spec().attacher());
    }

    /** Why an effect begins a detachment by force; empty if it does not. */
    public static Optional<String> forcedBy(Effect effect) {
        if (effect instanceof Effect.Delete<?> delete) {
            return Optional.of(delete.operation())
                    .filter(operation -> operation.startsWith(AttachmentOperations.FORCE_DETACH))
                    .map(operation -> operation.substring(AttachmentOperations.FORCE_DETACH.length()));
        }
        return effect instanceof Effect.Update<?> update
                        && update.operation().equals(AttachmentOperations.BEGIN_DETACH)
                        && update.change().edited() instanceof VolumeAttachment attachment
                ? AttachmentAnnotations.of(attachment)
                        .map(AttachmentAnnotations::evidence)
                        .filter(evidence -> evidence != ForceDetachEvidence.NONE)
                        .map(ForceDetachEvidence::word)
                : Optional.empty();
    }
}
