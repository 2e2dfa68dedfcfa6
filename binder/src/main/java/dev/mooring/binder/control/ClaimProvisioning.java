// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.binder.BinderRule;
import dev.mooring.binder.BinderSwitch;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Provisioners;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.StorageClasses;
import dev.mooring.storage.model.TypedObjectReference;
import dev.mooring.storage.spi.Provisioning;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.store.Change;
import java.util.List;
import java.util.Optional;

/** A claim of a class, without a volume that fits: new storage, by us or by an external provisioner (semantics/binder §1.10). */
final class ClaimProvisioning {
    private static final String FAILED = "ProvisioningFailed";

    /** API groups and kinds of what a provisioner fills volumes from; the core group has no name. */
    private static final List<String> SOURCES_OF_PROVISIONERS =
            List.of("/PersistentVolumeClaim", "snapshot.storage.k8s.io/VolumeSnapshot");

    private final BinderContext context;
    private final PluginProvisioning byPlugin;

    ClaimProvisioning(BinderContext context) {
        this.context = context;
        this.byPlugin = new PluginProvisioning(context);
    }

    Decision decide(
            PersistentVolumeClaim claim, Optional<StorageClass> storageClass, ClaimState state, Situation situation) {
        if (!context.options().has(BinderSwitch.DYNAMIC_PROVISIONING)) {
            return Decision.remember(state.by(BinderRule.PROVISIONING_DISABLED)); // P0
        }
        if (storageClass.isEmpty()) {
            return unmatched(
                    claim,
                    state.by(BinderRule.PROVISIONER_MISSING),
                    "storageclass.storage.k8s.io \""
                            + StorageClasses.nameOf(claim).orElse("") + "\" not found"); // P1
        }
        String provisioner = storageClass.get().provisioner();
        Optional<String> driver = context.options().migrated().driverOf(provisioner);
        if (driver.isPresent()) {
            return external(
                    claim,
                    provisioner,
                    driver.get(),
                    state.by(BinderRule.EXTERNAL_PROVISIONER)); // PE, under the name of the CSI driver
        }
        Optional<StoragePlugin> plugin = context.plugins()
                .named(provisioner)
                .filter(known -> known.capability(Provisioning.class).isPresent());
        if (plugin.isEmpty()) {
            return Provisioners.isInTree(provisioner)
                    ? unmatched(
                            claim,
                            state.by(BinderRule.PROVISIONER_MISSING),
                            "no volume plugin matched name: " + provisioner) // P1
                    : external(claim, provisioner, provisioner, state.by(BinderRule.EXTERNAL_PROVISIONER)); // PE
        }
        Optional<TypedObjectReference> populator = populator(claim);
        return populator.isPresent()
                ? handOver(claim, populator.get(), state.by(BinderRule.EXTERNAL_POPULATOR)) // X6
                : byPlugin.decide(
                        claim,
                        storageClass.get(),
                        plugin.get(),
                        state.by(BinderRule.PLUGIN_PROVISIONS),
                        situation); // PI
    }

    /** What does not fit about the volumes that there are is told once: a changed counter causes no event (D13). */
    private Decision unmatched(PersistentVolumeClaim claim, ClaimState state, String words) {
        Decision decision = Decision.remember(state.telling(words));
        return words.equals(state.told())
                ? decision
                : decision.and(BinderEvents.warning(
                        claim,
                        FAILED,
                        FailedBindingText.behind(
                                words, context.indexes().volumes().summary(claim))));
    }

    /** The source of a claim's data that only an external populator knows: neither a claim nor a snapshot. */
    private static Optional<TypedObjectReference> populator(PersistentVolumeClaim claim) {
        return claim.spec()
                .dataSourceRef()
                .filter(source -> !SOURCES_OF_PROVISIONERS.contains(source.apiGroup() + "/" + source.kind()));
    }

    private static Decision handOver(PersistentVolumeClaim claim, TypedObjectReference source, ClaimState state) {
        return told(
                claim,
                state,
                "Provisioning",
                "Assuming an external populator will provision the volume from " + source.kind() + " " + source.name());
    }

    // ---- PE: an external provisioner makes it ----

    private Decision external(PersistentVolumeClaim claim, String provisioner, String name, ClaimState state) {
        Decision decision = told(
                claim,
                state,
                "ExternalProvisioning",
                "Waiting for a volume to be created either by the external provisioner '" + name
                        + "' or manually by the system administrator. If volume creation is delayed, please verify that"
                        + " the provisioner is running and correctly registered.");
        Optional<Effect> asking = askProvisioner(context, claim, claim.metadata(), name, provisioner);
        return asking.isPresent() ? decision.and(asking.get()) : decision;
    }

    /**
     * Asks a plugin of ours.
     *
     * @param guarded whether there may be storage from now on that no volume stands for, so that the claim may not vanish (D15)
     */
    static Optional<Effect> askPlugin(
            BinderContext context, PersistentVolumeClaim claim, String provisioner, boolean guarded) {
        ObjectMeta metadata = claim.metadata();
        boolean guard = guarded && !metadata.hasFinalizer(Finalizers.PROVISIONING) && !metadata.isDeleting();
        return askProvisioner(
                context,
                claim,
                guard ? metadata.withFinalizer(Finalizers.PROVISIONING) : metadata,
                provisioner,
                provisioner);
    }

    /**
     * Asks a provisioner by the two annotations.
     *
     * @param name the provisioner that is to act: of a migrated plugin its CSI driver, which looks for its own name
     * @param provisioner the name in the class, by which is known what has been migrated
     */
    private static Optional<Effect> askProvisioner(
            BinderContext context, PersistentVolumeClaim claim, ObjectMeta edited, String name, String provisioner) {
        ObjectMeta metadata = context.isBesideAnother()
                ? edited // it has asked already
                : context.migration()
                        .marked(
                                edited.withAnnotation(Annotations.STORAGE_PROVISIONER, name)
                                        .withAnnotation(Annotations.BETA_STORAGE_PROVISIONER, name),
                                Optional.of(provisioner));
        return metadata.equals(claim.metadata())
                ? Optional.empty()
                : Optional.of(new Effect.Update<>(
                        BinderOperations.ASK_PROVISIONER,
                        Kinds.PERSISTENT_VOLUME_CLAIM,
                        new Change<>(claim, claim.withMetadata(metadata))));
    }

    // ---- events ----

    static String volumeName(PersistentVolumeClaim claim) {
        return "pvc-" + claim.metadata().uid();
    }

    static String failureMessage(String className, String why) {
        return "Failed to provision volume with StorageClass \"" + className + "\": " + why;
    }

    private static Decision told(PersistentVolumeClaim claim, ClaimState state, String reason, String message) {
        Decision decision = Decision.remember(state.telling(message));
        return message.equals(state.told()) ? decision : decision.and(BinderEvents.normal(claim, reason, message));
    }

    /** Nothing can be made now: an event says so once, and the claim waits. The status stays as it is (U7). */
    static Decision failed(PersistentVolumeClaim claim, ClaimState state, String message) {
        Decision decision = Decision.remember(state.telling(message));
        return message.equals(state.told()) ? decision : decision.and(BinderEvents.warning(claim, FAILED, message));
    }
}
