// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.cache;

import static dev.mooring.runtime.Toys.at;
import static dev.mooring.runtime.Toys.key;
import static dev.mooring.runtime.Toys.toy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.storage.model.ConfigMap;
import dev.mooring.storage.model.Kinds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("An object cache")
class ObjectCacheTest {
    private final List<String> told = new ArrayList<>();
    private final ObjectCache<ConfigMap> cache = new ObjectCache<>(Kinds.CONFIG_MAP, this::note);

    private void note(ObjectChange<?> change) {
        told.add(change.before().map(ObjectCacheTest::word).orElse("-") + ">"
                + change.after().map(ObjectCacheTest::word).orElse("-"));
    }

    private static String word(dev.mooring.storage.model.KubernetesObject object) {
        return object.metadata().uid() + "@" + object.metadata().resourceVersion();
    }

    @Test
    @DisplayName("keeps of an object only what it was made for, however the object comes in")
    void keepsOnlyWhatIsRead() {
        ObjectCache<ConfigMap> slim = new ObjectCache<>(Kinds.CONFIG_MAP, Caches.IDENTITY, this::note);
        ConfigMap full = a("u", 5).withData(Map.of("k", "v"));
        for (int i = 0; i < 2; i++) {
            slim.replace(List.of(full), at(5));
            assertThat(slim.all()).containsExactly(a("u", 5).withData(Map.of()));
            slim.put(full.withMetadata(full.metadata().withResourceVersion("6")), Origin.OWN_WRITE);
            assertThat(slim.all()).containsExactly(a("u", 6).withData(Map.of()));
            slim.put(full.withMetadata(full.metadata().withResourceVersion("7")), Origin.WATCH);
            slim.seen(at(7));
            assertThat(slim.all()).containsExactly(a("u", 7).withData(Map.of()));
        }
        assertThat(told).containsExactly("->u@5", "u@5>u@6", "u@6>u@7", "u@7>u@5", "u@5>u@6", "u@6>u@7");
    }

    private List<String> content() {
        return cache.all().stream().map(ObjectCacheTest::word).toList();
    }

    private static ConfigMap a(String uid, long revision) {
        return toy("a", uid, revision);
    }

    private static News own(String uid, long revision) {
        return cache -> cache.put(a(uid, revision), Origin.OWN_WRITE);
    }

    private static News read(String uid, long revision) {
        return cache -> cache.put(a(uid, revision), Origin.READ);
    }

    private static News watch(String uid, long revision) {
        return cache -> {
            cache.put(a(uid, revision), Origin.WATCH);
            cache.seen(at(revision));
        };
    }

    private static News ownDelete(String uid, long revision) {
        return cache -> cache.remove(key("a"), uid, at(revision), Origin.OWN_WRITE);
    }

    private static News watchDelete(String uid, long revision) {
        return cache -> {
            cache.remove(key("a"), uid, at(revision), Origin.WATCH);
            cache.seen(at(revision));
        };
    }

    private static News relist(long revision, ConfigMap... objects) {
        return cache -> cache.replace(List.of(objects), at(revision));
    }

    private static News notFound(String uid) {
        return cache -> cache.absent(key("a"), uid);
    }

    private static Arguments row(String name, List<String> content, List<String> told, News... news) {
        return Arguments.of(name, content, told, List.of(news));
    }

    static Stream<Arguments> orders() {
        return Stream.of(
                row("own write, then stale event", List.of("u@5"), List.of("->u@5"), own("u", 5), watch("u", 4)),
                row("own write, then its echo", List.of("u@5"), List.of("->u@5"), own("u", 5), watch("u", 5)),
                row("event, then newer", List.of("u@6"), List.of("->u@5", "u@5>u@6"), watch("u", 5), watch("u", 6)),
                row(
                        "own write whose answer comes after the next event",
                        List.of("u@6"),
                        List.of("->u@6"),
                        watch("u", 6),
                        own("u", 5)),
                row(
                        "own write whose answer comes after the deletion was shown",
                        List.of(),
                        List.of("->u@4", "u@4>-"),
                        watch("u", 4),
                        watchDelete("u", 6),
                        own("u", 5)),
                row(
                        "read whose answer comes after the deletion was shown",
                        List.of(),
                        List.of("->u@4", "u@4>-"),
                        watch("u", 4),
                        watchDelete("u", 6),
                        read("u", 4)),
                row(
                        "own deletion blocks late events",
                        List.of(),
                        List.of("->u@4", "u@4>-"),
                        own("u", 4),
                        ownDelete("u", 7),
                        watch("u", 5),
                        watch("u", 6),
                        watchDelete("u", 7)),
                row(
                        "own deletion, then a list from before it",
                        List.of(),
                        List.of("->u@4", "u@4>-"),
                        own("u", 4),
                        ownDelete("u", 7),
                        relist(6, a("u", 5))),
                row(
                        "own deletion, then a new object of that name",
                        List.of("v@8"),
                        List.of("->u@4", "u@4>-", "->v@8"),
                        own("u", 4),
                        ownDelete("u", 7),
                        watch("v", 8)),
                row(
                        "same name, other uid",
                        List.of("v@8"),
                        List.of("->u@4", "u@4>-", "->v@8"),
                        watch("u", 4),
                        watch("v", 8),
                        watchDelete("u", 7)),
                row(
                        "older object of that name comes late",
                        List.of("v@8"),
                        List.of("->v@8"),
                        own("v", 8),
                        watch("u", 4),
                        watchDelete("u", 7)),
                row("list drops what it does not show", List.of(), List.of("->u@4", "u@4>-"), watch("u", 4), relist(4)),
                row("list keeps what is younger", List.of("u@6"), List.of("->u@6"), own("u", 6), relist(5)),
                row(
                        "list shows a newer version",
                        List.of("u@6"),
                        List.of("->u@4", "u@4>u@6"),
                        watch("u", 4),
                        relist(9, a("u", 6))),
                row("list shows an older version", List.of("u@6"), List.of("->u@6"), own("u", 6), relist(5, a("u", 4))),
                row(
                        "list shows another uid",
                        List.of("v@6"),
                        List.of("->u@4", "u@4>-", "->v@6"),
                        watch("u", 4),
                        relist(9, a("v", 6))),
                row(
                        "live read finds nothing, events from before the deletion follow",
                        List.of(),
                        List.of("->u@4", "u@4>-"),
                        watch("u", 4),
                        notFound("u"),
                        watch("u", 5),
                        watchDelete("u", 6)),
                row(
                        "live read finds nothing, a list from before the deletion follows",
                        List.of(),
                        List.of("->u@4", "u@4>-"),
                        watch("u", 4),
                        notFound("u"),
                        relist(5, a("u", 5)),
                        watchDelete("u", 6)),
                row(
                        "live read found nothing, but the name was taken again on the way",
                        List.of("v@8"),
                        List.of("->u@4", "u@4>-", "->v@8"),
                        watch("u", 4),
                        watch("v", 8),
                        notFound("u")),
                row(
                        "list of a restored store, which lacks the object",
                        List.of(),
                        List.of("->u@9", "u@9>-"),
                        watch("u", 9),
                        relist(7)),
                row(
                        "list of a restored store, in which the object is older",
                        List.of("u@5"),
                        List.of("->u@9", "u@9>u@5"),
                        watch("u", 9),
                        relist(7, a("u", 5))),
                row(
                        "list of a restored store, in which the object is the same",
                        List.of("u@5"),
                        List.of("->u@5"),
                        watch("u", 5),
                        relist(9, a("u", 5)),
                        relist(7, a("u", 5))),
                row(
                        "list of a restored store, in which another had the name",
                        List.of("t@3"),
                        List.of("->u@9", "u@9>-", "->t@3"),
                        watch("u", 9),
                        relist(7, a("t", 3))),
                row(
                        "what happens in a restored store is news",
                        List.of("u@8"),
                        List.of("->u@9", "u@9>-", "->u@5", "u@5>u@8"),
                        watch("u", 9),
                        watchDelete("u", 10),
                        relist(7, a("u", 5)),
                        watch("u", 8)),
                row(
                        "what was known to be gone is there again in a restored store",
                        List.of("u@5"),
                        List.of("->u@9", "u@9>-", "->u@5"),
                        watch("u", 9),
                        ownDelete("u", 12),
                        relist(7, a("u", 5))),
                row(
                        "what a live read missed is there again in a restored store",
                        List.of("u@5"),
                        List.of("->u@9", "u@9>-", "->u@5"),
                        watch("u", 9),
                        notFound("u"),
                        relist(7, a("u", 5))),
                row("repeated deletion", List.of(), List.of(), watchDelete("u", 6), watchDelete("u", 6)),
                row(
                        "repeated event after the deletion",
                        List.of(),
                        List.of("->u@4", "u@4>-"),
                        watch("u", 4),
                        watchDelete("u", 6),
                        watch("u", 4)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("orders")
    @DisplayName("takes news in any order")
    void takesNewsInAnyOrder(String name, List<String> content, List<String> changes, List<News> news) {
        news.forEach(one -> one.accept(cache));
        assertThat(content()).as(name).isEqualTo(content);
        assertThat(told).as(name).isEqualTo(changes);
    }

    @Test
    @DisplayName("shows the change before it tells of it")
    void showsBeforeItTells() {
        List<Integer> sizes = new ArrayList<>();
        List<ObjectCache<ConfigMap>> self = new ArrayList<>();
        ObjectCache<ConfigMap> observed = new ObjectCache<>(
                Kinds.CONFIG_MAP, change -> sizes.add(self.get(0).size()));
        self.add(observed);
        observed.put(a("u", 1), Origin.WATCH);
        observed.put(a("v", 2), Origin.WATCH);
        assertThat(sizes).containsExactly(1, 0, 1);
    }

    @Test
    @DisplayName("forgets deletions that the watch has passed")
    void forgetsTombstones() {
        own("u", 4).accept(cache);
        ownDelete("u", 7).accept(cache);
        assertThat(cache.tombstoneCount()).isEqualTo(1);
        cache.seen(at(6));
        assertThat(cache.tombstoneCount()).isEqualTo(1);
        cache.seen(at(7));
        assertThat(cache.tombstoneCount()).isZero();

        watch("v", 9).accept(cache);
        notFound("v").accept(cache);
        cache.seen(at(12));
        assertThat(cache.tombstoneCount()).as("the watch lags behind the read").isEqualTo(1);
        watchDelete("v", 13).accept(cache);
        assertThat(cache.tombstoneCount()).isZero();

        watch("w", 20).accept(cache);
        notFound("w").accept(cache);
        relist(30).accept(cache);
        assertThat(cache.tombstoneCount()).isZero();
    }

    @Test
    @DisplayName("is synced after a whole list")
    void isSyncedAfterAList() {
        watch("u", 4).accept(cache);
        assertThat(cache.synced()).isFalse();
        relist(5).accept(cache);
        assertThat(cache.synced()).isTrue();
    }

    @Test
    @DisplayName("copies its content in order")
    void copies() {
        cache.put(toy("b", "ub", 2), Origin.WATCH);
        cache.put(toy("a", "ua", 3), Origin.WATCH);
        var copy = cache.snapshot();
        cache.put(toy("c", "uc", 4), Origin.WATCH);
        assertThat(copy.keySet()).containsExactly(key("a"), key("b"));
    }

    /** One piece of news. */
    interface News {
        void accept(ObjectCache<ConfigMap> cache);
    }
}
