// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.snapshot.Snapshot;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.model.VolumeAttachmentSource;
import dev.mooring.storage.model.VolumeAttachmentSpec;
import dev.mooring.storage.model.VolumeAttachmentStatus;
import dev.mooring.storage.model.VolumeBindingMode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.provider.Arguments;

/** Situations, what is explained of them, and some objects that only explanations need. */
abstract class ExplainerWorld {
    static final VolumeBindingMode NOW = VolumeBindingMode.IMMEDIATE;
    static final VolumeBindingMode LATER = VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER;

    static Arguments row(String situation, List<KubernetesObject> objects, String text, CauseCode... codes) {
        return Arguments.of(situation, objects, text, List.of(codes));
    }

    static List<KubernetesObject> with(KubernetesObject... objects) {
        return List.of(objects);
    }

    static Explanation claim(List<KubernetesObject> objects) {
        return explainer()
                .claim(snapshot(objects), ObjectKey.of("default", "data"))
                .orElseThrow();
    }

    static Explainer explainer() {
        return new Explainer(BinderOptions.DEFAULT, PluginRegistry.EMPTY);
    }

    static Snapshot snapshot(List<KubernetesObject> objects) {
        return Snapshot.of(objects, ExplainedObjects.START.plus(Duration.ofHours(1)));
    }

    static PersistentVolume inUse(String name) {
        return ExplainedObjects.in(
                ExplainedObjects.claimedBy(ExplainedObjects.volume(name, "8Gi"), "user", ExplainedObjects.OTHER_UID),
                PersistentVolumePhase.BOUND);
    }

    static PersistentVolume owned(String name) {
        return ExplainedObjects.in(
                ExplainedObjects.claimedBy(ExplainedObjects.volume(name, "1Gi"), "data", ExplainedObjects.UID),
                PersistentVolumePhase.BOUND);
    }

    static VolumeAttachment attachment(String volume, String driver, String node) {
        return new VolumeAttachment(
                ObjectMeta.named("csi-" + volume),
                new VolumeAttachmentSpec(
                        driver, node, new VolumeAttachmentSource(Optional.of(volume), Optional.empty())),
                VolumeAttachmentStatus.EMPTY);
    }
}
