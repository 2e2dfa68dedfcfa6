// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import dev.mooring.runtime.cache.Multimap;
import dev.mooring.runtime.record.RecordEntry.Publish;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.VolumeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Which pod is the first to have a volume that can be given to one group only: pods that come at once take turns, and a pod has it once its
 * turn has ended well. Those of earlier processes are in the records. Thread-safe.
 */
final class FirstPods {
    /** A turn takes long in a large tree only; who waits longer would hold up other volumes. */
    private static final Duration WAIT = Duration.ofSeconds(2);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition over = lock.newCondition();
    // Guarded by the lock.
    private final Set<VolumeId> busy = new HashSet<>();
    private final Multimap<VolumeId, String> done = new Multimap<>();

    /** Runs a pod's turn when no other pod has its turn at the same volume; uncertain if that takes too long. */
    Outcome<Nothing> inTurn(PublishCall call, Supplier<Outcome<Nothing>> turn) {
        Publish record = call.record();
        if (!begin(record.volumeId())) {
            return Outcome.uncertain("the volume is being given to the group of another pod");
        }
        boolean well = false;
        try {
            Outcome<Nothing> outcome = turn.get();
            well = outcome.isDone();
            return outcome;
        } finally {
            end(record, well);
        }
    }

    /** The uids of the other pods that have the volume of a call, in this process or as recorded. */
    Stream<String> others(PublishCall call) {
        List<String> uids = new ArrayList<>(call.holders());
        lock.lock();
        try {
            uids.addAll(done.of(call.record().volumeId()));
        } finally {
            lock.unlock();
        }
        String own = call.record().pod().uid();
        return uids.stream().filter(uid -> !uid.equals(own));
    }

    /** A pod gives a volume back. */
    void left(Publish record) {
        lock.lock();
        try {
            done.remove(record.volumeId(), record.pod().uid());
        } finally {
            lock.unlock();
        }
    }

    private boolean begin(VolumeId volume) {
        lock.lock();
        try {
            long left = WAIT.toNanos();
            while (!busy.add(volume)) {
                if (left <= 0) {
                    return false;
                }
                left = over.awaitNanos(left);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    private void end(Publish record, boolean well) {
        lock.lock();
        try {
            busy.remove(record.volumeId());
            if (well) {
                done.add(record.volumeId(), record.pod().uid());
            }
            over.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
