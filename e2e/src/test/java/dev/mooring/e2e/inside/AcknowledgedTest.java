// SPDX-License-Identifier: Apache-2.0
package dev.mooring.e2e.inside;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AcknowledgedTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "all of it, 0 1 2, 0 1 2",
        "one more than is known, 0 1, 0 1 2",
        "one of an earlier cut that is not known, 0 2, 0 1 2"
    })
    void whatIsThereSuffices(String name, String acknowledged, String there) {
        assertThatCode(() -> Acknowledged.prove(lines(acknowledged), lines(there), "a file"))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "the last is lost, 0 1 2, 0 1",
        "one in between is lost, 0 1 2, 0 2",
        "all are lost, 0 1 2, ''",
        "there is one twice, 0 1 2, 0 1 1 2",
        "there is something else, 0 1 2, 0 x 1 2"
    })
    void whatIsLostOrForeignIsFound(String name, String acknowledged, String there) {
        assertThatThrownBy(() -> Acknowledged.prove(lines(acknowledged), lines(there), "a file"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("lines of a file");
    }

    private static List<String> lines(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split(" "));
    }
}
