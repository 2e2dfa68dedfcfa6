// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.node;

import dev.mooring.plugin.csi.driver.CsiVolumeSource;
import dev.mooring.plugin.csi.driver.LiveObjects;
import dev.mooring.plugin.csi.driver.SecretTexts;
import dev.mooring.runtime.plugin.DriverTokens;
import dev.mooring.storage.model.AttachmentNames;
import dev.mooring.storage.model.CSIDriver;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.VolumeMode;
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
    private final PodTokenTexts tokens;

    /**
     * Reads a cluster.
     *
     * @param node the name of this node
     * @param tokens makes the tokens of service accounts that drivers ask for
     */
    public PodContext(ClusterStore store, String node, DriverTokens tokens) {
        this.objects = new LiveObjects(store);
        this.node = node;
        this.tokens = new PodTokenTexts(tokens);
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
     * @param tokens what the attributes or the secrets have of the pod's service account
     */
    record Given(Map<String, String> attached, Map<String, String> attributes, PodTokenTexts.Texts tokens) {
        /** The attributes, with the tokens if the driver wants them there. */
        Map<String, String> context() {
            return tokens.inSecrets() ? attributes : tokens.addedTo(attributes);
        }

        /** A text without the tokens. */
        String hide(String text) {
            return tokens.each().hide(tokens.all().hide(text));
        }

        /** A Secret's texts, with the tokens if the driver wants them there. */
        SecretTexts secrets(SecretTexts read) {
            return tokens.inSecrets() ? SecretTexts.of(tokens.addedTo(read.reveal())) : read;
        }
    }

    /** What a publish call is given for a pod; deferred while the cluster does not show it. */
    Outcome<Given> given(CsiVolumeSource source, PodRef pod, boolean ephemeral, VolumeMode mode) {
        return objects.find(Kinds.CSI_DRIVER, ObjectKey.cluster(source.driver()))
                .then(driver -> attached(source, driver, ephemeral)
                        .then(attached -> attributes(source, driver, pod, ephemeral)
                                .then(attributes -> tokens(driver, pod, mode)
                                        .map(texts -> new Given(attached, attributes, texts)))));
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

    /** A block device's driver gets none, as the kubelet's. */
    private Outcome<PodTokenTexts.Texts> tokens(Optional<CSIDriver> driver, PodRef pod, VolumeMode mode) {
        return driver.filter(found -> mode == VolumeMode.FILESYSTEM
                        && !found.spec().tokenRequests().isEmpty())
                .map(found -> pod(pod).then(known -> tokens.of(found, pod, account(known))))
                .orElseGet(() -> Outcome.done(PodTokenTexts.Texts.NONE));
    }

    private static String account(Pod pod) {
        String account = pod.spec().serviceAccountName();
        return account.isEmpty() ? "default" : account;
    }

    private Outcome<Pod> pod(PodRef pod) {
        return objects.find(Kinds.POD, ObjectKey.of(pod.namespace(), pod.name()))
                .then(found -> found.filter(known -> known.metadata().uid().equals(pod.uid()))
                        .map(Outcome::done)
                        .orElseGet(() -> Outcome.deferred("pod \"" + pod + "\" not found")));
    }

    private Outcome<Map<String, String>> withPod(CsiVolumeSource source, PodRef pod, boolean ephemeral) {
        return pod(pod).map(known -> {
            Map<String, String> all = new TreeMap<>(source.attributes());
            all.put(PREFIX + "pod.name", pod.name());
            all.put(PREFIX + "pod.namespace", pod.namespace());
            all.put(PREFIX + "pod.uid", pod.uid());
            all.put(PREFIX + "serviceAccount.name", known.spec().serviceAccountName());
            all.put(PREFIX + "ephemeral", Boolean.toString(ephemeral));
            return all;
        });
    }
}
