// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.HandTime;
import dev.mooring.storage.model.Event;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.ListOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An event sink on a store")
class StoreEventSinkTest {
    private final ToyStore store = new ToyStore(object -> ((Event) object)::withMetadata);
    private final HandTime time = new HandTime();
    private final StoreEventSink sink = new StoreEventSink(store, time);

    private static Announcement news(String uid, String message) {
        return new Announcement(
                Kinds.PERSISTENT_VOLUME_CLAIM,
                ObjectKey.of("ns", "claim"),
                uid,
                true,
                "FailedBinding",
                message,
                "persistentvolume-controller");
    }

    private List<Event> events() {
        return store.list(Kinds.EVENT, ListOptions.ALL).orThrow().items();
    }

    @Test
    @DisplayName("writes what happened to what, and when")
    void writes() {
        sink.announce(news("u", "no volume"));
        assertThat(events()).singleElement().satisfies(event -> {
            assertThat(event.metadata().namespace()).isEqualTo("ns");
            assertThat(event.metadata().name()).matches("claim\\.[0-9a-f]+");
            assertThat(event.involvedObject().kind()).isEqualTo("PersistentVolumeClaim");
            assertThat(event.involvedObject().apiVersion()).isEqualTo("v1");
            assertThat(event.involvedObject().uid()).isEqualTo("u");
            assertThat(event.type()).isEqualTo("Warning");
            assertThat(event.reason()).isEqualTo("FailedBinding");
            assertThat(event.message()).isEqualTo("no volume");
            assertThat(event.source().component()).isEqualTo("persistentvolume-controller");
            assertThat(event.count()).isEqualTo(1);
            assertThat(event.firstTimestamp()).contains(time.now().wall());
        });
    }

    @Test
    @DisplayName("goes on after a store that threw, whatever it was")
    void defects() {
        boolean[] broken = {true};
        ToyStore toy = new ToyStore(object -> {
            if (broken[0]) {
                throw new AssertionError("planted");
            }
            return ((Event) object)::withMetadata;
        });
        StoreEventSink careful = new StoreEventSink(toy, time);
        careful.announce(news("u", "lost"));
        broken[0] = false;
        careful.announce(news("u", "heard"));
        assertThat(toy.list(Kinds.EVENT, ListOptions.ALL).orThrow().items())
                .extracting(Event::message)
                .containsExactly("heard");
    }

    @Test
    @DisplayName("counts the same news, and writes other news beside it")
    void counts() {
        var first = time.now().wall();
        sink.announce(news("u", "no volume"));
        time.pass(Duration.ofMinutes(1));
        sink.announce(news("u", "no volume"));
        sink.announce(news("u", "no class"));
        sink.announce(news("v", "no volume"));
        assertThat(events()).extracting(Event::count).containsExactlyInAnyOrder(2L, 1L, 1L);
        assertThat(events())
                .filteredOn(event -> event.count() == 2)
                .singleElement()
                .satisfies(event -> {
                    assertThat(event.firstTimestamp()).contains(first);
                    assertThat(event.lastTimestamp()).contains(time.now().wall());
                });
    }

    @Test
    @DisplayName("puts news of cluster-scoped objects into the namespace default")
    void clusterScoped() {
        sink.announce(new Announcement(
                Kinds.PERSISTENT_VOLUME, ObjectKey.cluster("pv"), "u", false, "Recycled", "done", "recycler"));
        assertThat(events()).singleElement().satisfies(event -> {
            assertThat(event.metadata().namespace()).isEqualTo("default");
            assertThat(event.involvedObject().namespace()).isEmpty();
            assertThat(event.type()).isEqualTo("Normal");
        });
    }

    @Test
    @DisplayName("writes again what has expired, and counts on")
    void expired() {
        sink.announce(news("u", "no volume"));
        Event first = events().get(0);
        store.delete(Kinds.EVENT, ObjectKey.of(first), DeleteOptions.DEFAULT);
        time.pass(Duration.ofMinutes(90));
        sink.announce(news("u", "no volume"));
        assertThat(events()).singleElement().satisfies(event -> {
            assertThat(event.count()).isEqualTo(2);
            assertThat(event.metadata().name()).isEqualTo(first.metadata().name());
            assertThat(event.metadata().uid()).isNotEqualTo(first.metadata().uid());
            assertThat(event.firstTimestamp()).isEqualTo(first.firstTimestamp());
            assertThat(event.lastTimestamp()).contains(time.now().wall());
        });
    }

    @Test
    @DisplayName("counts on from what another process wrote")
    void conflict() {
        sink.announce(news("u", "no volume"));
        Event event = events().get(0);
        store.update(Kinds.EVENT, new dev.mooring.storage.store.Change<>(event, event.withCount(7)));
        sink.announce(news("u", "no volume"));
        assertThat(events()).extracting(Event::count).containsExactly(8L);
    }

    @Test
    @DisplayName("throws nothing when the store fails, and goes on afterwards")
    void storeFails() {
        store.down(true);
        sink.announce(news("u", "no volume"));
        store.down(false);
        store.broken(true);
        sink.announce(news("u", "no volume"));
        store.broken(false);
        sink.announce(news("u", "no volume"));
        assertThat(events()).hasSize(1);
    }

    @Test
    @DisplayName("remembers a bounded number of news")
    void bounded() {
        sink.announce(news("first", "no volume"));
        for (int i = 0; i < 4_096; i++) {
            sink.announce(news("other " + i, "no volume"));
        }
        sink.announce(news("first", "no volume"));
        assertThat(events())
                .filteredOn(event -> event.involvedObject().uid().equals("first"))
                .hasSize(2);
    }

    @Test
    @DisplayName("combines similar news in one event from the tenth message on")
    void combines() {
        for (int i = 1; i <= 20; i++) {
            sink.announce(news("u", "message " + i));
        }
        assertThat(events()).hasSize(10);
        assertThat(events())
                .filteredOn(event -> event.message().startsWith("(combined from similar events): "))
                .singleElement()
                .satisfies(event -> {
                    assertThat(event.message()).endsWith("message 20");
                    assertThat(event.count()).isEqualTo(11);
                });
    }

    @Test
    @DisplayName("does not write what is said too often, but counts it")
    void spam() {
        for (int i = 0; i < 100; i++) {
            sink.announce(news("u", "no volume"));
        }
        assertThat(events()).extracting(Event::count).containsExactly(25L);
        time.pass(Duration.ofMinutes(5));
        sink.announce(news("u", "no volume"));
        assertThat(events()).extracting(Event::count).containsExactly(101L);
    }

    @Test
    @DisplayName("returns at once while another thread writes, and loses nothing")
    void oneWriter() throws InterruptedException {
        CountDownLatch writing = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        StoreEventSink slowSink = new StoreEventSink(store, () -> {
            writing.countDown();
            try {
                goOn.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return time.now();
        });
        Thread writer = new Thread(() -> slowSink.announce(news("u", "first")));
        writer.start();
        writing.await();
        for (int i = 0; i < 2_000; i++) {
            slowSink.announce(news("u " + i, "more"));
        }
        goOn.countDown();
        writer.join();
        assertThat(events()).hasSize(1_001);
    }

    @Test
    @DisplayName("keeps names within the limit")
    void longName() {
        sink.announce(new Announcement(
                Kinds.PERSISTENT_VOLUME, ObjectKey.cluster("p".repeat(253)), "u", false, "R", "m", "c"));
        assertThat(events().get(0).metadata().name()).hasSizeLessThanOrEqualTo(253);
    }
}
