// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.node;

import dev.mooring.plugin.csi.driver.CsiVolumeSource;
import dev.mooring.storage.model.AttachmentNames;
import dev.mooring.storage.model.CSIDriver;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.StoreResult.Failure;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a publish call takes from the cluster beside the volume: what its attachment said, and what the driver wants to know of the pod
 * (semantics/csi §6.1, §6.7). Read live. The volume's own attributes are copied, never changed. Thread-safe.
 */
public final class PodContext {
    private static final String PREFIX = "csi.storage.k8s.io/";

    private final ClusterStore store;
    private final String node;

    /**
     * Reads a cluster.
     *
     * @param node the name of this node
     */
    public PodContext(ClusterStore store, String node) {
        this.store = store;
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

    /** What the driver's controller said when it attached a volume to this node; nothing where volumes are not attached. */
    Outcome<Map<String, String>> publishContext(CsiVolumeSource source, boolean ephemeral) {
        if (ephemeral) {
            return Outcome.done(Map.of());
        }
        return driver(source.driver())
                .then(driver -> isAttached(driver)
                        ? find(Kinds.VOLUME_ATTACHMENT, ObjectKey.cluster(attachmentName(source)))
                                .then(found -> found.map(attachment ->
                                                Outcome.done(attachment.status().attachmentMetadata()))
                                        .orElseGet(() -> Outcome.deferred("volumeattachment \""
                                                + attachmentName(source) + "\" not found; the volume waits until it is"
                                                + " attached to this node")))
                        : Outcome.done(Map.of()));
    }

    private static boolean isAttached(Optional<CSIDriver> driver) {
        return driver.flatMap(found -> found.spec().attachRequired()).orElse(true);
    }

    /** The volume's attributes, with what the driver's CSIDriver object asks for. */
    Outcome<Map<String, String>> volumeContext(CsiVolumeSource source, PodRef pod, boolean ephemeral) {
        return driver(source.driver())
                .then(driver ->
                        driver.flatMap(found -> found.spec().podInfoOnMount()).orElse(false)
                                ? withPod(source, pod, ephemeral)
                                : Outcome.done(source.attributes()));
    }

    private Outcome<Map<String, String>> withPod(CsiVolumeSource source, PodRef pod, boolean ephemeral) {
        return find(Kinds.POD, ObjectKey.of(pod.namespace(), pod.name()))
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

    private Outcome<Optional<CSIDriver>> driver(String name) {
        return find(Kinds.CSI_DRIVER, ObjectKey.cluster(name));
    }

    private <T extends KubernetesObject> Outcome<Optional<T>> find(Kind<T> kind, ObjectKey key) {
        return store.get(kind, key)
                .match(
                        found -> Outcome.done(Optional.of(found)),
                        failed -> failed.reason() == Failure.NOT_FOUND
                                ? Outcome.done(Optional.empty())
                                : Outcome.deferred(failed.message()));
    }
}
