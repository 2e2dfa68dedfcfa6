// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.binder.placement.NodeChoice;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.plugin.AttributesClasses;
import dev.mooring.runtime.plugin.ContentSources;
import dev.mooring.runtime.plugin.ProvisionRequests;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.spi.ContentSource;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.Provisioning;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The finalizer {@code mooring.dev/provisioning} on a claim: a plugin was asked to make storage for it, and no volume stands for that yet
 * (D15). So neither a crash nor the end of the claim leaves unknown storage behind (upstream: external-provisioner #486 and
 * others).
 *
 * <p>A claim that will never use such storage is settled here. If this process does not know whether there is any, it is made for certain,
 * since making it once more gives the same storage, and then destroyed through a volume.
 */
final class ProvisioningIntent {
    private final BinderContext context;
    private final ProvisionedStorage storage;

    ProvisioningIntent(BinderContext context, ProvisionedStorage storage) {
        this.context = context;
        this.storage = storage;
    }

    /** Whether the claim has a volume that is not the one that would be made for it. */
    static boolean isNeedless(PersistentVolumeClaim claim) {
        String volume = claim.spec().volumeName();
        return isOpen(claim) && !volume.isEmpty() && !volume.equals(ClaimProvisioning.volumeName(claim));
    }

    static boolean isOpen(PersistentVolumeClaim claim) {
        return claim.metadata().hasFinalizer(Finalizers.PROVISIONING);
    }

    Decision settle(PersistentVolumeClaim claim, ClaimState state, Situation situation) {
        boolean stoodFor = BinderContext.volume(situation.caches(), context.volumeName(claim))
                .isPresent();
        if (state.made().isPresent()) {
            return storage.createOrphan(ObjectKey.of(claim), state, situation);
        }
        if (!isOpen(claim)) {
            return Decision.nothing().withState(state.kept());
        }
        if (stoodFor || state.storage().surelyNone()) {
            return close(claim, state);
        }
        Optional<Duration> wait = situation.backoff(BinderOperations.PROVISION);
        if (wait.isPresent()) {
            return Decision.remember(state).wakeAfter(wait.get());
        }
        return makeForCertain(claim, state, situation);
    }

    private Decision makeForCertain(PersistentVolumeClaim claim, ClaimState state, Situation situation) {
        Optional<StorageClass> storageClass = BinderContext.classOf(situation.caches(), claim);
        Optional<StoragePlugin> plugin =
                storageClass.flatMap(known -> context.plugins().named(known.provisioner()));
        Optional<Provisioning> capability = plugin.flatMap(known -> known.capability(Provisioning.class));
        if (storageClass.isEmpty() || plugin.isEmpty() || capability.isEmpty()) {
            return unknown(claim, state, "its storage class, or the plugin of that class, does not exist any more");
        }
        Outcome<ClaimStorage.Made> planned = AttributesClasses.wanted(claim, plugin.get(), situation.caches())
                .then(attributes -> ContentSources.wanted(claim, plugin.get(), true, situation.caches())
                        .then(content ->
                                planned(claim, storageClass.get(), attributes, content, capability.get(), situation)));
        return planned.result()
                .map(made -> unlessThere(plugin.get(), made, state, situation))
                .orElseGet(() -> unknown(claim, state, planned.message()));
    }

    private Outcome<ClaimStorage.Made> planned(
            PersistentVolumeClaim claim,
            StorageClass storageClass,
            Map<String, String> attributes,
            Optional<ContentSource> content,
            Provisioning capability,
            Situation situation) {
        Optional<NodeRef> node = NodeChoice.selected(situation.caches(), claim);
        ProvisionRequest request = ProvisionRequests.of(
                        claim, storageClass, attributes, context.volumeName(claim), node)
                .withNodeLabels(NodeChoice.labelsOf(situation.caches(), node))
                .withContent(content);
        return capability
                .plan(request)
                .map(plan -> new ClaimStorage.Made(
                        storageClass.provisioner(), request, plan, ClaimStorage.Certainty.UNTOLD));
    }

    private static Decision unlessThere(
            StoragePlugin plugin, ClaimStorage.Made planned, ClaimState state, Situation situation) {
        boolean confirmed = situation
                .resultOf(BinderOperations.FIND_PROVISIONED)
                .flatMap(EffectResult::storeFailure)
                .filter(Failure.NOT_FOUND::equals) // a read that failed proves nothing
                .isPresent();
        return confirmed
                ? Decision.act(PluginProvisioning.call(plugin, planned)).withState(state)
                : Decision.act(new Effect.Read<>(
                                BinderOperations.FIND_PROVISIONED,
                                Kinds.PERSISTENT_VOLUME,
                                ObjectKey.cluster(planned.request().volumeName())))
                        .withState(state);
    }

    private static Decision unknown(PersistentVolumeClaim claim, ClaimState state, String why) {
        String message = "It is unknown whether storage was made for claim " + ObjectKey.of(claim) + ": " + why
                + ". Please delete manually.";
        return close(claim, state).and(BinderEvents.warning(claim, "ProvisioningCleanupFailed", message));
    }

    private static Decision close(PersistentVolumeClaim claim, ClaimState state) {
        PersistentVolumeClaim closed = claim.withMetadata(claim.metadata().withoutFinalizer(Finalizers.PROVISIONING));
        return Decision.act(new Effect.Update<>(
                        BinderOperations.CLOSE_INTENT, Kinds.PERSISTENT_VOLUME_CLAIM, new Change<>(claim, closed)))
                .withState(state.idle().kept());
    }
}
