// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.snapshotting;

import dev.mooring.runtime.cache.Multimap;
import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.ObjectState;
import dev.mooring.runtime.control.Rank;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.plugin.ContentSources;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.VolumeSnapshot;
import dev.mooring.storage.model.VolumeSnapshotContent;
import dev.mooring.storage.store.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Snapshots of volumes by plugins of this process: VolumeSnapshots get VolumeSnapshotContents, whose snapshots are made and destroyed.
 *
 * <pre>
 *   snapshot changed  → it, its content, its source claim
 *   content changed   → it, its snapshot
 *   claim changed     → it, the snapshots of it with their contents, the snapshot that it is filled from
 *   volume changed    → the snapshots of its claim, with their contents
 *   class changed     → the snapshots that are not ready, with their contents
 * </pre>
 */
public final class SnapshotController implements Controller {
    /** The name of this controller. */
    public static final String NAME = "volume-snapshots";

    private static final String SNAPSHOT = "snapshot";
    private static final String CONTENT = "content";
    private static final String CLAIM = "claim";
    private static final String RELEASE_SOURCE = "release-snapshot-source";
    private static final int AFTER_THE_BINDER = 30;

    private final PluginRegistry plugins;
    private final SnapshotNeighbours neighbours;
    private final Multimap<ObjectKey, ObjectKey> snapshotsOfClaim = new Multimap<>();
    private final Multimap<ObjectKey, ObjectKey> restoring = new Multimap<>();
    /** The snapshots that are not ready, and the content of each. */
    private final Map<ObjectKey, ObjectKey> unfinished = new TreeMap<>();

    /**
     * Makes the controller.
     *
     * @param plugins the plugins of this process
     * @param besideOthers whether other controllers may make snapshots of the same cluster: what no plugin here serves is left to them, and
     *     users' VolumeSnapshots to a snapshot-controller that leads
     */
    public SnapshotController(PluginRegistry plugins, boolean besideOthers) {
        this.plugins = plugins;
        this.neighbours = new SnapshotNeighbours(plugins, besideOthers);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<Kind<?>> kinds() {
        List<Kind<?>> all = new ArrayList<>(Kinds.OF_SNAPSHOTS);
        all.add(Kinds.PERSISTENT_VOLUME_CLAIM);
        all.add(Kinds.PERSISTENT_VOLUME);
        return all;
    }

    @Override
    public Rank rank(Key key) {
        return Rank.tier(AFTER_THE_BINDER);
    }

    // ---- which change wakes which key ----

    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {
        if (change.concerns(Kinds.VOLUME_SNAPSHOT)) {
            observeSnapshot(change.as(Kinds.VOLUME_SNAPSHOT), mailbox);
        } else if (change.concerns(Kinds.VOLUME_SNAPSHOT_CONTENT)) {
            VolumeSnapshotContent content =
                    change.as(Kinds.VOLUME_SNAPSHOT_CONTENT).latest();
            wake(new Key(CONTENT, change.key()), change, mailbox);
            mailbox.recheck(new Key(SNAPSHOT, SnapshotMarks.snapshotOf(content)));
        } else if (change.concerns(Kinds.PERSISTENT_VOLUME_CLAIM)) {
            observeClaim(change.as(Kinds.PERSISTENT_VOLUME_CLAIM), mailbox);
        } else if (change.concerns(Kinds.PERSISTENT_VOLUME)) {
            PersistentVolume volume = change.as(Kinds.PERSISTENT_VOLUME).latest();
            volume.spec()
                    .claimRef()
                    .ifPresent(claim -> wakeSnapshotsOf(ObjectKey.of(claim.namespace(), claim.name()), mailbox));
        } else {
            unfinished.keySet().forEach(snapshot -> wakeUnfinished(snapshot, mailbox));
        }
    }

    private static void wake(Key key, ObjectChange<?> change, Mailbox mailbox) {
        if (change.origin() == Origin.OWN_WRITE) {
            mailbox.recheck(key);
        } else {
            mailbox.inputChanged(key);
        }
    }

    private void observeSnapshot(ObjectChange<VolumeSnapshot> change, Mailbox mailbox) {
        change.before()
                .flatMap(SnapshotController::sourceOf)
                .ifPresent(claim -> snapshotsOfClaim.remove(claim, change.key()));
        change.after()
                .flatMap(SnapshotController::sourceOf)
                .ifPresent(claim -> snapshotsOfClaim.add(claim, change.key()));
        unfinished.remove(change.key());
        change.after()
                .filter(snapshot -> !SnapshotMarks.isReady(snapshot))
                .ifPresent(snapshot -> unfinished.put(change.key(), SnapshotMarks.contentOf(snapshot)));
        VolumeSnapshot latest = change.latest();
        wake(new Key(SNAPSHOT, change.key()), change, mailbox);
        mailbox.recheck(new Key(CONTENT, SnapshotMarks.contentOf(latest)));
        sourceOf(latest).ifPresent(claim -> mailbox.recheck(new Key(CLAIM, claim)));
    }

    private static Optional<ObjectKey> sourceOf(VolumeSnapshot snapshot) {
        return snapshot.spec()
                .source()
                .persistentVolumeClaimName()
                .map(name -> ObjectKey.of(snapshot.metadata().namespace(), name));
    }

    private void observeClaim(ObjectChange<PersistentVolumeClaim> change, Mailbox mailbox) {
        Optional<ObjectKey> before = change.before().flatMap(ContentSources::snapshotNamed);
        Optional<ObjectKey> after = change.after().flatMap(ContentSources::snapshotNamed);
        before.ifPresent(snapshot -> restoring.remove(snapshot, change.key()));
        after.ifPresent(snapshot -> restoring.add(snapshot, change.key()));
        before.or(() -> after).ifPresent(snapshot -> mailbox.recheck(new Key(SNAPSHOT, snapshot)));
        wakeSnapshotsOf(change.key(), mailbox);
        if (change.after().filter(SnapshotController::isSource).isPresent()) {
            mailbox.recheck(new Key(CLAIM, change.key()));
        }
    }

    private void wakeSnapshotsOf(ObjectKey claim, Mailbox mailbox) {
        snapshotsOfClaim.of(claim).stream()
                .filter(unfinished::containsKey)
                .forEach(snapshot -> wakeUnfinished(snapshot, mailbox));
    }

    /** A content has no event of its own for what its snapshot is made of, and may wait for that. */
    private void wakeUnfinished(ObjectKey snapshot, Mailbox mailbox) {
        mailbox.recheck(new Key(SNAPSHOT, snapshot));
        Optional.ofNullable(unfinished.get(snapshot)).ifPresent(content -> mailbox.recheck(new Key(CONTENT, content)));
    }

    private static boolean isSource(PersistentVolumeClaim claim) {
        return claim.metadata().hasFinalizer(Finalizers.SNAPSHOT_SOURCE);
    }

    // ---- deciding ----

    @Override
    public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        return switch (key.type()) {
            case SNAPSHOT -> decideSnapshot(key.object(), state, situation);
            case CONTENT -> decideContent(key.object(), state, situation);
            default -> decideClaim(key.object(), situation);
        };
    }

    private Decision decideSnapshot(ObjectKey key, Optional<KeyState> state, Situation situation) {
        Optional<VolumeSnapshot> snapshot = situation
                .caches()
                .get(Kinds.VOLUME_SNAPSHOT, key)
                .filter(found -> !neighbours.own(found, situation.caches()));
        if (snapshot.isEmpty()) {
            return Decision.nothing();
        }
        Set<ObjectKey> waiting = restoring.of(key).stream()
                .filter(claim -> situation
                        .caches()
                        .get(Kinds.PERSISTENT_VOLUME_CLAIM, claim)
                        .filter(SnapshotController::mayBeFilled)
                        .isPresent())
                .collect(Collectors.toCollection(TreeSet::new));
        return ObjectState.decide(
                snapshot.get().metadata().uid(),
                state,
                situation,
                (known, own) -> neighbours.unlessLed(
                        new SnapshotDecider(snapshot.get(), plugins, notes(known), own).decide(waiting), known, own));
    }

    private static boolean mayBeFilled(PersistentVolumeClaim claim) {
        return claim.status().phase() == ClaimPhase.PENDING || claim.metadata().hasFinalizer(Finalizers.PROVISIONING);
    }

    private Decision decideContent(ObjectKey key, Optional<KeyState> state, Situation situation) {
        return situation
                .caches()
                .get(Kinds.VOLUME_SNAPSHOT_CONTENT, key)
                .filter(content -> !neighbours.own(content))
                .map(content -> ObjectState.decide(
                        content.metadata().uid(),
                        state,
                        situation,
                        (known, own) -> new ContentDecider(content, plugins, notes(known), own).decide()))
                .orElseGet(Decision::nothing);
    }

    private static SnapshotNotes notes(Optional<KeyState> known) {
        return known.map(SnapshotNotes.class::cast).orElse(SnapshotNotes.NONE);
    }

    /** The source of snapshots is kept until all of them are ready. */
    private Decision decideClaim(ObjectKey key, Situation situation) {
        Optional<PersistentVolumeClaim> found = situation
                .caches()
                .get(Kinds.PERSISTENT_VOLUME_CLAIM, key)
                .filter(SnapshotController::isSource)
                .filter(claim -> !neighbours.own(claim, situation.caches()));
        boolean used = snapshotsOfClaim.of(key).stream().anyMatch(unfinished::containsKey);
        if (found.isEmpty() || used) {
            return Decision.nothing();
        }
        PersistentVolumeClaim claim = found.get();
        return Decision.act(new Effect.Update<>(
                RELEASE_SOURCE,
                Kinds.PERSISTENT_VOLUME_CLAIM,
                new Change<>(
                        claim, claim.withMetadata(claim.metadata().withoutFinalizer(Finalizers.SNAPSHOT_SOURCE)))));
    }
}
