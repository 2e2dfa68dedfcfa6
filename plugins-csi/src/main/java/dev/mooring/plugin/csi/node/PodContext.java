// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.node;

import dev.mooring.plugin.csi.driver.CsiVolumeSource;
import dev.mooring.plugin.csi.driver.LiveObjects;
import dev.mooring.storage.model.AttachmentNames;
import dev.mooring.storage.model.CSIDriver;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.store.ClusterStore;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a publish call takes from the cluster beside the volume: what its attachment said, and what the driver wants to know of the pod
 * (semantics/csi §6.1, §6.7). Read live. The volume's own attributes are copied, never changed. Thread-safe.
 */
public final class PodContext {
    private static final String PREFIX = "csi.storage.k8s.io/";

    private final LiveObjects objects;
    private final String node;

    /**
     * Reads a cluster.
     *
     * @param node the name of this node
     */
    public PodContext(ClusterStore store, String node) {
        this.objects = new LiveObjects(store);
        this.node = node;
    }

    /** The name of this node. */
    String node() {
        return node;
    }

    /** The name of a volume's attachment to this node. */
    String attachmentName(CsiVolumeSource source) {
        return AttachmentNames.of(source.handle(), source.driver(), node);
    }

    /**
     * What a publish call is given.
     *
     * @param attached what the driver's controller said when it attached the volume to this node; empty where volumes are not attached
     * @param attributes the volume's attributes, with what the driver's CSIDriver object asks for
     */
    record Given(Map<String, String> attached, Map<String, String> attributes) {}

    /** What a publish call is given for a pod; deferred while the cluster does not show it. */
    Outcome<Given> given(CsiVolumeSource source, PodRef pod, boolean ephemeral) {
        return objects.find(Kinds.CSI_DRIVER, ObjectKey.cluster(source.driver()))
                .then(driver -> attached(source, driver, ephemeral)
                        .then(attached -> attributes(source, driver, pod, ephemeral)
                                .map(attributes -> new Given(attached, attributes))));
    }

    private Outcome<Map<String, String>> attached(
            CsiVolumeSource source, Optional<CSIDriver> driver, boolean ephemeral) {
        if (ephemeral || !isAttached(driver)) {
            return Outcome.done(Map.of());
        }
        String name = attachmentName(source);
        return objects.find(Kinds.VOLUME_ATTACHMENT, ObjectKey.cluster(name))
                .then(found -> found.map(
                                attachment -> Outcome.done(attachment.status().attachmentMetadata()))
                        .orElseGet(() -> Outcome.deferred("volumeattachment \"" + name
                                + "\" not found; the volume waits until it is attached to this node")));
    }

    private static boolean isAttached(Optional<CSIDriver> driver) {
        return driver.flatMap(found -> found.spec().attachRequired()).orElse(true);
    }

    private Outcome<Map<String, String>> attributes(
            CsiVolumeSource source, Optional<CSIDriver> driver, PodRef pod, boolean ephemeral) {
        return driver.flatMap(found -> found.spec().podInfoOnMount()).orElse(false)
                ? withPod(source, pod, ephemeral)
                : Outcome.done(source.attributes());
    }

    private Outcome<Map<String, String>> withPod(CsiVolumeSource source, PodRef pod, boolean ephemeral) {
        return objects.find(Kinds.POD, ObjectKey.of(pod.namespace(), pod.name()))
                .then(found -> found.filter(known -> known.metadata().uid().equals(pod.uid()))
                        .map(known -> {
                            Map<String, String> all = new TreeMap<>(source.attributes());
                            all.put(PREFIX + "pod.name", pod.name());
                            all.put(PREFIX + "pod.namespace", pod.namespace());
                            all.put(PREFIX + "pod.uid", pod.uid());
                            all.put(PREFIX + "serviceAccount.name", known.spec().serviceAccountName());
                            all.put(PREFIX + "ephemeral", Boolean.toString(ephemeral));
                            return Outcome.done(all);
                        })
                        .orElseGet(() -> Outcome.deferred("pod \"" + pod + "\" not found")));
    }
}
