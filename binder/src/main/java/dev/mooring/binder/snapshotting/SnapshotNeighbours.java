// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.snapshotting;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Lease;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.VolumeSnapshot;
import dev.mooring.storage.model.VolumeSnapshotClass;
import dev.mooring.storage.model.VolumeSnapshotContent;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.Snapshotting;
import dev.mooring.storage.store.ListOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What is left to other controllers of snapshots in the same cluster: all that is of drivers which no plugin here serves, and the users'
 * VolumeSnapshots while a snapshot-controller leads. Pure.
 *
 * @param plugins the plugins of this process
 * @param expected whether there may be others; if not, nothing is left to them
 */
record SnapshotNeighbours(PluginRegistry plugins, boolean expected) {
    private static final String FIND_PEER = "find-snapshot-controller";
    private static final String LEASE = "snapshot-controller-leader";
    private static final Duration AGAIN = Duration.ofMinutes(1);
    private static final ListOptions LEASES = ListOptions.ALL.withFields("metadata.name=" + LEASE);

    /** A Lease that is held at a moment. */
    private record HeldAt(Instant moment) implements Predicate<Lease> {
        @Override
        public boolean test(Lease lease) {
            return lease.metadata().name().equals(LEASE) && lease.spec().isHeldAt(moment);
        }
    }

    /** Whether only other controllers serve a content. */
    boolean own(VolumeSnapshotContent content) {
        return expected && !serves(content.spec().driver());
    }

    /**
     * Whether a snapshot belongs to other drivers alone. A snapshot that is to go, and names no driver any more, may be removed by any
     * controller.
     */
    boolean own(VolumeSnapshot snapshot, Caches caches) {
        if (!expected) {
            return false;
        }
        Optional<String> driver = caches.get(Kinds.VOLUME_SNAPSHOT_CONTENT, SnapshotMarks.contentOf(snapshot))
                .map(content -> content.spec().driver())
                .or(() -> snapshot.spec()
                        .volumeSnapshotClassName()
                        .flatMap(name -> caches.get(Kinds.VOLUME_SNAPSHOT_CLASS, ObjectKey.cluster(name)))
                        .map(VolumeSnapshotClass::driver))
                .or(() -> snapshot.spec()
                        .source()
                        .persistentVolumeClaimName()
                        .flatMap(name -> caches.get(
                                Kinds.PERSISTENT_VOLUME_CLAIM,
                                ObjectKey.of(snapshot.metadata().namespace(), name)))
                        .flatMap(claim -> driverOf(claim, caches)));
        return driver.map(name -> !serves(name)).orElse(!snapshot.metadata().isDeleting());
    }

    /** Whether a claim's volume is of a driver that others serve. */
    boolean own(PersistentVolumeClaim claim, Caches caches) {
        return expected && !driverOf(claim, caches).map(this::serves).orElse(false);
    }

    private Optional<String> driverOf(PersistentVolumeClaim claim, Caches caches) {
        return caches.get(
                        Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(claim.spec().volumeName()))
                .flatMap(volume -> volume.spec().source())
                .flatMap(plugins::serving)
                .map(plugin -> plugin.describe().name().value());
    }

    private boolean serves(String driver) {
        return plugins.named(driver)
                .filter(plugin -> plugin.describe().reclaimPlace() == Place.CONTROLLER)
                .flatMap(plugin -> plugin.capability(Snapshotting.class))
                .isPresent();
    }

    /**
     * Guards a decision that a snapshot-controller would make too. It changes something only after a live look has shown that none leads.
     *
     * @param wanted what is decided if none does
     * @param before what was known of the key
     */
    Decision unlessLed(Decision wanted, Optional<KeyState> before, Situation situation) {
        if (!expected || wanted.effects().isEmpty()) {
            return wanted;
        }
        Optional<EffectResult> looked = situation.resultOf(FIND_PEER);
        if (looked.isPresent()) {
            boolean free = looked.get().succeeded() && looked.get().found().isEmpty();
            return free ? wanted : new Decision(before, List.of(), Optional.of(AGAIN));
        }
        Optional<Duration> wait = situation.backoff(FIND_PEER);
        if (wait.isPresent()) {
            return new Decision(before, List.of(), wait);
        }
        Effect look = new Effect.FindLive<>(
                FIND_PEER, Kinds.LEASE, LEASES, new HeldAt(situation.now().wall()));
        // What a read shows is decided upon together with what the look shows.
        return wanted.effects().stream().allMatch(Effect.Read.class::isInstance)
                ? wanted.and(look)
                : new Decision(before, List.of(look), Optional.empty());
    }
}
