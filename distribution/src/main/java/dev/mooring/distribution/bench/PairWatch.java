// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.bench;

import dev.mooring.runtime.control.TimeSource;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.Watch;
import dev.mooring.storage.store.WatchEvent;
import dev.mooring.storage.store.WatchListener;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Sees when each claim and each volume of a run is where it shall be, and counts every change of them. Thread-safe. */
final class PairWatch implements AutoCloseable {
    private final TimeSource time;
    private final String run;
    private final List<Watch> watches = new ArrayList<>();
    private final Map<String, Long> bound =
            new HashMap<>(); // volume by its name, claim by "run/name"; guarded by this, as all below
    private final Set<String> available = new HashSet<>();
    private final Set<String> seen = new HashSet<>();
    private final Map<String, String> partner = new HashMap<>();
    private long changes;
    private Optional<String> broken = Optional.empty();

    PairWatch(ClusterStore store, TimeSource time, String run) {
        this.time = time;
        this.run = run;
        Revision from = store.list(Kinds.PERSISTENT_VOLUME, ListOptions.ALL.withLimit(1))
                .orThrow()
                .revision();
        watches.add(store.watch(Kinds.PERSISTENT_VOLUME, ListOptions.ALL, from, new Listener<>(this::volume)));
        watches.add(store.watch(
                Kinds.PERSISTENT_VOLUME_CLAIM, ListOptions.inNamespace(run), from, new Listener<>(this::claim)));
    }

    private synchronized void volume(PersistentVolume volume) {
        String name = volume.metadata().name();
        if (name.startsWith(run + "-")) {
            count(name);
            if (volume.status().phase() == PersistentVolumePhase.BOUND) {
                bound.putIfAbsent(name, time.now().monotonicNanos());
                volume.spec().claimRef().ifPresent(claim -> {
                    partner.put(run + "/" + claim.name(), name);
                    partner.put(name, run + "/" + claim.name());
                });
            } else if (volume.status().phase() == PersistentVolumePhase.AVAILABLE) {
                available.add(name);
            }
            notifyAll();
        }
    }

    private synchronized void claim(PersistentVolumeClaim claim) {
        String name = run + "/" + claim.metadata().name();
        count(name);
        if (claim.status().phase() == ClaimPhase.BOUND) {
            bound.putIfAbsent(name, time.now().monotonicNanos());
        }
        notifyAll();
    }

    /** The first sight of an object is its creation, which is not the controllers' work. */
    private void count(String name) {
        if (!seen.add(name)) {
            changes++;
        }
    }

    synchronized long changes() {
        return changes;
    }

    /** When both an object and its counterpart were bound. */
    synchronized long boundAt(String name) {
        return Math.max(bound.getOrDefault(name, 0L), bound.getOrDefault(partner.getOrDefault(name, ""), 0L));
    }

    synchronized void awaitAvailable(int count) throws InterruptedException {
        await(() -> available.size() >= count, count + " volumes available");
    }

    synchronized void awaitSeen(int count) throws InterruptedException {
        await(() -> seen.size() >= count, count + " objects seen");
    }

    synchronized void awaitBound(int pairs) throws InterruptedException {
        await(() -> bound.size() >= 2 * pairs, pairs + " pairs bound");
    }

    private void await(java.util.function.BooleanSupplier reached, String what) throws InterruptedException {
        long end = time.now().monotonicNanos() + TimeUnit.MINUTES.toNanos(10);
        while (!reached.getAsBoolean()) {
            if (broken.isPresent() || time.now().monotonicNanos() - end > 0) {
                throw new IllegalStateException(what + ": " + broken.orElse("not within 10 minutes") + "; bound: "
                        + bound.size() + ", available: " + available.size());
            }
            wait(100);
        }
    }

    private synchronized void ended(String message) {
        broken = Optional.of("the watch ended: " + message);
        notifyAll();
    }

    @Override
    public void close() {
        watches.forEach(Watch::close);
    }

    private final class Listener<T extends KubernetesObject> implements WatchListener<T> {
        private final java.util.function.Consumer<T> changed;

        Listener(java.util.function.Consumer<T> changed) {
            this.changed = changed;
        }

        @Override
        public void onEvent(WatchEvent<T> event) {
            if (event.type() != WatchEvent.Type.DELETED) {
                changed.accept(event.object());
            }
        }

        @Override
        public void onBookmark(Revision revision) {
            // nothing happened
        }

        @Override
        public void onEnd(StoreResult.Failure reason, String message) {
            ended(message);
        }
    }
}
