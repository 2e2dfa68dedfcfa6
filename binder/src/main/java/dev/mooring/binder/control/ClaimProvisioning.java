// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.binder.calls.ProvisionCall;
import dev.mooring.binder.index.Awaited;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.control.Target;
import dev.mooring.runtime.plugin.ProvisionRequests;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.StorageClasses;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.Provisioning;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeTemplate;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.StoreResult.Failure;
import java.util.Optional;

/** A claim of a class, without a volume that fits: new storage, by us or by somebody else (semantics/binder §1.10). */
final class ClaimProvisioning {
    private static final String KUBERNETES = "kubernetes.io/";
    private static final String FAILED = "ProvisioningFailed";

    private final BinderContext context;
    private final NodeProvisioning onNode = new NodeProvisioning();

    ClaimProvisioning(BinderContext context) {
        this.context = context;
    }

    Decision decide(
            PersistentVolumeClaim claim, Optional<StorageClass> storageClass, ClaimState state, Situation situation) {
        if (!context.options().enableDynamicProvisioning()) {
            return Decision.remember(state); // P0
        }
        if (storageClass.isEmpty()) {
            return failed(
                    claim,
                    state,
                    "storageclass.storage.k8s.io \""
                            + StorageClasses.nameOf(claim).orElse("") + "\" not found"); // P1
        }
        String provisioner = storageClass.get().provisioner();
        Optional<Provisioning> capability =
                context.plugins().named(provisioner).flatMap(plugin -> plugin.capability(Provisioning.class));
        if (capability.isEmpty()) {
            return provisioner.startsWith(KUBERNETES)
                    ? failed(claim, state, "no volume plugin matched name: " + provisioner) // P1
                    : external(claim, provisioner, state); // PE
        }
        return inProcess(claim, storageClass.get(), capability.get(), state, situation); // PI
    }

    // ---- PE: somebody else makes it ----

    private static Decision external(PersistentVolumeClaim claim, String provisioner, ClaimState state) {
        String message = "Waiting for a volume to be created either by the external provisioner '" + provisioner
                + "' or manually by the system administrator. If volume creation is delayed, please verify that the"
                + " provisioner is running and correctly registered.";
        Decision decision = Decision.remember(state.telling(message));
        if (!message.equals(state.told())) {
            decision = decision.and(BinderEvents.normal(claim, "ExternalProvisioning", message));
        }
        Optional<Effect> asking = askProvisioner(claim, provisioner);
        return asking.isPresent() ? decision.and(asking.get()) : decision;
    }

    private static Optional<Effect> askProvisioner(PersistentVolumeClaim claim, String provisioner) {
        ObjectMeta metadata = claim.metadata()
                .withAnnotation(Annotations.STORAGE_PROVISIONER, provisioner)
                .withAnnotation(Annotations.BETA_STORAGE_PROVISIONER, provisioner);
        return metadata.equals(claim.metadata())
                ? Optional.empty()
                : Optional.of(new Effect.Update<>(
                        Operations.ASK_PROVISIONER,
                        Kinds.PERSISTENT_VOLUME_CLAIM,
                        new Change<>(claim, claim.withMetadata(metadata))));
    }

    // ---- PI: a plugin of ours makes it ----

    private Decision inProcess(
            PersistentVolumeClaim claim,
            StorageClass storageClass,
            Provisioning capability,
            ClaimState state,
            Situation situation) {
        String provisioner = storageClass.provisioner();
        StoragePlugin plugin = context.plugins().named(provisioner).orElseThrow();
        if (claim.spec().dataSource().isPresent()
                || claim.spec().dataSourceRef().isPresent()) {
            return failed(
                    claim,
                    state,
                    "plugin " + provisioner
                            + " is not a CSI plugin. Only CSI plugin can provision a claim with a datasource");
        }
        if (!storageClass.mountOptions().isEmpty() && !plugin.describe().supportsMountOptions()) {
            return failed(
                    claim,
                    state,
                    "Mount options are not supported by the provisioner but StorageClass \""
                            + storageClass.metadata().name() + "\" has mount options " + storageClass.mountOptions());
        }
        Optional<Effect> asking = askProvisioner(claim, provisioner);
        if (asking.isPresent()) {
            return Decision.act(asking.get()).withState(state);
        }
        boolean nodeHoldsData =
                plugin.describe().reclaimPlace() == Place.NODE && NodeChoice.hasNodes(situation.caches());
        Optional<NodeRef> node = nodeHoldsData ? NodeChoice.forNew(situation.caches(), claim) : Optional.empty();
        if (nodeHoldsData && node.isEmpty()) {
            Awaited nodes = state.awaited().orElse(Awaited.NOTHING).andNode();
            return failed(claim, state.waitingFor(nodes), "no ready node to provision on");
        }
        ProvisionRequest request = ProvisionRequests.of(claim, storageClass, volumeName(claim), node);
        Outcome<VolumeTemplate> plan = capability.plan(request);
        if (!plan.isDone()) {
            return failed(claim, state, failureMessage(storageClass.metadata().name(), plan.message()));
        }
        return perform(
                claim,
                plugin,
                new ClaimState.Made(provisioner, request, plan.result().orElseThrow(), false),
                state,
                situation);
    }

    private Decision perform(
            PersistentVolumeClaim claim,
            StoragePlugin plugin,
            ClaimState.Made planned,
            ClaimState state,
            Situation situation) {
        Optional<EffectResult> called = situation.resultOf(Operations.PROVISION);
        if (called.isPresent()) {
            return failed(
                            claim,
                            state,
                            failureMessage(
                                    planned.request().className(), called.get().message()))
                    .wakeAfter(situation.backoff(Operations.PROVISION).orElse(Defaults.BACKOFF_FIRST));
        }
        if (situation.backoff(Operations.PROVISION).isPresent()) {
            return Decision.remember(state)
                    .wakeAfter(situation.backoff(Operations.PROVISION).get());
        }
        Optional<EffectResult> looked = situation.resultOf(Operations.FIND_PROVISIONED);
        if (looked.filter(EffectResult::succeeded).isPresent()) {
            Awaited its = state.awaited().orElse(Awaited.NOTHING).andVolume(volumeName(claim)); // its end is what helps
            return failed(
                    claim,
                    state.waitingFor(its),
                    "volume " + volumeName(claim) + " exists, but does not fit the claim");
        }
        if (!looked.flatMap(EffectResult::storeFailure).equals(Optional.of(Failure.NOT_FOUND))) {
            // A volume of that name may exist although the cache does not show it yet: then there is nothing to make.
            return Decision.act(new Effect.Read<>(
                            Operations.FIND_PROVISIONED, Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(volumeName(claim))))
                    .withState(state);
        }
        if (planned.request().selectedNode().isPresent() && plugin.describe().reclaimPlace() == Place.NODE) {
            PersistentVolume volume = ProvisionedVolume.of(claim, planned, Optional.empty());
            return onNode.begin(volume, planned.request().selectedNode().get(), state);
        }
        return Decision.act(new Effect.Perform(
                        Operations.PROVISION,
                        new ProvisionCall(plugin.describe().name(), planned.request(), planned.template()),
                        Optional.of(new Target(planned.provisioner(), volumeName(claim))),
                        Defaults.RECLAIM_TIME_LIMIT))
                .withState(state);
    }

    // ---- what was made ----

    /**
     * Takes the answer of a call into the state, whatever else is decided now: storage that exists, or may exist, is not forgotten until a
     * volume object stands for it.
     */
    ClaimState rememberingWhatWasMade(ClaimState state, Situation situation) {
        ClaimState current = situation
                .resultOf(Operations.PROVISION)
                .flatMap(ClaimProvisioning::madeBy)
                .map(state::having)
                .orElse(state);
        boolean shown = current.made()
                .flatMap(made ->
                        BinderContext.volume(situation.caches(), made.request().volumeName()))
                .isPresent();
        return shown ? current.withoutMade() : current;
    }

    /** Whether the claim will never get what was made: it is another claim of that name, or has another volume. */
    static boolean isOrphaned(PersistentVolumeClaim claim, ClaimState state) {
        String volume = claim.spec().volumeName();
        return state.made()
                .filter(made ->
                        !made.request().claimUid().equals(claim.metadata().uid())
                                || (!volume.isEmpty()
                                        && !volume.equals(made.request().volumeName())))
                .isPresent();
    }

    /** Whether storage surely was made for the claim, and only its volume object is missing. */
    static boolean isWaitingForItsVolume(PersistentVolumeClaim claim, ClaimState state) {
        return state.made().filter(ClaimState.Made::certain).isPresent()
                && !claim.metadata().isDeleting();
    }

    static Decision createVolume(PersistentVolumeClaim claim, ClaimState state, Situation situation) {
        PersistentVolume volume = ProvisionedVolume.of(claim, state.made().orElseThrow(), Optional.empty());
        Optional<String> failure = situation
                .resultOf(Operations.CREATE_VOLUME)
                .filter(result -> !result.succeeded() && !isPassing(result))
                .map(result -> "Error creating provisioned PV object for claim " + ObjectKey.of(claim) + ": "
                        + result.message());
        Decision create = Decision.act(new Effect.Create<>(Operations.CREATE_VOLUME, Kinds.PERSISTENT_VOLUME, volume))
                .withState(state.telling(failure.orElse(state.told())));
        return failure.filter(message -> !message.equals(state.told())).isPresent()
                ? create.and(BinderEvents.warning(claim, FAILED, failure.get()))
                : create;
    }

    /** Whether the next try may well succeed: nothing that people have to know of. */
    private static boolean isPassing(EffectResult result) {
        return result.storeFailure()
                .filter(failure -> failure != Failure.INVALID && failure != Failure.FORBIDDEN)
                .isPresent();
    }

    /** A volume made for the claim is there: say so once, and forget what was only remembered until then. */
    Decision withNews(PersistentVolumeClaim claim, PersistentVolume volume, Decision decision, Situation situation) {
        // The answer may have been lost, or have said that it exists: what counts is that it is there now.
        boolean created = situation.resultOf(Operations.CREATE_VOLUME).isPresent();
        return created && !NodeProvisioning.isMarked(volume) ? decision.and(succeeded(claim, volume)) : decision;
    }

    static Effect succeeded(PersistentVolumeClaim claim, PersistentVolume volume) {
        return BinderEvents.normal(
                claim,
                "ProvisioningSucceeded",
                "Successfully provisioned volume " + volume.metadata().name() + " using "
                        + volume.metadata()
                                .annotation(Annotations.PROVISIONED_BY)
                                .orElse(""));
    }

    /** The volume is being made on a node. */
    Decision onNode(PersistentVolumeClaim claim, PersistentVolume volume, ClaimState state, Situation situation) {
        return onNode.decide(claim, volume, state, situation);
    }

    /** The claim has gone while its storage was being made: it gets its volume object all the same, to be deleted through it. */
    Decision claimGone(ObjectKey key, ClaimState state, Situation situation) {
        if (state.made().isEmpty()) {
            return Decision.nothing();
        }
        ClaimState.Made made = state.made().get();
        return Decision.act(new Effect.Create<>(
                        Operations.CREATE_VOLUME, Kinds.PERSISTENT_VOLUME, ProvisionedVolume.orphan(key, made)))
                .withState(ClaimState.NONE.having(made));
    }

    private static Optional<ClaimState.Made> madeBy(EffectResult result) {
        Effect.Perform perform = (Effect.Perform) result.effect();
        ProvisionCall call = (ProvisionCall) perform.call();
        String provisioner = call.plugin().value();
        Outcome<?> outcome = result.outcome().orElseThrow();
        return outcome.match(
                done -> Optional.of(
                        new ClaimState.Made(provisioner, call.request(), (VolumeTemplate) done.value(), true)),
                refused -> Optional.empty(),
                uncertain -> Optional.of(new ClaimState.Made(provisioner, call.request(), call.plan(), false)),
                deferred -> Optional.empty(),
                elsewhere -> Optional.empty());
    }

    static String volumeName(PersistentVolumeClaim claim) {
        return "pvc-" + claim.metadata().uid();
    }

    static String failureMessage(String className, String why) {
        return "Failed to provision volume with StorageClass \"" + className + "\": " + why;
    }

    /** Nothing can be made now: people are told once, and the claim waits. The status stays as it is (U7). */
    static Decision failed(PersistentVolumeClaim claim, ClaimState state, String message) {
        Decision decision = Decision.remember(state.telling(message));
        return message.equals(state.told()) ? decision : decision.and(BinderEvents.warning(claim, FAILED, message));
    }
}
