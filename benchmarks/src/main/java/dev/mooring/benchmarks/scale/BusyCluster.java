// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.scale;

import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Writes to a cluster as its users do: new pairs of a volume and a claim, beside changes of everything else. */
final class BusyCluster {
    private static final String NAMESPACE = "new";
    private static final double SHARE_PER_SECOND = 0.01;
    /** A prime, so that each kind has its share in a short time too. */
    private static final long STRIDE = 7_919;

    private static final long NANOS = 1_000_000_000;
    private static final long PAUSE_MILLIS = 20;

    private final RecordedCluster cluster;
    private int pairs;

    BusyCluster(RecordedCluster cluster) {
        this.cluster = cluster;
        cluster.namespace(NAMESPACE);
    }

    /** Makes volumes and then claims for them, and waits until all are bound; how many seconds that took, from the first volume. */
    double bind(int count) throws InterruptedException {
        int first = pairs;
        pairs += count;
        long begin = System.nanoTime();
        for (int i = first; i < pairs; i++) {
            cluster.create(Kinds.PERSISTENT_VOLUME, """
                    {"apiVersion":"v1","kind":"PersistentVolume","metadata":{"name":"new-%1$d"},
                     "spec":{"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],"nfs":{"server":"nfs.example.com","path":"/%1$d"},
                     "persistentVolumeReclaimPolicy":"Retain","storageClassName":"by-hand","volumeMode":"Filesystem"}}""".formatted(i));
        }
        for (int i = first; i < pairs; i++) {
            cluster.create(Kinds.PERSISTENT_VOLUME_CLAIM, """
                    {"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"new-%d","namespace":"%s"},
                     "spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}},
                     "storageClassName":"by-hand","volumeMode":"Filesystem"}}""".formatted(i, NAMESPACE));
        }
        for (int i = first; i < pairs; i++) {
            ObjectKey key = ObjectKey.of(NAMESPACE, "new-" + i);
            while (!isBound(
                    cluster.store().get(Kinds.PERSISTENT_VOLUME_CLAIM, key).orThrow())) {
                Thread.sleep(PAUSE_MILLIS);
            }
        }
        return (System.nanoTime() - begin) / (double) NANOS;
    }

    private static boolean isBound(PersistentVolumeClaim claim) {
        return claim.status().phase() == ClaimPhase.BOUND;
    }

    /** Changes one of a hundred objects per second until it is closed. */
    Changes changes() {
        return new Changes();
    }

    /** The changes, on a thread of their own. */
    final class Changes implements AutoCloseable {
        private final AtomicBoolean ended = new AtomicBoolean();
        private final AtomicLong made = new AtomicLong();
        private final Thread thread = new Thread(this::run, "changes");

        private Changes() {
            thread.start();
        }

        /** How many there were so far. */
        long made() {
            return made.get();
        }

        private void run() {
            long total =
                    RecordedCluster.RECORDED.stream().mapToLong(cluster::count).sum();
            long begin = System.nanoTime();
            while (!ended.get()) {
                double wanted = (System.nanoTime() - begin) / (double) NANOS * total * SHARE_PER_SECOND;
                while (made.get() < wanted && !ended.get()) {
                    long turn = made.getAndIncrement();
                    touch(turn * STRIDE % total, Long.toString(turn));
                }
                LockSupport.parkNanos(PAUSE_MILLIS * 1_000_000);
            }
        }

        /** By the object's number among those of all kinds. */
        private void touch(long object, String value) {
            long number = object;
            for (Kind<?> kind : RecordedCluster.RECORDED) {
                if (number < cluster.count(kind)) {
                    cluster.touch(kind, (int) number, value);
                    return;
                }
                number -= cluster.count(kind);
            }
        }

        @Override
        public void close() {
            ended.set(true);
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
