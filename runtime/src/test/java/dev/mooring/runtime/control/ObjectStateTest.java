// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.StoreResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ObjectStateTest {
    private static final Effect READ = new Effect.Read<>("read", Kinds.POD, ObjectKey.of("default", "web"));

    private record Note(String text) implements KeyState {}

    private final List<String> seen = new ArrayList<>();

    @Test
    void whatBecameOfAFormerObjectsEffectIsNotToldOfTheNewOne() {
        Decision begun = decide("former", Optional.empty(), List.of(), Decision.act(READ));
        decide("new", begun.state(), List.of(answer()), Decision.nothing());

        assertThat(seen).containsExactly("nothing known, 0 results", "nothing known, 0 results");
    }

    @Test
    void theSameObjectLearnsWhatBecameOfItsEffects() {
        Decision begun = decide("same", Optional.empty(), List.of(), Decision.act(READ));
        Decision ended = decide("same", begun.state(), List.of(answer()), Decision.nothing());

        assertThat(seen).containsExactly("nothing known, 0 results", "nothing known, 1 results");
        assertThat(ended.state()).isEmpty();
    }

    @Test
    void whatIsRememberedIsThatObjectsAlone() {
        Decision noted = decide("former", Optional.empty(), List.of(), Decision.remember(new Note("a")));
        decide("former", noted.state(), List.of(), Decision.nothing());
        decide("new", noted.state(), List.of(), Decision.nothing());

        assertThat(seen)
                .containsExactly("nothing known, 0 results", "Note[text=a], 0 results", "nothing known, 0 results");
    }

    private Decision decide(String uid, Optional<KeyState> noted, List<EffectResult> results, Decision wanted) {
        Situation situation =
                new Situation(new Caches(List.of(), change -> {}), new Time(Instant.EPOCH, 0), Map.of(), results);
        return ObjectState.decide(uid, noted, situation, (state, own) -> {
            seen.add(state.map(Object::toString).orElse("nothing known") + ", "
                    + own.results().size() + " results");
            return wanted;
        });
    }

    private static EffectResult answer() {
        return new EffectResult.Stored(READ, StoreResult.failed(StoreResult.Failure.FORBIDDEN, "no"));
    }
}
