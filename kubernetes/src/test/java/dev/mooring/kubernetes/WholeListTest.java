// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.FieldSelection;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.ObjectList;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How a list without a limit is asked for where the server shows none by a watch. */
class WholeListTest {
    private final FakeServer server = new FakeServer();
    private final KubernetesStore store = server.store(FakeServer.AMPLE);

    @BeforeEach
    void begin() {
        server.behave(FakeServer.Behaviour.REFUSE_INITIAL_EVENTS);
    }

    @AfterEach
    void close() {
        store.close();
        server.close();
    }

    private static String page(String next, String... names) {
        List<String> items = List.of(names).stream()
                .map(name -> "{\"metadata\":{\"name\":\"" + name
                        + "\",\"uid\":\"u\",\"resourceVersion\":\"1\"},\"spec\":{}}")
                .toList();
        return "{\"metadata\":{\"resourceVersion\":\"9\",\"continue\":\"" + next + "\"},\"items\":["
                + String.join(",", items) + "]}";
    }

    private StoreResult<ObjectList<PersistentVolume>> all() {
        return store.list(Kinds.PERSISTENT_VOLUME, ListOptions.ALL);
    }

    private static List<String> names(StoreResult<ObjectList<PersistentVolume>> result) {
        return result.orThrow().items().stream()
                .map(each -> each.metadata().name())
                .toList();
    }

    /** The first lines of the requests, but for those of watches. */
    private List<String> asked() {
        return server.texts().stream()
                .map(text -> text.lines().findFirst().orElse("").replaceFirst("^GET (\\S*).*", "$1"))
                .filter(path -> !path.contains("watch="))
                .toList();
    }

    @Test
    void onlyWhatIsKeptIsRead() {
        server.answer(200, "", page("", "a", "b"));
        assertThat(store.list(Kinds.PERSISTENT_VOLUME, ListOptions.ALL.keeping(FieldSelection.of("metadata.name")))
                        .orThrow())
                .satisfies(list -> assertThat(list.revision()).isEqualTo(new Revision(9)))
                .satisfies(list -> assertThat(list.items())
                        .extracting(PersistentVolume::metadata)
                        .containsExactly(ObjectMeta.named("a"), ObjectMeta.named("b")));
    }

    @Test
    void itIsReadInPagesOfOneRevision() {
        server.answerOnce(200, page("t1", "a", "c-x"));
        server.answerOnce(200, page("t2", "c"));
        server.answerOnce(200, page("", "d"));
        StoreResult<ObjectList<PersistentVolume>> result = all();
        assertThat(names(result)).as("by name").containsExactly("a", "c", "c-x", "d");
        assertThat(result.orThrow().revision()).isEqualTo(new Revision(9));
        assertThat(result.orThrow().continueToken()).isEmpty();
        assertThat(asked())
                .containsExactly(
                        "/api/v1/persistentvolumes?limit=500",
                        "/api/v1/persistentvolumes?limit=500&continue=t1",
                        "/api/v1/persistentvolumes?limit=500&continue=t2");
    }

    @Test
    void itIsReadInOnePieceWhereAContinueTokenHasExpired() {
        server.answerOnce(200, page("t1", "a"));
        server.answerOnce(410, "{\"kind\":\"Status\",\"code\":410,\"reason\":\"Expired\"}");
        server.answerOnce(200, page("", "b"));
        assertThat(names(all())).as("nothing of the old list").containsExactly("b");
        assertThat(asked().get(2)).isEqualTo("/api/v1/persistentvolumes");
    }

    @Test
    void itFailsAsAPageFails() {
        server.answerOnce(200, page("t1", "a"));
        server.answerOnce(503, "");
        assertThat(all().failure()).contains(Failure.UNAVAILABLE);
        assertThat(asked()).hasSize(2);
    }

    @Test
    void whoAsksForAPageGetsIt() {
        server.answerOnce(200, page("t1", "a"));
        StoreResult<ObjectList<PersistentVolume>> result =
                store.list(Kinds.PERSISTENT_VOLUME, ListOptions.ALL.withLimit(3));
        assertThat(result.orThrow().continueToken()).isEqualTo("t1");
        assertThat(asked()).containsExactly("/api/v1/persistentvolumes?limit=3");
        server.answerOnce(410, "{\"kind\":\"Status\",\"code\":410}");
        assertThat(store.list(
                                Kinds.PERSISTENT_VOLUME,
                                ListOptions.ALL.withLimit(3).after("t1"))
                        .failure())
                .contains(Failure.GONE);
    }
}
