// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.BinderSwitch;
import dev.mooring.binder.bound.BoundPair;
import dev.mooring.binder.checks.VolumeChecks;
import dev.mooring.binder.index.MatchOptions;
import dev.mooring.binder.index.VolumeIndex;
import dev.mooring.binder.index.WaitingClaims;
import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.runtime.cache.PodFields;
import dev.mooring.runtime.control.Concern;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.Rank;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.document.FieldSelection;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.model.VolumeAttributesClass;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The binder: claims and volumes as keys of one controller, since each decision about one looks at the other.
 *
 * <pre>
 *   claim changed     → the claim, the volume that it names, the volumes whose claimRef names it, its clones to be
 *   volume changed    → the volume, the claim that it is claimed by, the claims that name it
 *   volume free       → offered to one waiting claim, then to the next if that one declined (D18)
 *   class changed     → the claims of that class, if it says something else to them; those without a class if the
 *                       default class is another one now
 *   attributes class  → the claims for which a plugin is to make storage with these attributes
 *   pod changed       → the claims that it names; released volumes that it still uses
 *   node changed      → the claims that it was chosen for, and those of classes for which it is the first usable node;
 *                       the volumes that it is asked about, or that it is the only one to hold
 *   attachment gone   → the volume, which may be released
 * </pre>
 *
 * Claims are decided before volumes, larger requests first: that order decides who gets what when several compete.
 */
public final class BinderController implements Controller {
    /** The name of this controller. */
    public static final String NAME = "binder";

    static final String CLAIM = "claim";
    static final String VOLUME = "volume";

    private static final int CLAIMS_FIRST = 10;
    private static final int THEN_VOLUMES = 20;

    private final BinderContext context;
    private final BinderIndexes indexes;
    private final ClaimDecider claims;
    private final VolumeDecider volumes;
    private final Map<ObjectKey, PersistentVolumeClaim> claimObjects = new HashMap<>();

    /**
     * Makes the controller.
     *
     * @param options where it differs from upstream
     * @param plugins the plugins of this process
     */
    public BinderController(BinderOptions options, PluginRegistry plugins) {
        indexes =
                new BinderIndexes(options.has(BinderSwitch.UPSTREAM_PHASE_ORDER), options.maxBindsInFlight(), plugins);
        context = new BinderContext(indexes, plugins, options);
        claims = new ClaimDecider(context);
        volumes = new VolumeDecider(context);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<Kind<?>> kinds() {
        List<Kind<?>> all = new ArrayList<>(List.of(
                Kinds.PERSISTENT_VOLUME,
                Kinds.PERSISTENT_VOLUME_CLAIM,
                Kinds.STORAGE_CLASS,
                Kinds.VOLUME_ATTRIBUTES_CLASS,
                Kinds.NODE,
                Kinds.VOLUME_ATTACHMENT));
        if (!context.isBesideAnother()) {
            all.add(Kinds.POD);
        }
        if (makesSnapshots()) {
            all.add(Kinds.VOLUME_SNAPSHOT);
            all.add(Kinds.VOLUME_SNAPSHOT_CONTENT);
        }
        return all;
    }

    /** Whether claims are filled from snapshots, and snapshots made. */
    public boolean makesSnapshots() {
        return context.options().has(BinderSwitch.SNAPSHOTS);
    }

    @Override
    public FieldSelection reads(Kind<?> kind) {
        return kind == Kinds.POD ? PodFields.STORAGE : FieldSelection.ALL;
    }

    // ---- which change wakes which key ----

    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {
        if (change.concerns(Kinds.PERSISTENT_VOLUME)) {
            observeVolume(change.as(Kinds.PERSISTENT_VOLUME), mailbox);
        } else if (change.concerns(Kinds.PERSISTENT_VOLUME_CLAIM)) {
            observeClaim(change.as(Kinds.PERSISTENT_VOLUME_CLAIM), mailbox);
        } else if (change.concerns(Kinds.STORAGE_CLASS)) {
            observeClass(change.as(Kinds.STORAGE_CLASS), mailbox);
        } else if (change.concerns(Kinds.VOLUME_ATTRIBUTES_CLASS)) {
            observeAttributes(change.as(Kinds.VOLUME_ATTRIBUTES_CLASS), mailbox);
        } else if (change.concerns(Kinds.POD)) {
            observePod(change.as(Kinds.POD), mailbox);
        } else if (change.concerns(Kinds.NODE)) {
            observeNode(change.as(Kinds.NODE), mailbox);
        } else if (change.concerns(Kinds.VOLUME_SNAPSHOT)) {
            indexes.restoredFrom(change.key()).forEach(claim -> mailbox.recheck(claimKey(claim)));
        } else if (change.concerns(Kinds.VOLUME_ATTACHMENT)) {
            ObjectChange<VolumeAttachment> attachment = change.as(Kinds.VOLUME_ATTACHMENT);
            indexes.attached()
                    .update(change.key(), attachment.before(), attachment.after())
                    .ifPresent(volume -> mailbox.recheck(volumeKey(volume)));
        }
    }

    private void observeVolume(ObjectChange<PersistentVolume> change, Mailbox mailbox) {
        String name = change.key().name();
        indexes.overlaps().volume(change);
        change.after()
                .filter(volume -> VolumeChecks.problem(volume).isEmpty()) // a malformed one serves no claim
                .ifPresentOrElse(indexes.volumes()::put, () -> indexes.volumes().remove(name));
        wake(new Key(VOLUME, change.key()), change.origin(), mailbox);
        Set<ObjectKey> concerned = new HashSet<>(indexes.claimsNaming(name));
        concerned.addAll(indexes.waiting().waitingForVolume(name));
        change.before().flatMap(BoundPair::claimOf).ifPresent(concerned::add);
        change.after().flatMap(BoundPair::claimOf).ifPresent(concerned::add);
        indexes.reservedBy(name).ifPresent(concerned::add);
        concerned.stream().sorted().forEach(claim -> {
            wakeKnown(claim, change.origin(), mailbox);
            wakeClonesOf(claim, mailbox);
        });
    }

    /** What is to be filled from a claim waits for that claim and its volume. */
    private void wakeClonesOf(ObjectKey source, Mailbox mailbox) {
        indexes.clonesOf(source).forEach(clone -> mailbox.recheck(claimKey(clone)));
    }

    private void observeClaim(ObjectChange<PersistentVolumeClaim> change, Mailbox mailbox) {
        indexes.nameVolume(change.before(), change.after());
        indexes.nameSource(change.before(), change.after());
        change.after()
                .ifPresentOrElse(
                        claim -> claimObjects.put(change.key(), claim), () -> claimObjects.remove(change.key()));
        wake(claimKey(change.key()), change.origin(), mailbox);
        wakeClonesOf(change.key(), mailbox);
        Set<String> concerned = new HashSet<>(indexes.claimedBy(change.key()));
        change.before().map(claim -> claim.spec().volumeName()).ifPresent(concerned::add);
        change.after().map(claim -> claim.spec().volumeName()).ifPresent(concerned::add);
        concerned.remove("");
        concerned.stream().sorted().forEach(volume -> wake(volumeKey(volume), change.origin(), mailbox));
    }

    private void observeClass(ObjectChange<StorageClass> change, Mailbox mailbox) {
        String name = change.key().name();
        KnownClasses.Change changed = indexes.classes().update(name, change.after());
        if (changed.meaning()) {
            indexes.waiting().waitingForClass(name).forEach(claim -> mailbox.inputChanged(claimKey(claim)));
        }
        if (changed.defaultClass()) {
            indexes.waiting().waitingForDefaultClass().forEach(claim -> mailbox.inputChanged(claimKey(claim)));
        }
    }

    /** A finalizer of a class comes and goes. That does not change what the class means. */
    private void observeAttributes(ObjectChange<VolumeAttributesClass> change, Mailbox mailbox) {
        if (!change.before()
                .map(BinderController::meaning)
                .equals(change.after().map(BinderController::meaning))) {
            indexes.waiting()
                    .waitingForAttributesClass(change.key().name())
                    .forEach(claim -> mailbox.inputChanged(claimKey(claim)));
        }
    }

    private static VolumeAttributesClass meaning(VolumeAttributesClass attributes) {
        return attributes.withMetadata(ObjectMeta.named(attributes.metadata().name()));
    }

    private void observeNode(ObjectChange<Node> change, Mailbox mailbox) {
        indexes.nodes().update(change.key().name(), change.after()).ifPresent(changed -> {
            claimsConcernedBy(changed).forEach(claim -> mailbox.recheck(claimKey(claim)));
            indexes.awaitingNodes().concernedBy(changed).forEach(volume -> mailbox.inputChanged(volumeKey(volume)));
        });
    }

    private List<ObjectKey> claimsConcernedBy(KnownNodes.Change node) {
        WaitingClaims waiting = indexes.waiting();
        if (node.firstOrLast()) {
            return waiting.waitingForNodes();
        }
        List<ObjectKey> concerned = new ArrayList<>(waiting.waitingForNode(node.name()));
        waiting.classesWithoutNode().stream()
                .filter(name ->
                        indexes.classes().byName(name).filter(node::helps).isPresent())
                .map(waiting::waitingForSomeNode)
                .forEach(concerned::addAll);
        return concerned;
    }

    private void observePod(ObjectChange<Pod> change, Mailbox mailbox) {
        indexes.overlaps().pod(change);
        Set<ObjectKey> used = indexes.pods().update(change.before(), change.after());
        used.stream().sorted().forEach(claim -> {
            wakeKnown(claim, change.origin(), mailbox);
            indexes.claimedBy(claim).forEach(volume -> mailbox.recheck(volumeKey(volume)));
        });
    }

    private void wakeKnown(ObjectKey claim, Origin origin, Mailbox mailbox) {
        if (claimObjects.containsKey(claim)) {
            wake(claimKey(claim), origin, mailbox);
        }
    }

    private static void wake(Key key, Origin origin, Mailbox mailbox) {
        if (origin == Origin.OWN_WRITE) {
            mailbox.recheck(key);
        } else {
            mailbox.inputChanged(key);
        }
    }

    // ---- deciding ----

    @Override
    public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        return key.type().equals(CLAIM)
                ? claims.decide(key.object(), state.map(ClaimState.class::cast).orElse(ClaimState.NONE), situation)
                : volumes.decide(
                        key.object(), state.map(VolumeState.class::cast).orElse(VolumeState.NONE), situation);
    }

    @Override
    public List<Concern> concerns(Key key, Caches caches) {
        return key.type().equals(CLAIM)
                ? BinderContext.claim(caches, key.object())
                        .map(BinderEvents::concern)
                        .map(List::of)
                        .orElse(List.of())
                : caches.get(Kinds.PERSISTENT_VOLUME, key.object())
                        .map(BinderEvents::concern)
                        .map(List::of)
                        .orElse(List.of());
    }

    @Override
    public Rank rank(Key key) {
        if (!key.type().equals(CLAIM)) {
            return Rank.tier(THEN_VOLUMES);
        }
        PersistentVolumeClaim claim = claimObjects.get(key.object());
        if (claim == null) {
            return Rank.tier(CLAIMS_FIRST);
        }
        Quantity request = claim.spec().resources().requests().getOrDefault("storage", Quantity.ZERO);
        Instant created = claim.metadata().creationTimestamp().orElse(Instant.EPOCH);
        return new Rank(CLAIMS_FIRST, List.of(new LargestFirst(request), created, key.object()));
    }

    private record LargestFirst(Quantity request) implements Comparable<LargestFirst> {
        @Override
        public int compareTo(LargestFirst other) {
            return other.request.compareTo(request);
        }
    }

    // ---- what follows from an applied decision ----

    @Override
    public void applied(Key key, Optional<KeyState> before, Optional<KeyState> after, Mailbox mailbox) {
        if (key.type().equals(CLAIM)) {
            appliedClaim(
                    key.object(),
                    before.map(ClaimState.class::cast).orElse(ClaimState.NONE),
                    after.map(ClaimState.class::cast).orElse(ClaimState.NONE),
                    mailbox);
        } else {
            appliedVolume(
                    key.object().name(),
                    before.map(VolumeState.class::cast).orElse(VolumeState.NONE),
                    after.map(VolumeState.class::cast).orElse(VolumeState.NONE),
                    mailbox);
        }
    }

    private void appliedClaim(ObjectKey claim, ClaimState before, ClaimState after, Mailbox mailbox) {
        PersistentVolumeClaim object = claimObjects.get(claim);
        if (!before.reserved().equals(after.reserved())) {
            before.reserved().ifPresent(volume -> {
                indexes.release(volume, claim);
                mailbox.recheck(volumeKey(volume));
                othersMeantFor(volume, claim).forEach(other -> mailbox.recheck(claimKey(other)));
            });
            String uid = object == null ? "" : object.metadata().uid();
            after.reserved().ifPresent(volume -> indexes.reserve(volume, claim, uid));
        }
        if (after.awaited().isPresent() && object != null) {
            indexes.waiting().register(object, after.awaited().get());
        } else {
            indexes.waiting().unregister(claim);
        }
        indexes.answer(claim).forEach(volume -> mailbox.recheck(volumeKey(volume)));
        indexes.underWay(claim, after.isUnderWay());
        if (after.isQueued()) {
            indexes.queue(claim, rank(claimKey(claim)));
        } else {
            indexes.dequeue(claim);
        }
        indexes.nextInQueue().filter(next -> !next.equals(claim)).ifPresent(next -> mailbox.recheck(claimKey(next)));
    }

    /** Claims that a volume is meant for and that could not have it while a bind held it. That it is free again changes no object. */
    private Set<ObjectKey> othersMeantFor(String volume, ObjectKey holder) {
        Set<ObjectKey> others = new TreeSet<>(indexes.claimsNaming(volume));
        indexes.volumes()
                .byName(volume)
                .flatMap(BoundPair::claimOf)
                .filter(claimObjects::containsKey)
                .ifPresent(others::add);
        others.remove(holder);
        return others;
    }

    private void appliedVolume(String volume, VolumeState before, VolumeState after, Mailbox mailbox) {
        Optional<PersistentVolume> awaiting =
                indexes.volumes().byName(volume).filter(known -> after.stage() == VolumeState.Stage.AWAITS_NODE);
        awaiting.ifPresentOrElse(
                indexes.awaitingNodes()::add, () -> indexes.awaitingNodes().remove(volume));
        before.offeredTo().ifPresent(claim -> indexes.withdraw(volume, claim));
        after.offeredTo().ifPresent(claim -> {
            indexes.offer(volume, claim);
            mailbox.recheck(claimKey(claim));
        });
    }

    // ---- questions ----

    /** The volume that a claim would get now; see {@code Binder#preview}. */
    public Optional<String> preview(PersistentVolumeClaim claim, Caches caches) {
        boolean delayed = UnboundClaim.isDelayed(BinderContext.classOf(caches, claim));
        return indexes.match(claim, new MatchOptions(delayed, context.options().has(BinderSwitch.UPSTREAM_MATCHING)));
    }

    /** The decisions about claims. */
    ClaimDecider claims() {
        return claims;
    }

    /** The volumes as matching sees them. */
    VolumeIndex volumes() {
        return indexes.volumes();
    }

    /** How many entries of the index were looked at so far. */
    public long probes() {
        return indexes.volumes().probes();
    }

    private static Key claimKey(ObjectKey claim) {
        return new Key(CLAIM, claim);
    }

    private static Key volumeKey(String volume) {
        return new Key(VOLUME, ObjectKey.cluster(volume));
    }
}
