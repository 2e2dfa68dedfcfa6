// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class MultimapTest {
    private final Multimap<String, Integer> numbers = new Multimap<>();

    @Test
    void setsAreInOrderAndHoldAValueOnce() {
        numbers.add("a", 2);
        numbers.add("a", 1);
        numbers.add("a", 2);
        numbers.add("b", 3);

        assertThat(numbers.of("a")).containsExactly(1, 2);
        assertThat(numbers.first("a")).hasValue(1);
        assertThat(numbers.has("a", 2)).isTrue();
        assertThat(numbers.has("b", 2)).isFalse();
    }

    @Test
    void aKeyWhoseLastValueGoesTakesNoRoom() {
        numbers.add("a", 1);
        numbers.add("a", 2);
        numbers.remove("a", 1);
        assertThat(numbers.hasAny("a")).isTrue();

        numbers.remove("a", 2);
        assertThat(numbers.hasAny("a")).isFalse();
        assertThat(numbers.isEmpty()).isTrue();
        assertThat(numbers.of("a")).isEmpty();
        assertThat(numbers.first("a")).isEmpty();
    }

    @Test
    void whatIsNotThereCannotBeTakenOut() {
        numbers.add("a", 1);

        numbers.remove("a", 2);
        numbers.remove("b", 1);

        assertThat(numbers.of("a")).containsExactly(1);
        assertThat(numbers.hasAny("b")).isFalse();
    }

    @Test
    void aCopyCanBeWalkedWhileTheSetChanges() {
        numbers.add("a", 1);
        numbers.add("a", 2);
        Set<Integer> copy = numbers.copyOf("a");

        copy.forEach(number -> numbers.remove("a", number));

        assertThat(copy).containsExactly(1, 2);
        assertThat(numbers.isEmpty()).isTrue();
    }
}
