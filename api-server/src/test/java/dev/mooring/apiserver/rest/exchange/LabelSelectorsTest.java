// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.storage.model.LabelSelector;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LabelSelectorsTest {
    /** Asked of an object with the labels {@code a=b} and {@code n=5}. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a=b | true",
                "a==c | false",
                "a!=c,n | true",
                "a in (b, c), !x | true",
                "a notin (b) | false",
                "n>4 | true",
                "n > 5 | false",
                "n<6,n>-1 | true",
                "n<5 | false",
                "a>4 | false",
                "x<4 | false",
                "a in (b,) | true",
                "example.com/a, n | false",
                "!example.com/a | true",
                "a= | false"
            })
    void matchesAsTheApiServer(String selector, boolean matches) {
        LabelSelector parsed = LabelSelectors.parse(selector).orElseThrow();
        assertThat(parsed.matches(Map.of("a", "b", "n", "5"))).isEqualTo(matches);
    }

    /** Else {@code a!=-x} would mean every object, and be a mistake. */
    @ParameterizedTest
    @ValueSource(strings = {"a!=-x", "a notin (b_)", "a/b/c", "!x/", "Example.com/a=b", "a-"})
    void whatCannotBeALabelIsRefused(String selector) {
        assertThatThrownBy(() -> LabelSelectors.parse(selector))
                .isInstanceOf(RestFailure.class)
                .hasMessageContaining("invalid label")
                .hasMessageContaining(selector);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a===b", "n>", "n>x", "n<1.5", "n<>1", "a=b=c", "!", "a in b"})
    void saysThatItCannotBeRead(String selector) {
        assertThatThrownBy(() -> LabelSelectors.parse(selector))
                .isInstanceOf(RestFailure.class)
                .hasMessageContaining(selector);
    }
}
