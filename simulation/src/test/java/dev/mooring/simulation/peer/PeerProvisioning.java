// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.peer;

import dev.mooring.binder.calls.DeleteCall;
import dev.mooring.binder.calls.ProvisionCall;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.plugin.ProvisionRequests;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeSpec;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.Provisioning;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.VolumeTemplate;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * provisionClaim (semantics/binder §1.10) for plugins of the same process: what is under way is known in memory alone, the volume object
 * is created five times, and what could not be created is destroyed again.
 */
final class PeerProvisioning {
    private static final String FIND = "find-provisioned";
    private static final String PROVISION = "provision";
    private static final String CREATE = "create-volume";
    private static final String CLEAN_UP = "clean-up";
    private static final int TRIES = 5;
    private static final Duration PAUSE = Duration.ofSeconds(10);

    private final PluginRegistry plugins;
    private final boolean keeps;

    PeerProvisioning(PluginRegistry plugins, Set<OldRule> old) {
        this.plugins = plugins;
        this.keeps = !old.contains(OldRule.NOTHING_KEEPS_A_VOLUME);
    }

    /** Storage that was made, whose volume object is still to be created; lost when the process dies. */
    record Made(PersistentVolume volume, PluginName plugin, int tries) implements KeyState {}

    /** Whether there is nothing more to do about what was made. */
    static boolean isThrough(Situation situation) {
        return situation.resultOf(CREATE).filter(PeerProvisioning::isThere).isPresent()
                || situation.resultOf(CLEAN_UP).isPresent();
    }

    /** Goes on with what was made, also if its claim has gone meanwhile. */
    Decision goOn(Made made, Situation situation) {
        Optional<EffectResult> created = situation.resultOf(CREATE);
        if (created.isPresent()) {
            Made again = new Made(made.volume(), made.plugin(), made.tries() + 1);
            return Decision.remember(again).wakeAfter(PAUSE);
        }
        if (made.tries() >= TRIES) {
            VolumeSpec asset = VolumeSpec.of(made.volume()).orElseThrow();
            return Decision.act(new Effect.Perform(
                            CLEAN_UP,
                            new DeleteCall(made.plugin(), asset),
                            Optional.empty(),
                            Defaults.RECLAIM_TIME_LIMIT))
                    .withState(made);
        }
        return Decision.act(new Effect.Create<>(CREATE, Kinds.PERSISTENT_VOLUME, made.volume()))
                .withState(made);
    }

    private static boolean isThere(EffectResult created) {
        return created.succeeded() || created.storeFailure().equals(Optional.of(Failure.ALREADY_EXISTS));
    }

    Decision decide(PersistentVolumeClaim claim, StorageClass storageClass, Situation situation) {
        String provisioner = storageClass.provisioner();
        PersistentVolumeClaim asked = claim.withMetadata(claim.metadata()
                .withAnnotation(Annotations.STORAGE_PROVISIONER, provisioner)
                .withAnnotation(Annotations.BETA_STORAGE_PROVISIONER, provisioner));
        if (!asked.equals(claim)) {
            return Decision.act(PeerWrites.update("ask-provisioner", claim, asked));
        }
        Optional<Provisioning> plugin =
                plugins.named(provisioner).flatMap(found -> found.capability(Provisioning.class));
        if (plugin.isEmpty()) {
            return Decision.nothing(); // another provisioner's
        }
        String name = "pvc-" + claim.metadata().uid();
        ProvisionRequest request = ProvisionRequests.of(claim, storageClass, Map.of(), name, Optional.empty());
        VolumeTemplate plan = plugin.get().plan(request).result().orElseThrow();
        PluginName pluginName =
                plugins.named(provisioner).orElseThrow().describe().name();
        Optional<EffectResult> provisioned = situation.resultOf(PROVISION);
        if (provisioned.isPresent()) {
            return provisioned.get().succeeded()
                    ? goOn(new Made(volume(claim, provisioner, request, plan), pluginName, 0), situation)
                    : Decision.act(PeerClaims.warning(
                            claim, "ProvisioningFailed", provisioned.get().message()));
        }
        Optional<EffectResult> found = situation.resultOf(FIND);
        if (found.isEmpty()) {
            return Decision.act(new Effect.Read<>(FIND, Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(name)));
        }
        return found.get().succeeded()
                ? Decision.nothing()
                : Decision.act(new Effect.Perform(
                        PROVISION,
                        new ProvisionCall(pluginName, request, plan),
                        Optional.empty(),
                        Defaults.RECLAIM_TIME_LIMIT));
    }

    private PersistentVolume volume(
            PersistentVolumeClaim claim, String provisioner, ProvisionRequest request, VolumeTemplate plan) {
        ObjectMeta metadata = ObjectMeta.named(request.volumeName())
                .withAnnotations(plan.annotations())
                .withAnnotation(Annotations.BOUND_BY_CONTROLLER, "yes")
                .withAnnotation(Annotations.PROVISIONED_BY, provisioner)
                .withFinalizers(
                        keeps && request.reclaimPolicy() == ReclaimPolicy.DELETE
                                ? List.of(Finalizers.PV_CONTROLLER)
                                : List.of());
        PersistentVolumeSpec spec = PersistentVolumeSpec.EMPTY
                .withStorage(plan.capacity())
                .withAccessModes(request.accessModes())
                .withClaimRef(Optional.of(PeerWrites.reference(claim)))
                .withPersistentVolumeReclaimPolicy(request.reclaimPolicy())
                .withStorageClassName(Optional.of(request.className()))
                .withVolumeMode(Optional.of(request.mode()))
                .withNodeAffinity(plan.nodeAffinity())
                .withSource(Optional.of(plan.source()));
        return PersistentVolume.of(metadata, spec);
    }
}
