// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.control.Effect;
import dev.mooring.storage.model.ConfigMap;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.ForwardingStore;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.ObjectList;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Live searches")
class LiveSearchesTest {
    private static final int MANY = 2_000;

    private final Watched store = new Watched();
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final LiveSearches searches = new LiveSearches(store, tasks::add);
    private final List<String> answers = new ArrayList<>();

    /** A store whose pages are counted, and which may forget what a continue token means. */
    private static final class Watched extends ForwardingStore {
        final List<ListOptions> asked = new ArrayList<>();
        int expired;
        Runnable afterPage = () -> {};

        Watched() {
            super(filled());
        }

        @Override
        public <T extends KubernetesObject> StoreResult<ObjectList<T>> list(Kind<T> kind, ListOptions options) {
            asked.add(options);
            if (!options.continueToken().isEmpty() && expired-- > 0) {
                return StoreResult.failed(Failure.GONE, "expired");
            }
            StoreResult<ObjectList<T>> page = super.list(kind, options);
            afterPage.run();
            return page;
        }
    }

    private static ClusterStore filled() {
        ToyStore store = new ToyStore(object -> ((ConfigMap) object)::withMetadata);
        for (int i = 0; i < MANY; i++) {
            store.create(Kinds.CONFIG_MAP, Toys.fresh(nameOf(i), "")).orThrow();
        }
        return store;
    }

    private static String nameOf(int i) {
        return "toy-%04d".formatted(i);
    }

    private void search(String namespace, String name) {
        search(namespace, name, true);
    }

    private void search(String namespace, String name, boolean may) {
        searches.search(find(namespace, name), () -> may, result -> answers.add(name + " " + word(result)));
    }

    private static Effect.FindLive<ConfigMap> find(String namespace, String name) {
        return new Effect.FindLive<>(
                "find",
                Kinds.CONFIG_MAP,
                ListOptions.inNamespace(namespace),
                toy -> toy.metadata().name().equals(name));
    }

    private static String word(StoreResult<?> result) {
        return result.match(
                found -> ((Optional<?>) found).isPresent() ? "found" : "absent",
                failed -> String.valueOf(failed.reason()));
    }

    private void run() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    @Test
    @DisplayName("end with the page that shows what is wanted, and read all pages where nothing does")
    void stopsAtTheFirst() {
        search("ns", nameOf(600));
        run();
        assertThat(answers).containsExactly(nameOf(600) + " found");
        assertThat(store.asked)
                .hasSize(2)
                .allSatisfy(page -> assertThat(page.limit()).isEqualTo(LiveList.PAGE));
        store.asked.clear();
        search("ns", "nothing");
        run();
        assertThat(answers).contains("nothing absent");
        assertThat(store.asked).hasSize(MANY / LiveList.PAGE);
    }

    @Test
    @DisplayName("share one list, which serves all who asked before it began")
    void shared() {
        for (int i = 0; i < 600; i++) {
            search("ns", "nothing-" + i);
        }
        run();
        assertThat(answers).hasSize(600).allMatch(each -> each.endsWith(" absent"));
        assertThat(store.asked).as("pages for 600 questions").hasSize(MANY / LiveList.PAGE);
    }

    @Test
    @DisplayName("get another list where the one that runs began before the question")
    void notAnOldList() {
        store.afterPage = () -> {
            store.afterPage = () -> {};
            search("ns", nameOf(0)); // its page has passed
            search("ns", "late");
        };
        search("ns", "early");
        run();
        assertThat(answers).containsExactly("early absent", nameOf(0) + " found", "late absent");
        assertThat(store.asked).as("pages of two lists").hasSize(2 * MANY / LiveList.PAGE);
    }

    @Test
    @DisplayName("of other selections get lists of their own, of which two are read at once")
    void fewAtOnce() {
        for (int i = 0; i < 10; i++) {
            search("ns-" + i, "nothing");
        }
        assertThat(tasks).hasSize(LiveSearches.LISTS_AT_ONCE);
        run();
        assertThat(answers).hasSize(10);
    }

    @Test
    @DisplayName("begin again, in one piece, where the store has forgotten what the next page is")
    void expired() {
        store.expired = 1;
        search("ns", "nothing");
        search("ns", nameOf(MANY - 1));
        search("ns", nameOf(1));
        run();
        assertThat(answers).containsExactly(nameOf(1) + " found", nameOf(MANY - 1) + " found", "nothing absent");
        assertThat(store.asked).extracting(ListOptions::limit).containsExactly(LiveList.PAGE, LiveList.PAGE, 0);
    }

    @Test
    @DisplayName("that may not begin any more, or that no handler carries out, are told so")
    void refused() {
        search("ns", "deposed", false);
        run();
        assertThat(store.asked).isEmpty();
        new LiveSearches(store, task -> {
                    throw new RejectedExecutionException();
                })
                .search(find("ns", "x"), () -> true, result -> answers.add("x " + word(result)));
        assertThat(answers).containsExactly("deposed UNAVAILABLE", "x UNAVAILABLE");
    }

    @Test
    @DisplayName("whose question throws are answered, and disturb no other")
    void throwing() {
        searches.search(
                new Effect.FindLive<ConfigMap>("find", Kinds.CONFIG_MAP, ListOptions.inNamespace("ns"), toy -> {
                    throw new IllegalStateException("a defect");
                }),
                () -> true,
                result -> answers.add("broken " + word(result)));
        search("ns", "nothing");
        run();
        assertThat(answers).containsExactly("broken UNKNOWN", "nothing absent");
    }
}
