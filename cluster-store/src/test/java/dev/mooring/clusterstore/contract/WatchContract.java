// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.LabelSelector;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.Watch;
import dev.mooring.storage.store.WatchEvent;
import dev.mooring.storage.store.WatchListener;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Watches. */
abstract class WatchContract extends ListContract {
    private static final LabelSelector GOLD = new LabelSelector(Map.of("tier", "gold"), List.of());

    @Test
    void aWatchShowsEveryStepInOrder() {
        WatchRecorder<PersistentVolume> watch = watch(PV, ListOptions.ALL, now());
        PersistentVolume created = create(volume("a"));
        PersistentVolume free =
                edit(created, metadata -> metadata.withFinalizers(List.of())).orThrow();
        Revision deletion = store().delete(PV, ObjectKey.of(free), DeleteOptions.DEFAULT)
                .orThrow()
                .revision();
        List<WatchEvent<PersistentVolume>> events = watch.events(3);
        assertThat(watch.steps(3)).containsExactly("ADDED a", "MODIFIED a", "DELETED a");
        assertThat(events.get(0).object()).isEqualTo(created);
        assertThat(events.get(1).object()).isEqualTo(free);
        assertThat(events.get(2).revision().equals(deletion)).isEqualTo(deletionTellsItsRevision());
        assertThat(events.get(2).revision().isAfter(revisionOf(free))).isTrue();
        assertThat(revisionOf(events.get(2).object())).isEqualTo(events.get(2).revision());
        assertThat(events.get(2).object().spec()).isEqualTo(free.spec());
        events.forEach(event -> assertThat(revisionOf(event.object())).isEqualTo(event.revision()));
    }

    @Test
    void aWatchResumesAfterARevision() {
        PersistentVolume first = create(volume("a"));
        create(volume("b"));
        create(volume("c"));
        WatchRecorder<PersistentVolume> watch = watch(PV, ListOptions.ALL, revisionOf(first));
        assertThat(watch.steps(2)).containsExactly("ADDED b", "ADDED c");
        create(volume("d"));
        assertThat(watch.steps(3)).containsExactly("ADDED b", "ADDED c", "ADDED d");
    }

    @Test
    void aListAndItsWatchMissNothing() {
        create(volume("a"));
        Revision revision = store().list(PV, ListOptions.ALL).orThrow().revision();
        create(volume("b"));
        assertThat(watch(PV, ListOptions.ALL, revision).steps(1)).containsExactly("ADDED b");
    }

    @Test
    void aWatchShowsItsKindAndNamespaceOnly() {
        WatchRecorder<?> watch = watch(PVC, ListOptions.inNamespace("x"), now());
        create(volume("a"));
        create(claim("y", "b"));
        create(claim("x", "c"));
        assertThat(watch.steps(1)).containsExactly("ADDED c");
    }

    @Test
    void anObjectThatEntersTheSelectionIsAddedAndOneThatLeavesItDeleted() {
        WatchRecorder<PersistentVolume> watch = watch(PV, ListOptions.ALL.withLabels(GOLD), now());
        PersistentVolume plain = create(volume("a"));
        PersistentVolume gold = edit(plain, metadata -> metadata.withLabels(Map.of("tier", "gold")))
                .orThrow();
        PersistentVolume marked = edit(gold, metadata -> metadata.withAnnotation("example.com/mark", "1"))
                .orThrow();
        PersistentVolume left =
                edit(marked, metadata -> metadata.withLabels(Map.of())).orThrow();
        destroy(left);
        create(labelled(volume("b"), "tier", "gold"));
        assertThat(watch.steps(4)).containsExactly("ADDED a", "MODIFIED a", "DELETED a", "ADDED b");
        WatchEvent<PersistentVolume> leaving = watch.events(4).get(2);
        assertThat(leaving.revision()).isEqualTo(revisionOf(left));
        assertThat(revisionOf(leaving.object())).isEqualTo(revisionOf(left));
        assertThat(leaving.object().metadata().uid()).isEqualTo(plain.metadata().uid());
    }

    @Test
    void aWatchSelectsByField() {
        WatchRecorder<PersistentVolume> watch = watch(PV, ListOptions.ALL.withFields("metadata.name=b"), now());
        create(volume("a"));
        create(volume("b"));
        assertThat(watch.steps(1)).containsExactly("ADDED b");
    }

    @Test
    void theMarkOfADeletionIsAModification() {
        PersistentVolume base = edit(create(volume("a")), metadata -> metadata.withFinalizer("example.com/one"))
                .orThrow();
        WatchRecorder<PersistentVolume> watch = watch(PV, ListOptions.ALL, now());
        store().delete(PV, ObjectKey.of(base), DeleteOptions.DEFAULT).orThrow();
        WatchEvent<PersistentVolume> marked = watch.events(1).get(0);
        assertThat(marked.type()).isEqualTo(WatchEvent.Type.MODIFIED);
        assertThat(marked.object().metadata().isDeleting()).isTrue();
        edit(marked.object(), metadata -> metadata.withFinalizers(List.of())).orThrow();
        assertThat(watch.steps(2)).containsExactly("MODIFIED a", "DELETED a");
    }

    @Test
    void aChangeThatAltersNothingIsNoEvent() {
        PersistentVolume base = create(volume("a"));
        WatchRecorder<PersistentVolume> watch = watch(PV, ListOptions.ALL, now());
        edit(base, metadata -> metadata).orThrow();
        create(volume("b"));
        assertThat(watch.steps(1)).containsExactly("ADDED b");
    }

    @Test
    void aForgottenRevisionIsGone() {
        Revision old = now();
        create(volume("a"));
        forgetHistory();
        assertThat(watch(PV, ListOptions.ALL, old).end()).isEqualTo(Failure.GONE);
    }

    @Test
    void aRevisionThatHasNotComeIsGone() {
        create(volume("a"));
        Revision future = new Revision(now().value() + 1_000_000);
        WatchRecorder<PersistentVolume> watch = watch(PV, ListOptions.ALL, future);
        if (refusesFutureRevisions()) {
            assertThat(watch.end()).isEqualTo(Failure.GONE);
        } else {
            WatchRecorder<PersistentVolume> present = watch(PV, ListOptions.ALL, now());
            create(volume("b"));
            present.events(1);
            assertThat(watch.soFar()).isZero();
        }
    }

    @Test
    void aListenerThatThrowsEndsItsOwnWatchOnly() {
        WatchRecorder<PersistentVolume> healthy = watch(PV, ListOptions.ALL, now());
        Broken broken = new Broken(patienceMillis());
        Watch breaking = store().watch(PV, ListOptions.ALL, now(), broken);
        create(volume("a"));
        create(volume("b"));
        assertThat(broken.recorder.end()).isEqualTo(Failure.GONE);
        assertThat(healthy.steps(2)).containsExactly("ADDED a", "ADDED b");
        assertThat(broken.recorder.soFar()).isZero();
        breaking.close();
        assertThat(healthy.hasEnded()).isFalse();
    }

    @Test
    void aListenerThatBlocksStopsNoOther() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        Blocking blocking = new Blocking(entered, leave);
        Watch held = store().watch(PV, ListOptions.ALL, now(), blocking);
        WatchRecorder<PersistentVolume> free = watch(PV, ListOptions.ALL, now());
        Thread writer = new Thread(() -> create(volume("a")));
        writer.start();
        try {
            assertThat(entered.await(patienceMillis(), TimeUnit.MILLISECONDS)).isTrue();
            create(volume("b"));
            assertThat(free.steps(2)).containsExactly("ADDED a", "ADDED b");
        } finally {
            leave.countDown();
            writer.join();
            held.close();
        }
    }

    @Test
    void aClosedWatchSaysNothingMore() {
        WatchRecorder<PersistentVolume> closed = new WatchRecorder<>(patienceMillis());
        Watch watch = store().watch(PV, ListOptions.ALL, now(), closed);
        WatchRecorder<PersistentVolume> other = watch(PV, ListOptions.ALL, now());
        watch.close();
        watch.close();
        create(volume("a"));
        other.events(1);
        assertThat(closed.soFar()).isZero();
        assertThat(closed.hasEnded()).isFalse();
    }

    private static final class Broken implements WatchListener<PersistentVolume> {
        final WatchRecorder<PersistentVolume> recorder;

        Broken(long patienceMillis) {
            recorder = new WatchRecorder<>(patienceMillis);
        }

        @Override
        public void onEvent(WatchEvent<PersistentVolume> event) {
            throw new IllegalStateException("on purpose");
        }

        @Override
        public void onBookmark(Revision revision) {
            recorder.onBookmark(revision);
        }

        @Override
        public void onEnd(Failure reason, String message) {
            recorder.onEnd(reason, message);
        }
    }

    private record Blocking(CountDownLatch entered, CountDownLatch leave) implements WatchListener<PersistentVolume> {
        @Override
        public void onEvent(WatchEvent<PersistentVolume> event) {
            entered.countDown();
            try {
                leave.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void onBookmark(Revision revision) {}

        @Override
        public void onEnd(Failure reason, String message) {}
    }
}
