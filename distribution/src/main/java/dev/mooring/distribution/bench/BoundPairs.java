// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.bench;

import dev.mooring.runtime.control.TimeSource;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** When each volume and each claim of a run was seen to be Bound. Thread-safe. */
final class BoundPairs {
    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final TimeSource time;
    private final Map<ObjectKey, Long> volumes = new HashMap<>(); // guarded by this, as the next two
    private final Map<ObjectKey, Long> claims = new HashMap<>();
    private final Set<ObjectKey> available = new HashSet<>();
    private String failure = "";

    BoundPairs(TimeSource time) {
        this.time = time;
    }

    /** Takes note of an object as the server has it now. */
    synchronized void note(Object object) {
        if (object instanceof PersistentVolume volume) {
            ObjectKey key = ObjectKey.of(volume);
            if (volume.status().phase() == PersistentVolumePhase.BOUND) {
                volumes.putIfAbsent(key, time.now().monotonicNanos());
            } else if (volume.status().phase() == PersistentVolumePhase.AVAILABLE) {
                available.add(key);
            }
        } else if (object instanceof PersistentVolumeClaim claim
                && claim.status().phase() == ClaimPhase.BOUND) {
            claims.putIfAbsent(ObjectKey.of(claim), time.now().monotonicNanos());
        }
        notifyAll();
    }

    /** Nothing more will be noted: each waiting thread gets this message. */
    synchronized void fail(String message) {
        failure = message;
        notifyAll();
    }

    /** When the later one of the two was seen to be Bound. */
    synchronized long boundAt(ObjectKey volume, ObjectKey claim) {
        return Math.max(volumes.getOrDefault(volume, 0L), claims.getOrDefault(claim, 0L));
    }

    synchronized void awaitAvailable(int count) throws InterruptedException {
        await(() -> available.size() >= count, count + " volumes available");
    }

    synchronized void awaitBound(int pairs) throws InterruptedException {
        await(() -> volumes.size() >= pairs && claims.size() >= pairs, pairs + " pairs bound");
    }

    private void await(BooleanSupplier reached, String what) throws InterruptedException {
        long begin = time.now().monotonicNanos();
        while (!reached.getAsBoolean()) {
            if (!failure.isEmpty()) {
                throw new IllegalStateException(what + ": " + failure);
            }
            if (time.now().monotonicNanos() - begin > PATIENCE_NANOS) {
                throw new IllegalStateException(what + ": not within 10 minutes; volumes bound: " + volumes.size()
                        + ", claims bound: " + claims.size() + ", volumes available: " + available.size());
            }
            wait(100);
        }
    }
}
