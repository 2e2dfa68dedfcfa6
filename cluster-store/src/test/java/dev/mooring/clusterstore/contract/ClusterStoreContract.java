// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.WatchEvent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/**
 * What every {@link dev.mooring.storage.store.ClusterStore} does: each sentence of the port's documentation that can be observed from
 * outside. A store's test extends this class and says how to make the store. Here stands what many threads see; single objects, lists
 * and watches stand in the classes that this one extends.
 */
public abstract class ClusterStoreContract extends WatchContract {
    private static final int THREADS = 4;
    private static final int ROUNDS = 25;
    private static final String COUNT = "example.com/count";

    /** For subclasses. */
    protected ClusterStoreContract() {}

    @Test
    void ofWritersOnOneVersionExactlyOneWins() throws Exception {
        PersistentVolume current = create(volume("a"));
        for (int round = 0; round < ROUNDS; round++) {
            PersistentVolume base = current;
            List<StoreResult<PersistentVolume>> results = together(me -> edit(
                    base,
                    metadata -> metadata.withAnnotation(COUNT, base.metadata().resourceVersion() + me)));
            List<PersistentVolume> winners = new ArrayList<>();
            results.forEach(result -> result.value().ifPresent(winners::add));
            assertThat(winners).hasSize(1);
            assertThat(results.stream().flatMap(result -> result.failure().stream()))
                    .hasSize(THREADS - 1)
                    .containsOnly(Failure.CONFLICT);
            assertThat(revisionOf(winners.get(0)).isAfter(revisionOf(base))).isTrue();
            current = winners.get(0);
            assertThat(store().get(PV, ObjectKey.cluster("a")).orThrow()).isEqualTo(current);
        }
    }

    @Test
    void ofCreatorsOfOneNameExactlyOneWins() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            String name = "v" + round;
            List<StoreResult<PersistentVolume>> results = together(me -> store().create(PV, volume(name)));
            assertThat(results.stream().filter(result -> result.failure().isEmpty()))
                    .hasSize(1);
        }
    }

    @Test
    void noIncrementIsLost() throws Exception {
        create(annotated(volume("a"), COUNT, "0"));
        together(me -> {
            for (int i = 0; i < ROUNDS; i++) {
                increment();
            }
            return true;
        });
        assertThat(store().get(PV, ObjectKey.cluster("a")).orThrow().metadata().annotation(COUNT))
                .contains(Integer.toString(THREADS * ROUNDS));
    }

    private void increment() {
        while (true) {
            PersistentVolume base = store().get(PV, ObjectKey.cluster("a")).orThrow();
            int count = Integer.parseInt(base.metadata().annotation(COUNT).orElseThrow());
            if (edit(base, metadata -> metadata.withAnnotation(COUNT, Integer.toString(count + 1)))
                    .failure()
                    .isEmpty()) {
                return;
            }
        }
    }

    @Test
    void aReadShowsEveryWriteThatWasAcknowledgedBefore() throws Exception {
        List<Set<Revision>> revisions = together(me -> {
            Set<Revision> mine = new TreeSet<>();
            for (int i = 0; i < ROUNDS; i++) {
                PersistentVolume created = create(volume("v" + me + "-" + i));
                assertThat(store().get(PV, ObjectKey.of(created)).orThrow()).isEqualTo(created);
                assertThat(now()).isGreaterThanOrEqualTo(revisionOf(created));
                mine.add(revisionOf(created));
            }
            return mine;
        });
        Set<Revision> all = new TreeSet<>();
        revisions.forEach(all::addAll);
        assertThat(all).hasSize(THREADS * ROUNDS);
    }

    @Test
    void aWatchShowsTheWritesOfManyThreadsOnceEachInOrder() throws Exception {
        WatchRecorder<PersistentVolume> watch = follow(now());
        together(me -> {
            for (int i = 0; i < ROUNDS; i++) {
                create(volume("v" + me + "-" + i));
            }
            return true;
        });
        List<WatchEvent<PersistentVolume>> events = watch.events(THREADS * ROUNDS);
        Revision last = Revision.ZERO;
        for (WatchEvent<PersistentVolume> event : events) {
            assertThat(event.revision().isAfter(last)).isTrue();
            last = event.revision();
        }
    }

    @Test
    void watchesThatStartAmongWritesMissNothing() throws Exception {
        Revision start = now();
        List<WatchRecorder<PersistentVolume>> watches = Collections.synchronizedList(new ArrayList<>());
        together(me -> {
            for (int i = 0; i < ROUNDS; i++) {
                create(volume("v" + me + "-" + i));
                watches.add(follow(start));
            }
            return true;
        });
        List<String> expected = watches.get(0).steps(THREADS * ROUNDS);
        for (WatchRecorder<PersistentVolume> recorder : watches) {
            assertThat(recorder.steps(THREADS * ROUNDS)).isEqualTo(expected);
        }
    }

    private static <R> List<R> together(Work<R> work) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Callable<R>> calls = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int me = i;
                calls.add(() -> work.run(me));
            }
            List<R> results = new ArrayList<>();
            for (Future<R> future : threads.invokeAll(calls)) {
                results.add(future.get());
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }

    /** What each thread does. */
    private interface Work<R> {
        R run(int me) throws Exception;
    }
}
