// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.binder.BinderSwitch;
import dev.mooring.binder.calls.ProvisionCall;
import dev.mooring.binder.index.Awaited;
import dev.mooring.binder.placement.NodeChoice;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.control.Target;
import dev.mooring.runtime.plugin.AttributesClasses;
import dev.mooring.runtime.plugin.ProvisionRequests;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.LabelSelector;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.Provisioning;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeTemplate;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** New storage by a plugin of this process (semantics/binder §1.10 PI). */
final class PluginProvisioning {
    private final BinderContext context;
    private final NodeProvisioning onNode = new NodeProvisioning();
    private final ProvisioningCleanup cleanup;

    PluginProvisioning(BinderContext context) {
        this.context = context;
        this.cleanup = new ProvisioningCleanup(context);
    }

    Decision decide(
            PersistentVolumeClaim claim,
            StorageClass storageClass,
            StoragePlugin plugin,
            ClaimState state,
            Situation situation) {
        Optional<String> unsupported = unsupported(claim, storageClass, plugin);
        if (unsupported.isPresent()) {
            return ClaimProvisioning.failed(claim, state, unsupported.get());
        }
        ClaimState waiting =
                AttributesClasses.nameOf(claim).map(state::waitingForAttributes).orElse(state);
        Outcome<Map<String, String>> attributes = AttributesClasses.wanted(claim, plugin, situation.caches());
        // Asked again on another node it would be as wrong: only the class, or another claim, is what helps.
        return attributes
                .result()
                .map(wanted -> filled(claim, storageClass, plugin, wanted, waiting, situation))
                .orElseGet(() -> ClaimProvisioning.failed(
                        claim,
                        waiting,
                        ClaimProvisioning.failureMessage(storageClass.metadata().name(), attributes.message())));
    }

    private Decision filled(
            PersistentVolumeClaim claim,
            StorageClass storageClass,
            StoragePlugin plugin,
            Map<String, String> attributes,
            ClaimState state,
            Situation situation) {
        Outcome<ClaimContent> content = ClaimContent.of(claim, plugin, state, situation.caches());
        String why = content.isRefused(Refusal.UNSUPPORTED)
                ? content.message()
                : ClaimProvisioning.failureMessage(storageClass.metadata().name(), content.message());
        return content.result()
                .map(found -> make(claim, storageClass, plugin, attributes, found, state, situation))
                .orElseGet(() -> ClaimProvisioning.failed(claim, state, why));
    }

    private Decision make(
            PersistentVolumeClaim claim,
            StorageClass storageClass,
            StoragePlugin plugin,
            Map<String, String> attributes,
            ClaimContent content,
            ClaimState state,
            Situation situation) {
        boolean nodeHoldsData =
                plugin.describe().reclaimPlace() == Place.NODE && NodeChoice.hasNodes(situation.caches());
        // On a node the volume object itself is the intent, and is written first.
        Optional<Effect> asking =
                ClaimProvisioning.askPlugin(context, claim, storageClass.provisioner(), !nodeHoldsData);
        if (asking.isPresent()) {
            boolean firstTime = !claim.metadata().hasFinalizer(Finalizers.PROVISIONING);
            return Decision.act(asking.get()).withState(firstTime ? state.withStorage(ClaimStorage.NOTHING) : state);
        }
        Optional<Effect> protecting = content.protecting();
        if (protecting.isPresent()) {
            return Decision.act(protecting.get()).withState(state);
        }
        Optional<NodeRef> node = nodeHoldsData
                ? NodeChoice.forNew(situation.caches(), claim, storageClass, content.affinity())
                : NodeChoice.selected(situation.caches(), claim);
        Optional<String> missing = missingNode(claim, state, situation);
        if (missing.isPresent()) {
            return withoutNode(claim, state, "Failed to get target node: node \"" + missing.get() + "\" not found");
        }
        if (nodeHoldsData && node.isEmpty()) {
            return withoutNode(claim, state, noNode(storageClass, content));
        }
        if (nodeHoldsData && !content.isOn(situation.caches(), node.get())) {
            return ClaimProvisioning.failed(claim, state, content.elsewhere(node.get()))
                    .and(SelectedNode.drop(claim));
        }
        ProvisionRequest request = ProvisionRequests.of(
                        claim, storageClass, attributes, context.volumeName(claim), node)
                .withNodeLabels(NodeChoice.labelsOf(situation.caches(), node))
                .withContent(content.source());
        return plan(claim, storageClass, plugin, request, state, situation);
    }

    private Decision plan(
            PersistentVolumeClaim claim,
            StorageClass storageClass,
            StoragePlugin plugin,
            ProvisionRequest request,
            ClaimState state,
            Situation situation) {
        Outcome<VolumeTemplate> plan =
                plugin.capability(Provisioning.class).orElseThrow().plan(request);
        if (!plan.isDone()) {
            return refused(claim, storageClass.metadata().name(), plan, state);
        }
        VolumeTemplate template = plan.result().orElseThrow();
        String provisioner = storageClass.provisioner();
        Optional<String> uncarried = uncarried(claim, provisioner, template);
        if (uncarried.isPresent()) {
            return ClaimProvisioning.failed(
                    claim,
                    state,
                    ClaimProvisioning.failureMessage(storageClass.metadata().name(), uncarried.get()));
        }
        return perform(
                claim,
                plugin,
                new ClaimStorage.Made(provisioner, request, template, ClaimStorage.Certainty.UNTOLD),
                state,
                situation);
    }

    /** No store takes a volume object of another source with a class of attributes (§1.12): it would be made and destroyed without end. */
    private static Optional<String> uncarried(
            PersistentVolumeClaim claim, String provisioner, VolumeTemplate template) {
        return AttributesClasses.nameOf(claim)
                .filter(name -> !template.source().type().equals(CsiSource.TYPE))
                .map(name -> "plugin " + provisioner + " is not a CSI plugin. Only volumes of CSI plugins have a"
                        + " VolumeAttributesClass, and the claim names \"" + name + "\"");
    }

    private static String noNode(StorageClass storageClass, ClaimContent content) {
        if (content.affinity().isPresent()) {
            return "no ready node to provision on that holds the storage of the source of the claim's data";
        }
        return storageClass.allowedTopologies().isEmpty()
                ? "no ready node to provision on"
                : "no ready node to provision on in the allowedTopologies of StorageClass \""
                        + storageClass.metadata().name() + "\"";
    }

    private static Decision withoutNode(PersistentVolumeClaim claim, ClaimState state, String why) {
        return ClaimProvisioning.failed(claim, state.waitingForSomeNode(), why);
    }

    /** The node that was selected, if it is unknown and nothing has been made. A pod without a scheduler says itself where it is. */
    private Optional<String> missingNode(PersistentVolumeClaim claim, ClaimState state, Situation situation) {
        boolean begun = state.made().isPresent()
                || situation.resultOf(BinderOperations.PROVISION).isPresent();
        if (begun
                || context.options().has(BinderSwitch.SELECT_NODE_OF_ASSIGNED_PODS)
                || NodeChoice.selected(situation.caches(), claim).isPresent()) {
            return Optional.empty();
        }
        return claim.metadata().annotation(Annotations.SELECTED_NODE).filter(name -> !name.isEmpty());
    }

    private static Optional<String> unsupported(
            PersistentVolumeClaim claim, StorageClass storageClass, StoragePlugin plugin) {
        if (!storageClass.mountOptions().isEmpty() && !plugin.describe().supportsMountOptions()) {
            return Optional.of("Mount options are not supported by the provisioner but StorageClass \""
                    + storageClass.metadata().name() + "\" has mount options " + storageClass.mountOptions());
        }
        // New storage has none of the labels that the claim asks for, and would be bound all the same (X6).
        if (claim.spec()
                .selector()
                .filter(selector -> !selector.equals(LabelSelector.EMPTY))
                .isPresent()) {
            return Optional.of(ClaimProvisioning.failureMessage(
                    storageClass.metadata().name(), "claim Selector is not supported"));
        }
        return Optional.empty();
    }

    private Decision perform(
            PersistentVolumeClaim claim,
            StoragePlugin plugin,
            ClaimStorage.Made planned,
            ClaimState state,
            Situation situation) {
        Optional<EffectResult> called = situation.resultOf(BinderOperations.PROVISION);
        if (called.isPresent()) {
            return refused(
                            claim,
                            planned.request().className(),
                            called.get().outcome().orElseThrow(),
                            state)
                    .wakeAfter(situation.backoff(BinderOperations.PROVISION).orElse(Defaults.BACKOFF_FIRST));
        }
        Optional<Duration> wait = situation
                .backoff(BinderOperations.PROVISION)
                .or(() -> situation.backoff(BinderOperations.CREATE_VOLUME));
        if (wait.isPresent()) {
            // On a node the volume object comes first: if the store refuses it, the event comes from here.
            Decision waiting = ProvisionedStorage.refusedCreation(claim, situation)
                    .map(why -> ClaimProvisioning.failed(claim, state, why))
                    .orElseGet(() -> Decision.remember(state));
            return waiting.wakeAfter(wait.get());
        }
        if (state.storage().isDoubtful()) {
            return cleanup.decide(claim, state, situation);
        }
        return unlessThere(claim, plugin, planned, state, situation);
    }

    /** Begins, once a live read has shown that there is no volume of that name. */
    private Decision unlessThere(
            PersistentVolumeClaim claim,
            StoragePlugin plugin,
            ClaimStorage.Made planned,
            ClaimState state,
            Situation situation) {
        String volumeName = planned.request().volumeName();
        Optional<EffectResult> looked = situation.resultOf(BinderOperations.FIND_PROVISIONED);
        if (looked.filter(EffectResult::succeeded).isPresent()) {
            Awaited its = state.awaited().orElse(Awaited.NOTHING).andVolume(volumeName); // its end is what helps
            return ClaimProvisioning.failed(
                    claim, state.waitingFor(its), "volume " + volumeName + " exists, but does not fit the claim");
        }
        if (!looked.flatMap(EffectResult::storeFailure).equals(Optional.of(Failure.NOT_FOUND))) {
            // A volume of that name may exist although the cache does not show it yet: then there is nothing to make.
            return Decision.act(new Effect.Read<>(
                            BinderOperations.FIND_PROVISIONED, Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(volumeName)))
                    .withState(state);
        }
        if (planned.request().selectedNode().isPresent() && plugin.describe().reclaimPlace() == Place.NODE) {
            PersistentVolume volume = ProvisionedVolume.of(context.options(), claim, planned);
            return onNode.begin(volume, planned.request().selectedNode().get(), state);
        }
        return Decision.act(call(plugin, planned)).withState(state);
    }

    static Effect call(StoragePlugin plugin, ClaimStorage.Made planned) {
        return new Effect.Perform(
                BinderOperations.PROVISION,
                new ProvisionCall(plugin.describe().name(), planned.request(), planned.template()),
                Optional.of(new Target(planned.provisioner(), planned.request().volumeName())),
                Defaults.RECLAIM_TIME_LIMIT);
    }

    /**
     * Nothing was made, or that is unknown; the state says which. If certainly nothing was made, the scheduler may try another node. But
     * what is wrong with the claim or its class is so on every node: were the node given up for that, it would be selected again without
     * end.
     */
    private Decision refused(PersistentVolumeClaim claim, String className, Outcome<?> outcome, ClaimState state) {
        Decision failed =
                ClaimProvisioning.failed(claim, state, ClaimProvisioning.failureMessage(className, outcome.message()));
        return isOfTheNode(outcome)
                        && state.made().isEmpty()
                        && claim.metadata()
                                .annotation(Annotations.SELECTED_NODE)
                                .isPresent()
                ? failed.and(SelectedNode.drop(claim))
                : failed;
    }

    /** Beside another binder as external-provisioner decides it: the node is full, or has gone (semantics/csi §8.7). */
    private boolean isOfTheNode(Outcome<?> outcome) {
        return context.isBesideAnother()
                ? outcome.isRefused(Refusal.EXHAUSTED) || outcome.isRefused(Refusal.NOT_FOUND)
                : !outcome.isRefused(Refusal.INVALID);
    }
}
