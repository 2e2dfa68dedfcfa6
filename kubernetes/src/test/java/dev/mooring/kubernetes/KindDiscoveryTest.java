// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.control.Time;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.Watch;
import dev.mooring.storage.store.WatchEvent;
import dev.mooring.storage.store.WatchListener;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Kinds that the server lacks, and kinds that it learns while we run. */
@Tag("long")
class KindDiscoveryTest {
    private static final Duration AGAIN = Duration.ofMinutes(1);

    private final FakeServer server = new FakeServer();
    private final Transport transport = new Transport(
            server.connection().config(),
            KubernetesOptions.DEFAULT.withRequestTimeout(FakeServer.AMPLE),
            TimeSource.system());
    private final AtomicLong nanos = new AtomicLong();
    private final ApiDiscovery discovery =
            new ApiDiscovery(transport, () -> new Time(Instant.EPOCH, nanos.get()), AGAIN);
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

    @AfterEach
    void close() {
        transport.close();
        server.close();
    }

    private void pass(Duration duration) {
        nanos.addAndGet(duration.toNanos());
    }

    private boolean serves(Kind<?> kind) {
        return discovery.serves(kind).orThrow();
    }

    @Test
    void whatIsMissingIsAskedForOnceInAnIntervalAndFoundWhenItHasCome() {
        for (int i = 0; i < 3; i++) {
            assertThat(serves(Kinds.CSI_STORAGE_CAPACITY)).isFalse();
            assertThat(serves(Kinds.VOLUME_ATTRIBUTES_CLASS)).isFalse();
        }
        assertThat(server.questions()).isEqualTo(1);
        server.serveStorage("csistoragecapacities");
        pass(AGAIN.minusNanos(1));
        assertThat(serves(Kinds.CSI_STORAGE_CAPACITY)).isFalse();
        pass(Duration.ofNanos(1));
        assertThat(serves(Kinds.CSI_STORAGE_CAPACITY)).isTrue();
        assertThat(serves(Kinds.VOLUME_ATTRIBUTES_CLASS)).isFalse();
        assertThat(server.questions()).isEqualTo(2);
    }

    @Test
    void whatIsServedIsNotAskedForAgain() {
        server.serveStorage("storageclasses");
        assertThat(serves(Kinds.STORAGE_CLASS)).isTrue();
        pass(AGAIN.multipliedBy(10));
        assertThat(serves(Kinds.STORAGE_CLASS)).isTrue();
        assertThat(server.questions()).isEqualTo(1);
    }

    @Test
    void aServerThatDoesNotSayChangesNothing() {
        assertThat(serves(Kinds.CSI_STORAGE_CAPACITY)).isFalse();
        pass(AGAIN);
        server.close();
        assertThat(serves(Kinds.CSI_STORAGE_CAPACITY)).isFalse();
    }

    /** As of a proxy whose server is not there: no volumes would be a reason to call every claim lost. */
    @Test
    void aCoreThatIsNotFoundIsNotTakenToBeEmpty() {
        server.answerCore(404);
        assertThat(discovery.serves(Kinds.PERSISTENT_VOLUME).failure()).contains(Failure.UNAVAILABLE);
        server.answerCore(200);
        assertThat(serves(Kinds.PERSISTENT_VOLUME)).isTrue();
    }

    private KubernetesStore store() {
        return KubernetesStore.open(server.connection(), KubernetesOptions.DEFAULT, Duration.ofMillis(20));
    }

    private <T extends KubernetesObject> Watch watch(KubernetesStore store, Kind<T> kind) {
        return store.watch(kind, ListOptions.ALL, Revision.ZERO, new Listener<>(kind.plural()));
    }

    @Test
    void watchesOfWhatIsMissingAreToldToListWhenItHasCome() throws InterruptedException {
        server.answer(
                200, "", "{\"metadata\":{\"resourceVersion\":\"7\"},\"items\":[{\"metadata\":{\"name\":\"a\"}}]}");
        try (KubernetesStore store = store()) {
            assertThat(store.list(Kinds.CSI_DRIVER, ListOptions.ALL).orThrow().items())
                    .isEmpty();
            watch(store, Kinds.CSI_DRIVER);
            watch(store, Kinds.CSI_DRIVER);
            watch(store, Kinds.VOLUME_ATTRIBUTES_CLASS);
            watch(store, Kinds.CSI_NODE).close();
            assertThat(server.requests()).isZero();
            server.serveStorage("csidrivers", "csinodes");
            // As after the server's restart, which ends every watch.
            watch(store, Kinds.VOLUME_ATTRIBUTES_CLASS);
            assertThat(List.of(next(), next())).containsOnly("csidrivers end GONE");
            assertThat(store.list(Kinds.CSI_DRIVER, ListOptions.ALL).orThrow().items())
                    .extracting(ObjectKey::of)
                    .containsExactly(ObjectKey.cluster("a"));
            assertThat(store.get(Kinds.VOLUME_ATTRIBUTES_CLASS, ObjectKey.cluster("a"))
                            .failure())
                    .contains(Failure.NOT_FOUND);
        }
        assertThat(List.of(next(), next()))
                .as("the ones that never came")
                .containsOnly("volumeattributesclasses end UNAVAILABLE");
        assertThat(heard).as("what was closed says nothing").isEmpty();
    }

    private String next() throws InterruptedException {
        return String.valueOf(heard.poll(240, TimeUnit.SECONDS));
    }

    private final class Listener<T extends KubernetesObject> implements WatchListener<T> {
        private final String name;

        Listener(String name) {
            this.name = name;
        }

        @Override
        public void onEvent(WatchEvent<T> event) {
            heard.add(name + " " + event.type());
        }

        @Override
        public void onBookmark(Revision revision) {
            heard.add(name + " bookmark");
        }

        @Override
        public void onEnd(StoreResult.Failure reason, String message) {
            heard.add(name + " end " + reason);
        }
    }
}
