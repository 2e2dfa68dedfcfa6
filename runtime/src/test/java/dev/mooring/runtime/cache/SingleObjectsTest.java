// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.Toys;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.storage.document.FieldSelection;
import dev.mooring.storage.model.ConfigMap;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.WatchEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A cache whose objects are followed one by one. */
class SingleObjectsTest {
    private static final ObjectKey A = ObjectKey.of("ns", "a");

    private final List<String> told = new ArrayList<>();
    private final ObjectCache<ConfigMap> cache = new ObjectCache<>(
            Kinds.CONFIG_MAP,
            FieldSelection.ALL,
            Interest.NAMED,
            change -> told.add(
                    change.key().name() + (change.after().isPresent() ? " is " : " is not ") + change.origin()));

    private static ConfigMap toy(String name, String uid, long revision) {
        return Toys.toy(name, uid, revision);
    }

    @Test
    void whatIsNotFollowedIsNotKeptAndNothingIsKnownOfIt() {
        assertThat(cache.put(toy("a", "u", 5), Origin.READ)).isFalse();
        assertThat(cache.get(A)).isEmpty();
        assertThat(cache.knows(A)).isFalse();
    }

    @Test
    void absenceMeansSomethingAfterTheFirstListOnly() {
        cache.follow(A);
        assertThat(cache.knows(A)).isFalse();
        assertThat(cache.put(toy("a", "u", 5), Origin.READ)).isTrue();
        assertThat(cache.knows(A)).as("a read is no list").isFalse();

        cache.replace(A, Optional.empty(), Toys.at(6));
        assertThat(cache.knows(A)).isTrue();
        assertThat(told).containsExactly("a is READ", "a is not WATCH");
    }

    @Test
    void eachObjectHasItsOwnProgress() {
        ObjectKey b = ObjectKey.of("ns", "b");
        cache.follow(A);
        cache.follow(b);
        cache.replace(A, Optional.of(toy("a", "u", 50)), Toys.at(90));
        cache.replace(b, Optional.of(toy("b", "v", 10)), Toys.at(20));
        cache.heard(new WatchEvent<>(WatchEvent.Type.MODIFIED, toy("b", "v", 30), Toys.at(30)));
        assertThat(cache.get(b).orElseThrow().metadata().resourceVersion()).isEqualTo("30");
        cache.heard(new WatchEvent<>(WatchEvent.Type.DELETED, toy("b", "v", 40), Toys.at(40)));
        assertThat(cache.all()).hasSize(1);
        assertThat(cache.put(toy("a", "u", 60), Origin.READ))
                .as("passed by the list")
                .isFalse();
    }

    @Test
    void whatIsReleasedIsForgottenAndHasNotGone() {
        cache.follow(A);
        cache.replace(A, Optional.of(toy("a", "u", 5)), Toys.at(6));
        cache.release(A);
        assertThat(told).containsExactly("a is WATCH", "a is not RELEASED");
        assertThat(cache.knows(A)).isFalse();
        cache.heard(new WatchEvent<>(WatchEvent.Type.MODIFIED, toy("a", "u", 8), Toys.at(8)));
        assertThat(cache.get(A)).isEmpty();

        cache.follow(A);
        cache.replace(A, Optional.of(toy("a", "u", 5)), Toys.at(9));
        assertThat(cache.get(A)).isPresent();
    }

    @Test
    void aSelectionTakesInOnlyWhatItShows() {
        ObjectCache<ConfigMap> selected = new ObjectCache<>(
                Kinds.CONFIG_MAP,
                FieldSelection.ALL,
                Interest.selected(
                        "metadata.name=a", object -> object.metadata().name().equals("a")),
                change -> {});
        assertThat(selected.put(toy("b", "v", 5), Origin.READ)).isFalse();
        assertThat(selected.put(toy("a", "u", 5), Origin.READ)).isTrue();
        assertThat(selected.all()).hasSize(1);
    }
}
