// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.cache;

import static dev.mooring.runtime.Toys.at;
import static dev.mooring.runtime.Toys.key;
import static dev.mooring.runtime.Toys.toy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.storage.model.ConfigMap;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store with a history, and news of it that reach a cache in any order in which a store and an interpreter may deliver them. */
@DisplayName("A cache under any interleaving of news")
class ObjectCachePropertyTest {
    private static final int RUNS = 400;
    private static final int STEPS = 120;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    @DisplayName("ends at the store's state, and shows no object that it knows to be gone")
    void endsAtTheStoresState(long seed) {
        for (int run = 0; run < RUNS; run++) {
            long runSeed = seed * 1_000_003 + run;
            new Play(new Random(runSeed), "seed " + runSeed).go();
        }
    }

    private record Step(long revision, ObjectKey key, String uid, Optional<ConfigMap> after) {}

    private static final class Play {
        private final Random random;
        private final String name;
        private final TreeMap<ObjectKey, ConfigMap> store = new TreeMap<>();
        private final List<Step> history = new ArrayList<>();
        private final List<Runnable> answers = new ArrayList<>(); // of requests; arrive in any order
        private final Deque<Runnable> lists = new ArrayDeque<>();
        private final Map<ObjectKey, ConfigMap> mirror = new HashMap<>();
        private final Set<String> knownGone = new HashSet<>();
        private final ObjectCache<ConfigMap> cache = new ObjectCache<>(Kinds.CONFIG_MAP, this::observe);
        private long revision;
        private int uids;
        private int shown;

        Play(Random random, String name) {
            this.random = random;
            this.name = name;
        }

        void go() {
            for (int i = 0; i < STEPS; i++) {
                step();
            }
            while (!answers.isEmpty()) {
                answers.remove(random.nextInt(answers.size())).run();
            }
            while (!lists.isEmpty()) {
                lists.remove().run();
            }
            while (shown < history.size()) {
                show(history.get(shown++));
            }
            assertThat(cache.snapshot()).as(name).isEqualTo(store);
            assertThat(mirror).as("what a listener derives, " + name).isEqualTo(store);
            assertThat(cache.tombstoneCount())
                    .as("deletions remembered, " + name)
                    .isZero();
        }

        private void step() {
            switch (random.nextInt(10)) {
                case 0, 1, 2 -> change(random.nextBoolean());
                case 3, 4 -> {
                    if (shown < history.size() && lists.isEmpty()) { // a watch begins where a list has ended
                        show(history.get(shown++));
                    }
                }
                case 5 -> {
                    if (shown > 0) {
                        show(history.get(random.nextInt(shown))); // once more
                    }
                }
                case 6 -> read();
                case 7 -> {
                    if (lists.isEmpty()) {
                        list();
                    } else {
                        lists.remove().run();
                    }
                }
                default -> {
                    if (!answers.isEmpty()) {
                        answers.remove(random.nextInt(answers.size())).run();
                    }
                }
            }
        }

        private void change(boolean own) {
            ObjectKey key = key(List.of("a", "b", "c").get(random.nextInt(3)));
            ConfigMap now = store.get(key);
            long at = ++revision;
            if (now != null && random.nextInt(3) == 0) {
                String uid = now.metadata().uid();
                store.remove(key);
                history.add(new Step(at, key, uid, Optional.empty()));
                if (own) {
                    answers.add(() -> {
                        knownGone.add(uid);
                        cache.remove(key, uid, at(at), Origin.OWN_WRITE);
                    });
                }
                return;
            }
            String uid = now == null ? "u" + ++uids : now.metadata().uid();
            ConfigMap next = toy(key.name(), uid, at);
            store.put(key, next);
            history.add(new Step(at, key, uid, Optional.of(next)));
            if (own) {
                answers.add(() -> cache.put(next, Origin.OWN_WRITE));
            }
        }

        private void show(Step step) {
            step.after()
                    .ifPresentOrElse(
                            object -> cache.put(object, Origin.WATCH),
                            () -> cache.remove(step.key(), step.uid(), at(step.revision()), Origin.WATCH));
            cache.seen(at(step.revision()));
        }

        private void read() {
            ObjectKey key = key(List.of("a", "b", "c").get(random.nextInt(3)));
            String known = cache.get(key).map(o -> o.metadata().uid()).orElse("");
            ConfigMap found = store.get(key);
            answers.add(() -> {
                if (found == null) {
                    if (!known.isEmpty()) {
                        knownGone.add(known);
                    }
                    cache.absent(key, known);
                } else {
                    cache.put(found, Origin.READ);
                }
            });
        }

        /** A list at the store's present; the watch goes on from it, so what lies between is never shown. */
        private void list() {
            List<ConfigMap> all = List.copyOf(store.values());
            long at = revision;
            int upTo = history.size();
            lists.add(() -> {
                cache.replace(all, at(at));
                shown = Math.max(shown, upTo);
            });
        }

        private void observe(ObjectChange<?> change) {
            assertThat(Optional.ofNullable(mirror.get(change.key()))).as(name).isEqualTo(change.before());
            change.after()
                    .ifPresentOrElse(
                            after -> {
                                assertThat(knownGone)
                                        .as(name)
                                        .doesNotContain(after.metadata().uid());
                                mirror.put(change.key(), (ConfigMap) after);
                            },
                            () -> mirror.remove(change.key()));
        }
    }
}
