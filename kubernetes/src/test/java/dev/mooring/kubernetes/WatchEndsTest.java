// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.FieldSelection;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.WatchEvent;
import dev.mooring.storage.store.WatchListener;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a watch says when its stream ends, breaks or talks nonsense. */
@Tag("long")
class WatchEndsTest {
    private final FakeServer server = new FakeServer();
    private final KubernetesStore store = server.store(FakeServer.AMPLE);
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

    @AfterEach
    void close() {
        store.close();
        server.close();
    }

    private String watched(int count) throws InterruptedException {
        return watched(ListOptions.ALL, count);
    }

    private String watched(ListOptions options, int count) throws InterruptedException {
        return watched(store, options, count);
    }

    private String watched(KubernetesStore asked, ListOptions options, int count) throws InterruptedException {
        asked.watch(Kinds.PERSISTENT_VOLUME, options, new Revision(5), new Listener());
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < count; i++) {
            all.append(i == 0 ? "" : ", ").append(heard.poll(240, TimeUnit.SECONDS));
        }
        return all.toString();
    }

    private static String event(String type, int revision) {
        return "{\"type\":\"" + type + "\",\"object\":{\"kind\":\"PersistentVolume\",\"metadata\":{\"name\":\"a\","
                + "\"resourceVersion\":\"" + revision + "\"},\"spec\":{}}}\n";
    }

    @Test
    void eventsAndBookmarksComeInOrderAndTheEndSaysToResume() throws InterruptedException {
        server.answer(200, "", event("ADDED", 6) + event("BOOKMARK", 8) + event("DELETED", 9));
        assertThat(watched(4)).isEqualTo("ADDED 6, bookmark 8, DELETED 9, end UNAVAILABLE");
        assertThat(server.texts().get(0))
                .contains("resourceVersion=5", "allowWatchBookmarks=true", "watch=1", "timeoutSeconds=");
    }

    @Test
    void whatIsNotKeptOfObjectsIsPassedOverButNotWhatTheServerSays() throws InterruptedException {
        ListOptions slim = ListOptions.ALL.keeping(FieldSelection.of("metadata.uid"));
        server.answer(
                200,
                "",
                event("ADDED", 6) + event("BOOKMARK", 8)
                        + "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":410}}\n");
        assertThat(watched(slim, 3)).isEqualTo("ADDED 6, bookmark 8, end GONE");
        server.answer(
                200,
                "",
                "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"message\":\"Timeout\",\"details\":{\"causes\":"
                        + "[{\"reason\":\"ResourceVersionTooLarge\"}]},\"code\":504}}\n");
        assertThat(watched(slim, 1)).isEqualTo("end GONE");
    }

    @Test
    void aRevisionThatIsForgottenIsGoneHoweverItIsSaid() throws InterruptedException {
        server.answer(410, "", "{\"kind\":\"Status\",\"code\":410,\"reason\":\"Expired\"}");
        assertThat(watched(1)).isEqualTo("end GONE");
        server.answer(
                200, "", event("ADDED", 6) + "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":410}}\n");
        assertThat(watched(2)).isEqualTo("ADDED 6, end GONE");
    }

    @Test
    void aRevisionOfTheFutureIsGoneToo() throws InterruptedException {
        for (String status : List.of(
                "{\"kind\":\"Status\",\"message\":\"Timeout\",\"reason\":\"Timeout\",\"details\":{\"causes\":"
                        + "[{\"reason\":\"ResourceVersionTooLarge\"}],\"retryAfterSeconds\":1},\"code\":504}",
                "{\"kind\":\"Status\",\"message\":\"Timeout: Too large resource version: 5, current: 3\",\"code\":504}")) {
            server.answer(504, "Retry-After: 1\r\n", status);
            assertThat(watched(1)).isEqualTo("end GONE");
            server.answer(200, "", "{\"type\":\"ERROR\",\"object\":" + status + "}\n");
            assertThat(watched(1)).isEqualTo("end GONE");
        }
        server.answer(504, "", "{\"kind\":\"Status\",\"message\":\"Timeout\",\"reason\":\"Timeout\",\"code\":504}");
        assertThat(watched(1)).as("a server that is slow").isEqualTo("end UNAVAILABLE");
    }

    @Test
    void aServerThatIsBusyIsComeBackTo() throws InterruptedException {
        server.answer(429, "", "{\"kind\":\"Status\",\"code\":429}");
        assertThat(watched(1)).isEqualTo("end UNAVAILABLE");
        server.answer(500, "", "");
        assertThat(watched(1)).isEqualTo("end UNAVAILABLE");
        server.answer(200, "", "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":500}}\n");
        assertThat(watched(1)).isEqualTo("end UNAVAILABLE");
    }

    @Test
    void aServerThatSaysWhenToComeAgainIsLeftAloneUntilThen() throws InterruptedException {
        for (String busy : List.of("Retry-After: 2\r\n", "")) {
            server.answer(429, busy, "{\"kind\":\"Status\",\"code\":429,\"details\":{\"retryAfterSeconds\":2}}");
            long begun = System.nanoTime();
            assertThat(watched(1)).isEqualTo("end UNAVAILABLE");
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(Duration.ofSeconds(2));
        }
    }

    @Test
    void aStreamThatBreaksIsResumed() throws InterruptedException {
        store.list(Kinds.PERSISTENT_VOLUME, ListOptions.ALL);
        server.behave(FakeServer.Behaviour.CUT_AFTER_REQUEST);
        assertThat(watched(1)).isEqualTo("end UNAVAILABLE");
        server.behave(FakeServer.Behaviour.CUT_IN_ANSWER);
        assertThat(watched(1)).isEqualTo("end UNAVAILABLE");
        server.behave(FakeServer.Behaviour.HANG);
        try (KubernetesStore impatient = impatient()) {
            assertThat(watched(impatient, ListOptions.ALL, 1))
                    .as("in the time for a request")
                    .isEqualTo("end UNAVAILABLE");
        }
        assertThat(heard).isEmpty();
    }

    @Test
    void anEventThatCannotBeReadAsksForANewList() throws InterruptedException {
        server.answer(200, "", event("ADDED", 6) + "{\"type\":\"MODIFIED\",\"object\":{\"metadata\":7}}\n");
        assertThat(watched(2)).isEqualTo("ADDED 6, end GONE");
        server.answer(200, "", "no json\n");
        assertThat(watched(1)).isEqualTo("end GONE");
    }

    @Test
    void aTypeThatIsNotKnownYetIsPassedOver() throws InterruptedException {
        server.answer(200, "", event("FUTURE", 6) + event("ADDED", 7));
        assertThat(watched(1)).isEqualTo("ADDED 7");
    }

    @Test
    void whereNothingIsAnsweredAndNothingElseComesTheWatchEndsForTheConnectionIsDead() throws InterruptedException {
        try (KubernetesStore impatient = impatient()) {
            server.behave(FakeServer.Behaviour.WATCH);
            beginWatch(impatient);
            server.behave(FakeServer.Behaviour.HANG_AND_TELL_WATCHES);
            assertThat(impatient.list(Kinds.PERSISTENT_VOLUME, ListOptions.ALL).failure())
                    .contains(Failure.UNAVAILABLE);
            assertThat(heard.poll(240, TimeUnit.SECONDS))
                    .as("a server that is slow")
                    .isEqualTo("bookmark 7");
            assertThat(heard).isEmpty();
            server.behave(FakeServer.Behaviour.HANG);
            assertThat(impatient.list(Kinds.PERSISTENT_VOLUME, ListOptions.ALL).failure())
                    .contains(Failure.UNAVAILABLE);
            assertThat(heard.poll(240, TimeUnit.SECONDS)).isEqualTo("end UNAVAILABLE");
            server.behave(FakeServer.Behaviour.WATCH);
            beginWatch(impatient); // through another client
        }
    }

    private KubernetesStore impatient() {
        return server.store(Duration.ofSeconds(2));
    }

    /** On a loaded machine the time for a request may be too short for some of the tries. */
    private void beginWatch(KubernetesStore impatient) throws InterruptedException {
        String first = watched(impatient, ListOptions.ALL, 1);
        while (first.equals("end UNAVAILABLE")) {
            first = watched(impatient, ListOptions.ALL, 1);
        }
        assertThat(first).isEqualTo("bookmark 7");
    }

    @Test
    void closingTheStoreTellsTheListeners() throws InterruptedException {
        server.behave(FakeServer.Behaviour.HANG);
        store.watch(Kinds.PERSISTENT_VOLUME, ListOptions.ALL, new Revision(5), new Listener());
        store.close();
        assertThat(heard.poll(240, TimeUnit.SECONDS)).isEqualTo("end UNAVAILABLE");
        assertThat(List.copyOf(heard)).isEmpty();
    }

    private final class Listener implements WatchListener<PersistentVolume> {
        @Override
        public void onEvent(WatchEvent<PersistentVolume> event) {
            heard.add(event.type() + " " + event.revision());
        }

        @Override
        public void onBookmark(Revision revision) {
            heard.add("bookmark " + revision);
        }

        @Override
        public void onEnd(Failure reason, String message) {
            heard.add("end " + reason);
        }
    }
}
