// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.FieldSelection;
import dev.mooring.storage.model.ConfigMap;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.LabelSelector;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.ObjectList;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.Watch;
import dev.mooring.storage.store.WatchEvent;
import dev.mooring.storage.store.WatchListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** What fills a cache, whichever way the server has: a list of more than two pages, and the watch that goes on from it. */
public final class FilledCache {
    private static final int MANY = 1_101;
    private static final int CHANGES = 300;
    private static final String NAMESPACE = "filled";
    private static final ListOptions ALL = ListOptions.inNamespace(NAMESPACE);
    private static final ListOptions THIRDS = ALL.withLabels(new LabelSelector(Map.of("third", "yes"), List.of()));

    private final ClusterStore store;

    /** Of a store over an API server, in which the namespace {@code filled} is left to this. */
    public FilledCache(ClusterStore store) {
        this.store = store;
    }

    private static String name(int number) {
        return "filler-%04d".formatted(number);
    }

    private static ConfigMap object(int number) {
        Document document = Document.of(Map.of(
                "apiVersion",
                "v1",
                "kind",
                "ConfigMap",
                "metadata",
                Map.of(
                        "name",
                        name(number),
                        "namespace",
                        NAMESPACE,
                        "labels",
                        Map.of("third", number % 3 == 0 ? "yes" : "no")),
                "data",
                Map.of("number", Integer.toString(number))));
        return Kinds.CONFIG_MAP.read(document);
    }

    /** Makes what is not there yet. */
    private void fill() {
        Document namespace =
                Document.of(Map.of("apiVersion", "v1", "kind", "Namespace", "metadata", Map.of("name", NAMESPACE)));
        if (store.get(Kinds.NAMESPACE, ObjectKey.cluster(NAMESPACE)).failure().isPresent()) {
            store.create(Kinds.NAMESPACE, Kinds.NAMESPACE.read(namespace)).orThrow();
        }
        List<String> known =
                listed(ALL).items().stream().map(each -> each.metadata().name()).toList();
        for (int number = 0; number < MANY; number++) {
            if (!known.contains(name(number))) {
                store.create(Kinds.CONFIG_MAP, object(number)).orThrow();
            }
        }
    }

    private ObjectList<ConfigMap> listed(ListOptions options) {
        return store.list(Kinds.CONFIG_MAP, options).orThrow();
    }

    private List<ConfigMap> pages(ListOptions options) {
        ObjectList<ConfigMap> page = listed(options);
        List<ConfigMap> all = new ArrayList<>(page.items());
        while (!page.continueToken().isEmpty()) {
            page = listed(options.after(page.continueToken()));
            all.addAll(page.items());
        }
        return all;
    }

    /** Whatever is selected. */
    public void aListShowsWhatPagesShow() {
        fill();
        Revision before = listed(ALL.withLimit(1)).revision();
        assertThat(listed(ALL).revision()).isGreaterThanOrEqualTo(before);
        assertThat(listed(ALL).items()).isEqualTo(pages(ALL.withLimit(400))).hasSizeGreaterThanOrEqualTo(MANY);
        assertThat(listed(THIRDS).items())
                .isEqualTo(pages(THIRDS.withLimit(100)))
                .hasSize(MANY / 3);
        assertThat(listed(ALL.withFields("metadata.name=" + name(7))).items())
                .extracting(each -> each.data().get("number"))
                .containsExactly("7");
        ListOptions others = ALL.withFields("metadata.name!=" + name(7));
        assertThat(listed(others).items()).isEqualTo(pages(others.withLimit(400)));
        assertThat(listed(ALL.withFields("metadata.name!=x").withLabels(new LabelSelector(Map.of("a", "b"), List.of())))
                        .items())
                .isEmpty();
        assertThat(listed(ALL.keeping(FieldSelection.of("metadata.name", "metadata.namespace")))
                        .items())
                .allSatisfy(each -> assertThat(each.data()).isEmpty())
                .hasSizeGreaterThanOrEqualTo(MANY);
    }

    /** It is as new as the request. */
    public void whatIsWrittenBeforeAListIsInIt() {
        fill();
        for (int turn = 0; turn < 5; turn++) {
            ObjectKey key = ObjectKey.of(NAMESPACE, name(turn));
            store.delete(Kinds.CONFIG_MAP, key, DeleteOptions.DEFAULT).orThrow();
            ListOptions options = turn % 2 == 0 ? ALL : ALL.withFields("metadata.name!=x");
            assertThat(keys(listed(options))).doesNotContain(key);
            store.create(Kinds.CONFIG_MAP, object(turn)).orThrow();
            assertThat(keys(listed(options))).contains(key);
        }
    }

    private static List<ObjectKey> keys(ObjectList<ConfigMap> list) {
        return list.items().stream().map(ObjectKey::of).toList();
    }

    /** While objects come and go. */
    public void aListAndTheWatchThatGoesOnFromItLoseNothing() throws InterruptedException {
        fill();
        for (ListOptions options : List.of(ALL, THIRDS)) {
            CompletableFuture<Void> changes = CompletableFuture.runAsync(this::change);
            List<Follower> followers = new ArrayList<>();
            do {
                followers.add(new Follower(options));
            } while (!changes.isDone() && followers.size() < 20);
            changes.join();
            Revision last = againThere(0); // selected by both, so there is something to hear
            Map<ObjectKey, String> there = versions(pages(options.withLimit(400)).stream());
            for (Follower follower : followers) {
                assertThat(follower.until(last)).isEqualTo(there);
            }
        }
    }

    private void change() {
        for (int turn = 0; turn < CHANGES; turn++) {
            againThere(turn * 7 % MANY);
        }
    }

    private Revision againThere(int number) {
        store.delete(Kinds.CONFIG_MAP, ObjectKey.of(NAMESPACE, name(number)), DeleteOptions.DEFAULT)
                .orThrow();
        ConfigMap made = store.create(Kinds.CONFIG_MAP, object(number)).orThrow();
        return Revision.parse(made.metadata().resourceVersion());
    }

    private static Map<ObjectKey, String> versions(Stream<ConfigMap> objects) {
        Map<ObjectKey, String> versions = new TreeMap<>();
        objects.forEach(each -> versions.put(
                ObjectKey.of(each),
                each.metadata().uid() + " " + each.metadata().resourceVersion()));
        return versions;
    }

    /** A cache: a list, and what a watch says after it. */
    private final class Follower implements WatchListener<ConfigMap> {
        private final Map<ObjectKey, String> known;
        private final BlockingQueue<Runnable> news = new LinkedBlockingQueue<>();
        private final Watch watch;
        private Revision seen;

        Follower(ListOptions options) {
            ObjectList<ConfigMap> list = listed(options);
            known = versions(list.items().stream());
            seen = list.revision();
            watch = store.watch(Kinds.CONFIG_MAP, options, seen, this);
        }

        /** What is known when all has been heard up to a revision. */
        Map<ObjectKey, String> until(Revision last) throws InterruptedException {
            while (last.isAfter(seen)) {
                Runnable next = news.poll(240, TimeUnit.SECONDS);
                assertThat(next).as("news after %s, up to %s", seen, last).isNotNull();
                next.run();
            }
            watch.close();
            return known;
        }

        @Override
        public void onEvent(WatchEvent<ConfigMap> event) {
            news.add(() -> {
                ObjectKey key = ObjectKey.of(event.object());
                if (event.type() == WatchEvent.Type.DELETED) {
                    known.remove(key);
                } else {
                    known.putAll(versions(Stream.of(event.object())));
                }
                seen = event.revision();
            });
        }

        @Override
        public void onBookmark(Revision revision) {
            news.add(() -> seen = revision);
        }

        @Override
        public void onEnd(Failure reason, String message) {
            news.add(() -> {
                throw new AssertionError("the watch ended: " + reason + " " + message);
            });
        }
    }
}
