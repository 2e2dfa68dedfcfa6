// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.peer;

import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The persistent-volume controller of Kubernetes as semantics/binder §1 describes it, without migration, volume attributes, selected
 * nodes, selectors and the groups of access modes: a claim or a volume is looked at when it changes and with everything else every 15 seconds, a write that fails waits for that,
 * four writes tie a pair one after the other, and what is released is asked of the cache. Its plugins work in its own process, as in-tree
 * ones do; a class whose provisioner is no plugin is left to others.
 *
 * <p>It is a model to be compared with, not to be used.
 */
public final class PeerBinder implements Controller {
    private static final String CLAIM = "peer-claim";
    private static final String VOLUME = "peer-volume";
    private static final Duration RESYNC = Duration.ofSeconds(15);

    private final Set<OldRule> old;
    private final PeerClaims claims;
    private final PeerVolumes volumes;
    private final PeerProvisioning provisioning;
    private Optional<Mailbox> mailbox = Optional.empty();
    private final Set<Key> listedFirst = new TreeSet<>();
    private Optional<Long> firstNanos = Optional.empty();

    /** The controller, with rules that it had once. */
    public PeerBinder(PluginRegistry plugins, Set<OldRule> old) {
        this.old = old;
        this.claims = new PeerClaims(old);
        this.volumes = new PeerVolumes(
                plugins, old, claim -> mailbox.ifPresent(found -> found.recheck(new Key(CLAIM, claim))));
        this.provisioning = new PeerProvisioning(plugins, old);
    }

    @Override
    public String name() {
        return "binder";
    }

    @Override
    public List<Kind<?>> kinds() {
        return List.of(Kinds.PERSISTENT_VOLUME, Kinds.PERSISTENT_VOLUME_CLAIM, Kinds.STORAGE_CLASS, Kinds.POD);
    }

    @Override
    public void started(Mailbox own) {
        mailbox = Optional.of(own);
    }

    /** C3 to C5: nothing is woken but what has changed, and the other half of what has gone. */
    @Override
    public void observe(ObjectChange<?> change, Mailbox own) {
        if (change.concerns(Kinds.PERSISTENT_VOLUME)) {
            if (firstNanos.isEmpty() && old.contains(OldRule.VOLUMES_COME_FIRST)) {
                listedFirst.add(new Key(VOLUME, change.key()));
            }
            own.recheck(new Key(VOLUME, change.key()));
            if (change.after().isEmpty()) {
                change.as(Kinds.PERSISTENT_VOLUME)
                        .latest()
                        .spec()
                        .claimRef()
                        .ifPresent(ref -> own.recheck(new Key(CLAIM, ObjectKey.of(ref.namespace(), ref.name()))));
            }
        } else if (change.concerns(Kinds.PERSISTENT_VOLUME_CLAIM)) {
            own.recheck(new Key(CLAIM, change.key()));
            String volume =
                    change.as(Kinds.PERSISTENT_VOLUME_CLAIM).latest().spec().volumeName();
            if (change.after().isEmpty() && !volume.isEmpty()) {
                own.recheck(new Key(VOLUME, ObjectKey.cluster(volume)));
            }
        }
    }

    @Override
    public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        if (firstNanos.isEmpty()) {
            firstNanos = Optional.of(situation.now().monotonicNanos());
        }
        long period = RESYNC.toNanos();
        Duration untilNextLook =
                Duration.ofNanos(period - Math.floorMod(situation.now().monotonicNanos(), period));
        boolean through = PeerProvisioning.isThrough(situation);
        if (!through && state.isPresent() && state.get() instanceof PeerProvisioning.Made made) {
            Decision decision = provisioning.goOn(made, situation);
            return decision.wakeAfter().isPresent() ? decision : decision.wakeAfter(untilNextLook);
        }
        if (!through && hasFailed(situation)) {
            return Decision.nothing().wakeAfter(untilNextLook); // C6: nothing is read again and merged
        }
        Optional<Decision> decision =
                key.type().equals(CLAIM) ? ofClaim(key.object(), situation) : ofVolume(key.object(), situation);
        return decision.map(found -> found.wakeAfter(untilNextLook)).orElse(Decision.nothing());
    }

    private Optional<Decision> ofClaim(ObjectKey key, Situation situation) {
        Optional<PersistentVolumeClaim> claim = situation.caches().get(Kinds.PERSISTENT_VOLUME_CLAIM, key);
        return claim.map(found -> {
            PeerClaims.Step step = claims.sync(found, situation.caches());
            return step.provision()
                    .map(storageClass -> provisioning.decide(found, storageClass, situation))
                    .orElseGet(() -> Decision.act(step.effects().toArray(Effect[]::new)));
        });
    }

    private Optional<Decision> ofVolume(ObjectKey key, Situation situation) {
        Optional<PersistentVolume> volume = situation.caches().get(Kinds.PERSISTENT_VOLUME, key);
        boolean first = firstNanos
                .filter(began -> situation.now().monotonicNanos() == began)
                .isPresent();
        boolean claimsListed = !(first && listedFirst.contains(new Key(VOLUME, key)));
        return volume.map(found ->
                Decision.act(volumes.sync(found, situation, claimsListed).toArray(Effect[]::new)));
    }

    private static boolean hasFailed(Situation situation) {
        return situation.results().stream()
                .anyMatch(result -> result.storeFailure()
                        .filter(failure -> failure != Failure.NOT_FOUND)
                        .isPresent());
    }
}
