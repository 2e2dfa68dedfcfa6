// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.downward;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpansionTest {
    @ParameterizedTest
    @CsvSource({
        "plain, plain",
        "'', ''",
        "$(A), <A>",
        "a/$(A)/$(B)b, a/<A>/<B>b",
        "$$(A), $(A)",
        "$$$(A), $<A>",
        "$$$$(A), $$(A)",
        "$, $",
        "a$, a$",
        "$$, $",
        "$x$(A), $x<A>",
        "$(A, $(A",
        "$(A$(B), <A$(B>",
        "$(, $(",
        "$((A), <(A>",
        "$(A)), <A>)",
        "$(), <>",
        "$A$, $A$",
    })
    void dollars(String text, String expected) {
        assertThat(Expansion.expand(text, name -> "<" + name + ">")).isEqualTo(expected);
    }
}
