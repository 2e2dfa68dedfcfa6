// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.FieldSelection;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.LabelSelector;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.ObjectList;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists by watches that begin with what there is, and what is done where the server has none. */
class StreamedListsTest {
    private static final String PAGE = "/api/v1/persistentvolumes?limit=500";
    private static final String WATCH = "/api/v1/persistentvolumes?watch=1&allowWatchBookmarks=true&timeoutSeconds=480"
            + "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan";
    private static final String LABEL = "labelSelector=node%3Dhere";
    private static final String LABELLED_WATCH = WATCH.replace("?", "?" + LABEL + "&");
    private static final String LABELLED_PAGE = PAGE.replace("?", "?" + LABEL + "&");
    private static final String ONE = "/api/v1/persistentvolumes?limit=1";
    private static final ListOptions HERE =
            ListOptions.ALL.withLabels(new LabelSelector(Map.of("node", "here"), List.of()));

    private final FakeServer server = new FakeServer();
    private final KubernetesStore store = server.store(FakeServer.AMPLE);
    private int looked;

    @AfterEach
    void close() {
        store.close();
        server.close();
    }

    private static String object(String name) {
        return "{\"metadata\":{\"name\":\"" + name + "\",\"uid\":\"u\",\"resourceVersion\":\"1\"},\"spec\":{}}";
    }

    private static String page(String next, String... names) {
        List<String> items =
                List.of(names).stream().map(StreamedListsTest::object).toList();
        return "{\"metadata\":{\"resourceVersion\":\"9\",\"continue\":\"" + next + "\"},\"items\":["
                + String.join(",", items) + "]}";
    }

    private static String event(String type, String name) {
        return "{\"type\":\"" + type + "\",\"object\":" + object(name) + "}\n";
    }

    private static String end(int revision) {
        return "{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"" + revision
                + "\",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}}}}\n";
    }

    private StoreResult<ObjectList<PersistentVolume>> list(ListOptions options) {
        return store.list(Kinds.PERSISTENT_VOLUME, options);
    }

    private static List<String> names(StoreResult<ObjectList<PersistentVolume>> result) {
        return result.orThrow().items().stream()
                .map(each -> each.metadata().name())
                .toList();
    }

    /** What was asked for since the last look. */
    private List<String> asked() {
        List<String> all = server.texts().stream()
                .map(text -> text.lines().findFirst().orElse("").replaceFirst("^GET (\\S*).*", "$1"))
                .toList();
        List<String> fresh = all.subList(looked, all.size());
        looked = all.size();
        return fresh;
    }

    @Test
    void whatFillsMoreThanAPageIsShownByAWatch() {
        server.answerOnce(200, page("t1", "a"));
        server.answerOnce(200, event("ADDED", "c") + event("ADDED", "b-x") + event("ADDED", "b") + end(12));
        StoreResult<ObjectList<PersistentVolume>> result = list(ListOptions.ALL);
        assertThat(names(result)).as("by name, without what the page had").containsExactly("b", "b-x", "c");
        assertThat(result.orThrow().revision()).isEqualTo(new Revision(12));
        assertThat(result.orThrow().continueToken()).isEmpty();
        assertThat(asked()).as("no revision: as new as the request").containsExactly(PAGE, WATCH);
    }

    @Test
    void whatIsSelectedIsShownByAWatchAtOnce() {
        server.answerOnce(200, event("ADDED", "a") + end(12));
        assertThat(names(list(HERE))).containsExactly("a");
        server.answerOnce(200, end(12));
        assertThat(names(list(ListOptions.ALL.withFields("spec.x=y")))).isEmpty();
        assertThat(asked()).containsExactly(LABELLED_WATCH, LABELLED_WATCH.replace(LABEL, "fieldSelector=spec.x%3Dy"));
    }

    @Test
    void aNameIsNoSelectionThatCostsTheDatabaseMuch() {
        server.answerOnce(200, page("", "a"));
        assertThat(names(list(HERE.withFields("metadata.name=a")))).containsExactly("a");
        assertThat(asked()).containsExactly(LABELLED_PAGE.replace("&limit", "&fieldSelector=metadata.name%3Da&limit"));
        server.answerOnce(200, end(12));
        list(ListOptions.ALL.withFields("metadata.name!=a"));
        assertThat(asked()).singleElement().asString().contains("sendInitialEvents=true");
    }

    @Test
    void whatChangesWhileItIsShownCountsAsItIsInTheEnd() {
        server.answerOnce(
                200,
                event("ADDED", "a")
                        + event("ADDED", "b")
                        + event("DELETED", "a")
                        + event("MODIFIED", "c")
                        + event("FUTURE", "d")
                        + event("ADDED", "a")
                        + event("DELETED", "b")
                        + event("MODIFIED", "a").replace("\"u\"", "\"u2\"")
                        + end(12)
                        + event("ADDED", "later"));
        StoreResult<ObjectList<PersistentVolume>> result = list(HERE);
        assertThat(names(result)).containsExactly("a", "c");
        assertThat(result.orThrow().items().get(0).metadata().uid()).isEqualTo("u2");
    }

    @Test
    void whatIsNotThereIsShownByTheEndAlone() {
        server.answerOnce(200, end(12));
        assertThat(list(HERE).orThrow()).isEqualTo(new ObjectList<>(List.of(), new Revision(12), ""));
    }

    @Test
    void onlyWhatIsKeptIsRead() {
        server.answerOnce(200, event("ADDED", "a") + end(12));
        assertThat(list(HERE.keeping(FieldSelection.of("metadata.name")))
                        .orThrow()
                        .items())
                .extracting(PersistentVolume::metadata)
                .containsExactly(ObjectMeta.named("a").withResourceVersion("1"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    422 | resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch
                    422 | sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled
                    400 | sendInitialEvents is not supported
                    504 | Timeout: Too large resource version: 12, current: 11
                    """)
    void aServerThatRefusesItIsAskedForPagesFromThenOn(int code, String message) {
        String refusal =
                "{\"kind\":\"Status\",\"message\":\"" + message.replace("\"", "\\\"") + "\",\"code\":" + code + "}";
        server.answerOnce(200, page("t1", "a"));
        server.answerOnce(code, refusal);
        server.answerOnce(200, page("", "b"));
        assertThat(names(list(ListOptions.ALL))).containsExactly("a", "b");
        assertThat(asked()).containsExactly(PAGE, WATCH, PAGE + "&continue=t1");
        server.answerOnce(200, page("t1", "a"));
        server.answerOnce(200, page("", "b"));
        assertThat(names(list(ListOptions.ALL))).containsExactly("a", "b");
        assertThat(asked()).containsExactly(PAGE, PAGE + "&continue=t1");
    }

    @Test
    void aWrongSelectorSaysNothingAboutTheServer() {
        server.answer(400, "", "{\"kind\":\"Status\",\"message\":\"field label not supported: spec.x\",\"code\":400}");
        ListOptions wrong = ListOptions.ALL.withFields("spec.x=y");
        assertThat(list(wrong).failure()).contains(Failure.INVALID);
        asked();
        server.answerOnce(200, end(12));
        assertThat(names(list(HERE))).isEmpty();
        assertThat(asked()).containsExactly(LABELLED_WATCH);
    }

    @Test
    void aWatchThatBreaksWhileItShowsIsFollowedByPagesThisOnce() {
        for (String cut : List.of(
                "",
                event("ADDED", "x"),
                event("ADDED", "x") + end(12).strip(),
                event("ADDED", "x") + "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":410}}\n" + end(12),
                "no json\n",
                "{\"type\":\"ADDED\",\"object\":{\"metadata\":7}}\n" + end(12))) {
            server.answerOnce(200, page("t1", "a"));
            server.answerOnce(200, cut);
            server.answerOnce(200, page("", "b"));
            assertThat(names(list(ListOptions.ALL))).as(cut).containsExactly("a", "b");
            assertThat(asked()).as(cut).containsExactly(PAGE, WATCH, PAGE + "&continue=t1");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {403, 500, 504})
    void aServerThatFailsIsAskedForPagesThisOnce(int code) {
        for (int i = 0; i < 2; i++) {
            server.answerOnce(200, page("t1", "a"));
            server.answerOnce(code, "{\"kind\":\"Status\",\"code\":" + code + "}");
            server.answerOnce(200, page("", "b"));
            assertThat(names(list(ListOptions.ALL))).containsExactly("a", "b");
            assertThat(asked()).containsExactly(PAGE, WATCH, PAGE + "&continue=t1");
        }
    }

    @Test
    void aTokenThatExpiresWhileAWatchIsTriedIsNoHarm() {
        server.answerOnce(200, page("t1", "a"));
        server.answerOnce(200, event("ADDED", "x"));
        server.answerOnce(410, "{\"kind\":\"Status\",\"code\":410,\"reason\":\"Expired\"}");
        server.answerOnce(200, page("", "b"));
        assertThat(names(list(ListOptions.ALL))).containsExactly("b");
        assertThat(asked()).containsExactly(PAGE, WATCH, PAGE + "&continue=t1", "/api/v1/persistentvolumes");
    }

    @Test
    void aBusyServerIsNotAskedForMore() {
        server.answer(
                429,
                "Retry-After: 7\r\n",
                "{\"kind\":\"Status\",\"message\":\"storage is re-initializing\",\"code\":429}");
        StoreResult<ObjectList<PersistentVolume>> result = list(HERE);
        assertThat(result.failure()).contains(Failure.THROTTLED);
        assertThat(result.retryAfter()).contains(Duration.ofSeconds(7));
        assertThat(asked()).containsExactly(LABELLED_WATCH);
    }

    @Test
    void aServerThatPassesTheParametersOverIsKnownByItsBookmarks() {
        server.answerOnce(200, page("t1", "a"));
        server.answerOnce(
                200,
                event("ADDED", "x") + "{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"8\"}}}\n"
                        + end(12));
        server.answerOnce(200, page("", "b"));
        assertThat(names(list(ListOptions.ALL))).containsExactly("a", "b");
        server.answerOnce(200, page("t1", "a"));
        server.answerOnce(200, page("", "b"));
        assertThat(names(list(ListOptions.ALL))).containsExactly("a", "b");
        assertThat(asked()).containsExactly(PAGE, WATCH, PAGE + "&continue=t1", PAGE, PAGE + "&continue=t1");
    }

    @Test
    void aServerThatNeverSaysThatAllIsShownIsKnownByItsSilence() {
        server.behave(FakeServer.Behaviour.WATCH_WITHOUT_END);
        server.answer(200, "", page("", "a", "b"));
        try (KubernetesStore impatient = server.store(Duration.ofSeconds(2))) {
            StoreResult<ObjectList<PersistentVolume>> result = untilAnswered(impatient);
            assertThat(names(result)).as("without what the watch had shown").containsExactly("a", "b");
            assertThat(asked()).startsWith(LABELLED_WATCH).endsWith(LABELLED_PAGE);
            untilAnswered(impatient);
            assertThat(asked()).doesNotContain(LABELLED_WATCH);
        }
    }

    @Test
    void aWatchThatIsNotAnsweredFailsAsAListDoesAndPagesAreNext() {
        server.behave(FakeServer.Behaviour.HANG_WATCHES);
        server.answer(200, "", page("", "a", "b"));
        try (KubernetesStore impatient = server.store(Duration.ofSeconds(2))) {
            assertThat(impatient.list(Kinds.PERSISTENT_VOLUME, HERE).failure()).contains(Failure.UNAVAILABLE);
            assertThat(asked()).containsExactly(LABELLED_WATCH);
            assertThat(names(untilAnswered(impatient))).containsExactly("a", "b");
            assertThat(asked()).doesNotContain(LABELLED_WATCH).endsWith(LABELLED_PAGE);
        }
    }

    /** On a loaded machine answers may be too late for this store. */
    private static StoreResult<ObjectList<PersistentVolume>> untilAnswered(KubernetesStore impatient) {
        StoreResult<ObjectList<PersistentVolume>> result = impatient.list(Kinds.PERSISTENT_VOLUME, HERE);
        while (result.failure().isPresent()) {
            result = impatient.list(Kinds.PERSISTENT_VOLUME, HERE);
        }
        return result;
    }

    @Test
    void aSelectionOfManyComesFromTheServersMemoryOnceThatIsAsNewAsTheDatabase() {
        refuse();
        server.answerOnce(
                200,
                "{\"metadata\":{\"resourceVersion\":\"77\",\"continue\":\"t\",\"remainingItemCount\":5000},"
                        + "\"items\":[]}");
        server.answerOnce(200, page("", "a", "b"));
        assertThat(names(list(HERE))).containsExactly("a", "b");
        assertThat(asked())
                .containsExactly(
                        LABELLED_WATCH,
                        ONE,
                        "/api/v1/persistentvolumes?" + LABEL + "&resourceVersion=77&resourceVersionMatch=NotOlderThan");
    }

    @Test
    void aMemoryThatIsNotAsNewIsFollowedByPages() {
        refuse();
        server.answerOnce(200, "{\"metadata\":{\"resourceVersion\":\"77\",\"remainingItemCount\":5000},\"items\":[]}");
        server.answerOnce(
                504,
                "{\"kind\":\"Status\",\"message\":\"Timeout: Too large resource version: 77, current: 70\",\"code\":504}");
        server.answerOnce(200, page("", "a", "b"));
        assertThat(names(list(HERE))).containsExactly("a", "b");
        assertThat(asked()).hasSize(4).endsWith(LABELLED_PAGE);
    }

    @Test
    void aSelectionOfFewComesInPages() {
        refuse();
        server.answerOnce(200, "{\"metadata\":{\"resourceVersion\":\"77\",\"remainingItemCount\":4999},\"items\":[]}");
        server.answerOnce(200, page("", "a", "b"));
        assertThat(names(list(HERE))).containsExactly("a", "b");
        assertThat(asked()).containsExactly(LABELLED_WATCH, ONE, LABELLED_PAGE);
    }

    private void refuse() {
        server.answerOnce(422, "{\"kind\":\"Status\",\"message\":\"sendInitialEvents: Forbidden\",\"code\":422}");
    }
}
