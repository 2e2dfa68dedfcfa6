// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.binder.BinderRule;
import dev.mooring.binder.BinderSwitch;
import dev.mooring.binder.checks.PrebindCheck;
import dev.mooring.binder.checks.VolumeChecks;
import dev.mooring.binder.index.Awaited;
import dev.mooring.binder.index.MatchOptions;
import dev.mooring.binder.uses.FewNames;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.LabelSelector;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.StorageClasses;
import dev.mooring.storage.model.VolumeBindingMode;
import dev.mooring.storage.store.Change;
import java.util.Optional;

/** A claim whose binding has not been completed (semantics/binder §1.3, §1.4); each branch names its row as a {@link BinderRule}. */
final class UnboundClaim {
    private final BinderContext context;
    private final Binding binding;
    private final ClaimProvisioning provisioning;
    private final ProvisionedStorage storage;
    private final ProvisioningIntent intent;
    private final SelectedNode selectedNode;

    UnboundClaim(BinderContext context, ProvisionedStorage storage, ProvisioningIntent intent) {
        this.context = context;
        this.binding = new Binding(context);
        this.provisioning = new ClaimProvisioning(context);
        this.storage = storage;
        this.intent = intent;
        this.selectedNode = new SelectedNode(context.options().selectedNodeTtl());
    }

    Decision decide(PersistentVolumeClaim claim, ClaimState state, Situation situation) {
        return claim.spec().volumeName().isEmpty()
                ? withoutVolumeName(claim, state, situation)
                : withVolumeName(claim, state.waitingFor(Awaited.by(claim)), situation);
    }

    // ---- §1.3: the claim leaves the choice to us ----

    private Decision withoutVolumeName(PersistentVolumeClaim claim, ClaimState before, Situation situation) {
        Optional<StorageClass> storageClass = BinderContext.classOf(situation.caches(), claim);
        boolean delayed = isDelayed(storageClass);
        Awaited awaited = delayed ? Awaited.by(claim).withoutFreeVolume() : Awaited.by(claim);
        ClaimState state = before.waitingFor(awaited);
        Optional<Decision> unclear = unclear(claim, storageClass, state);
        if (unclear.isPresent()) {
            return unclear.get();
        }
        Optional<PersistentVolume> match = match(claim, state, delayed, situation);
        if (match.isPresent()) {
            PersistentVolume volume = match.get();
            return NodeProvisioning.isMarked(volume)
                    ? storage.onNode(claim, volume, state.by(BinderRule.PLUGIN_PROVISIONS), situation)
                    : ProvisionedStorage.withNews(
                            claim,
                            volume,
                            bind(volume, claim, state.by(BinderRule.SMALLEST_SUFFICIENT_VOLUME), situation),
                            situation);
        }
        if (claim.metadata().isDeleting()) {
            // The claim is on its way out. Binding it now would release a volume that never carried data.
            // What was made for it in the meantime is not forgotten.
            return intent.settle(claim, state.idle(), situation);
        }
        Optional<StorageClass> defaultClass = defaultClassFor(claim);
        boolean refused = defaultClass
                .map(known -> known.metadata().name())
                .filter(name -> state.refusedClass()
                        .filter(refusal -> refusal.bars(name, situation.now()))
                        .isPresent())
                .isPresent();
        if (defaultClass.isPresent() && !refused) {
            return setClass(claim, defaultClass.get(), state.by(BinderRule.DEFAULT_CLASS_ASSIGNED));
        }
        if (delayed && claim.metadata().annotation(Annotations.SELECTED_NODE).isEmpty()) {
            return waitForConsumer(claim, state.by(BinderRule.WAIT_FOR_FIRST_CONSUMER));
        }
        if (StorageClasses.nameOf(claim).filter(name -> !name.isEmpty()).isPresent()) {
            return provision(claim, storageClass, state.by(BinderRule.CLASS_PROVISIONS), situation);
        }
        Decision waiting = noVolume(claim, state.by(BinderRule.NO_CLASS));
        return defaultClass
                .flatMap(there -> state.refusedClass())
                .map(refusal -> refusal.awaited(waiting, situation.now()))
                .orElse(waiting);
    }

    /** What the class or the claim says cannot be followed: the claim waits for a change of that. */
    private static Optional<Decision> unclear(
            PersistentVolumeClaim claim, Optional<StorageClass> storageClass, ClaimState state) {
        if (storageClass.isPresent() && storageClass.get().volumeBindingMode().isEmpty()) {
            return Optional.of(Decision.remember(
                            state.by(BinderRule.BINDING_MODE_MISSING).telling("the class has no volumeBindingMode"))
                    .waitingFor(
                            "StorageClass \"" + storageClass.get().metadata().name()
                                    + "\" has no volumeBindingMode, so it does not say when to bind"));
        }
        if (storageClass
                .flatMap(StorageClass::volumeBindingMode)
                .filter(mode -> mode == VolumeBindingMode.UNKNOWN)
                .isPresent()) {
            return Optional.of(pending(
                    claim,
                    state.by(BinderRule.BINDING_MODE_MISSING),
                    "FailedBinding",
                    unknownMode(storageClass.get()),
                    true));
        }
        return claim.spec()
                .selector()
                .flatMap(LabelSelector::problem)
                .map(problem -> pending(
                        claim,
                        state.by(BinderRule.SELECTOR_INVALID),
                        "FailedBinding",
                        "spec.selector: Invalid value: " + problem,
                        true));
    }

    private Decision noVolume(PersistentVolumeClaim claim, ClaimState state) {
        String plain = "FailedBinding: " + FailedBindingText.NO_VOLUME;
        String known = plain
                + state.refusedClass()
                        .map(refusal -> " but " + refusal.text())
                        .orElse(""); // a changed counter causes no event (D13)
        Decision decision = known.equals(state.told())
                ? pending(claim, state.telling(plain), "FailedBinding", FailedBindingText.NO_VOLUME, false)
                : pending(
                        claim,
                        state,
                        "FailedBinding",
                        FailedBindingText.of(context.indexes().volumes().summary(claim), state.refusedClass()),
                        false);
        return decision.withState(state.telling(known).kept());
    }

    private Decision provision(
            PersistentVolumeClaim claim, Optional<StorageClass> storageClass, ClaimState before, Situation situation) {
        if (!isDelayed(storageClass)) {
            return provisioning.decide(claim, storageClass, before, situation); // no scheduler will select another node
        }
        ClaimState state = selectedNode.observing(claim, before, situation);
        return selectedNode
                .decide(claim, state, situation)
                .orElseGet(() -> selectedNode.followedBy(
                        provisioning.decide(claim, storageClass, state, situation), claim, state, situation));
    }

    /** A volume that was tied to the claim by hand is looked at more closely than one that was found (D8). */
    private Decision bind(PersistentVolume volume, PersistentVolumeClaim claim, ClaimState state, Situation situation) {
        return Transitions.isFor(volume, claim)
                ? bindInSpiteOf(PrebindCheck.problem(volume, claim), volume, claim, state, situation)
                : binding.next(volume, claim, state, situation);
    }

    private static String unknownMode(StorageClass storageClass) {
        return "StorageClass \"" + storageClass.metadata().name()
                + "\": volumeBindingMode: Unsupported value: supported values: \"Immediate\", \"WaitForFirstConsumer\"";
    }

    private Optional<PersistentVolume> match(
            PersistentVolumeClaim claim, ClaimState state, boolean delayed, Situation situation) {
        MatchOptions options = new MatchOptions(delayed, context.options().has(BinderSwitch.UPSTREAM_MATCHING))
                .withExcluded(Refusals.volumes(state, situation.caches()));
        return context.indexes()
                .match(claim, options)
                .flatMap(name -> BinderContext.volume(situation.caches(), name))
                .filter(volume -> !claim.metadata().isDeleting() || Transitions.isBoundTo(volume, claim));
    }

    static boolean isDelayed(Optional<StorageClass> storageClass) {
        return storageClass
                .flatMap(StorageClass::volumeBindingMode)
                .filter(mode -> mode == VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER)
                .isPresent();
    }

    private Optional<StorageClass> defaultClassFor(PersistentVolumeClaim claim) {
        return StorageClasses.nameOf(claim).isPresent()
                ? Optional.empty()
                : context.indexes().classes().defaultClass();
    }

    private static Decision setClass(PersistentVolumeClaim claim, StorageClass storageClass, ClaimState state) {
        PersistentVolumeClaim edited = claim.withSpec(claim.spec()
                .withStorageClassName(Optional.of(storageClass.metadata().name())));
        return Decision.act(new Effect.Update<>(
                        BinderOperations.SET_DEFAULT_CLASS, Kinds.PERSISTENT_VOLUME_CLAIM, new Change<>(claim, edited)))
                .withState(state.idle().by(BinderRule.DEFAULT_CLASS_ASSIGNED));
    }

    private Decision waitForConsumer(PersistentVolumeClaim claim, ClaimState state) {
        Optional<String> node = context.options().has(BinderSwitch.SELECT_NODE_OF_ASSIGNED_PODS)
                ? context.indexes().pods().nodeOfUser(claim)
                : Optional.empty();
        if (node.isPresent()) {
            return Decision.act(SelectedNode.select(claim, node.get())).withState(state);
        }
        FewNames pods = context.indexes().pods().unscheduledUsing(claim);
        return pods.isEmpty()
                ? pending(
                        claim,
                        state,
                        "WaitForFirstConsumer",
                        "waiting for first consumer to be created before binding",
                        false)
                : waitForPods(claim, state, pods);
    }

    private static Decision waitForPods(PersistentVolumeClaim claim, ClaimState state, FewNames pods) {
        String reason = "WaitForPodScheduled";
        String waiting = pods.size() == 1 ? "waiting for pod " : "waiting for pods ";
        String known = waiting + pods.uncounted() + " to be scheduled"; // a changed counter causes no event (D13)
        String news = reason + ": " + known;
        String message = news.equals(state.told()) ? known : waiting + pods.counted() + " to be scheduled";
        return pending(claim, state, reason, message, false)
                .withState(state.telling(news).kept());
    }

    // ---- §1.4: the claim names a volume ----

    private Decision withVolumeName(PersistentVolumeClaim claim, ClaimState state, Situation situation) {
        Optional<PersistentVolume> named =
                BinderContext.volume(situation.caches(), claim.spec().volumeName());
        if (named.isEmpty()) {
            return pending(claim, state.by(BinderRule.NAMED_VOLUME_MISSING), "", "", false)
                    .waitingFor("volume \"" + claim.spec().volumeName() + "\", which the claim names, does not exist");
        }
        PersistentVolume volume = named.get();
        Optional<String> broken = VolumeChecks.problem(volume);
        if (broken.isPresent()) {
            return mismatch(claim, volume, state.by(BinderRule.NAMED_VOLUME_MISMATCH), broken.get());
        }
        if (claim.metadata().isDeleting() && !Transitions.isBoundTo(volume, claim)) {
            // As a claim that leaves the choice to us (§1.3): it gets no volume any more.
            return Decision.remember(state);
        }
        if (volume.spec().claimRef().isEmpty()) {
            return withUnclaimed(volume, claim, state, situation);
        }
        if (Transitions.isBoundTo(volume, claim) && NodeProvisioning.isMarked(volume)) {
            return storage.onNode(
                    claim, volume, state.by(BinderRule.PLUGIN_PROVISIONS), situation); // there is no storage yet
        }
        return Transitions.isFor(volume, claim)
                ? withReserved(volume, claim, state, situation)
                : withTaken(volume, claim, state);
    }

    private Decision mismatch(PersistentVolumeClaim claim, PersistentVolume volume, ClaimState state, String why) {
        return pending(claim, state, "VolumeMismatch", cannotBind(volume, why), true);
    }

    /** Claim and volume name each other; the volume may name the claim without its uid. */
    private Decision withReserved(
            PersistentVolume volume, PersistentVolumeClaim claim, ClaimState state, Situation situation) {
        boolean bound = Transitions.isBoundTo(volume, claim);
        boolean reclaimed = PrebindCheck.isBeingReclaimed(volume);
        if (reclaimed && !bound) {
            return mismatch(claim, volume, state.by(BinderRule.STORAGE_RECLAIMING), "its storage is being reclaimed");
        }
        ClaimState reserved = state.by(BinderRule.NAMED_VOLUME_RESERVED);
        if (bound && !reclaimed) {
            // Only the mark of a complete bind is missing, and no user has just requested anything.
            return binding.next(volume, claim, reserved, situation);
        }
        return bindInSpiteOf(PrebindCheck.problem(volume, claim), volume, claim, reserved, situation);
    }

    private Decision withTaken(PersistentVolume volume, PersistentVolumeClaim claim, ClaimState state) {
        String taken = "volume \"" + volume.metadata().name() + "\" already bound to a different claim.";
        if (claim.metadata().annotation(Annotations.BOUND_BY_CONTROLLER).isPresent()) {
            Decision told =
                    Decision.remember(state.by(BinderRule.CHOSEN_VOLUME_TAKEN).telling(taken));
            return taken.equals(state.told()) ? told : told.and(BinderEvents.warning(claim, "FailedBinding", taken));
        }
        return pending(claim, state.by(BinderRule.NAMED_VOLUME_TAKEN), "FailedBinding", taken, true);
    }

    private Decision withUnclaimed(
            PersistentVolume volume, PersistentVolumeClaim claim, ClaimState state, Situation situation) {
        if (context.indexes().reservedForOther(volume, claim)) {
            // Another claim is being bound to it; its end wakes us.
            return pending(claim, state.by(BinderRule.NAMED_VOLUME_TAKEN), "", "", false)
                    .waitingFor("volume \"" + volume.metadata().name() + "\" is being bound to another claim");
        }
        Optional<String> problem = PrebindCheck.problem(volume, claim);
        return problem.isEmpty()
                ? binding.next(volume, claim, state.by(BinderRule.NAMED_VOLUME_FREE), situation)
                : pending(
                        claim,
                        state.by(BinderRule.NAMED_VOLUME_MISMATCH),
                        "VolumeMismatch",
                        cannotBind(volume, problem.get()),
                        true);
    }

    private static String cannotBind(PersistentVolume volume, String why) {
        return "Cannot bind to requested volume \"" + volume.metadata().name() + "\": " + why;
    }

    /** What a user tied together is bound although it does not fit; an event says so once (D8). */
    private Decision bindInSpiteOf(
            Optional<String> problem,
            PersistentVolume volume,
            PersistentVolumeClaim claim,
            ClaimState state,
            Situation situation) {
        if (problem.isEmpty()) {
            return binding.next(volume, claim, state, situation);
        }
        if (context.options().has(BinderSwitch.STRICT_PREBIND)) {
            return mismatch(claim, volume, state, problem.get());
        }
        String why = volume.metadata().isDeleting() ? "it is marked for deletion" : problem.get();
        String news = "Volume \"" + volume.metadata().name() + "\" is bound as requested, although " + why;
        Decision bind = binding.next(volume, claim, state.telling(news), situation);
        return news.equals(state.told()) ? bind : bind.and(BinderEvents.warning(claim, "VolumeMismatch", news));
    }

    // ---- waiting ----

    /** The claim waits: its status says Pending, an event says so once, and any change that could help wakes it. */
    static Decision pending(
            PersistentVolumeClaim claim, ClaimState state, String reason, String message, boolean warning) {
        String news = reason.isEmpty() ? "" : reason + ": " + message;
        Decision decision = Decision.remember(state.telling(news));
        if (!reason.isEmpty() && !news.equals(state.told())) {
            decision = decision.and(
                    warning
                            ? BinderEvents.warning(claim, reason, message)
                            : BinderEvents.normal(claim, reason, message));
        }
        PersistentVolumeClaim pending = Transitions.without(claim, ClaimPhase.PENDING);
        return pending.equals(claim)
                ? decision
                : decision.and(new Effect.UpdateStatus<>(
                        BinderOperations.SHOW_CLAIM_PHASE,
                        Kinds.PERSISTENT_VOLUME_CLAIM,
                        new Change<>(claim, pending)));
    }
}
