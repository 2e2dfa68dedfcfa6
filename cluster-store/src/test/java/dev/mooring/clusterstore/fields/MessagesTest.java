// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.fields;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.Kinds;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A refusal is about as long as people can read, however much is wrong. */
class MessagesTest {
    @Test
    void aFewProblemsAreAllTold() {
        assertThat(Messages.invalid(Kinds.POD, "web", List.of("a: Required value")))
                .isEqualTo("Pod \"web\" is invalid: a: Required value");
        assertThat(Messages.invalid(Kinds.POD, "web", List.of("a: Required value", "b: Forbidden: x")))
                .isEqualTo("Pod \"web\" is invalid: [a: Required value, b: Forbidden: x]");
    }

    @Test
    void ofVeryManyProblemsTheFirstOnesAreTold() {
        String message = Messages.invalid(Kinds.POD, "web", Collections.nCopies(75_000, "a: Required value"));
        assertThat(message).endsWith("a: Required value, and 74900 more]");
        assertThat(message.length()).isLessThan(3_000);
    }

    @Test
    void ofVeryLongTextsTheBeginningIsToldAndQuotationMarksStayPairs() {
        String problem = "a: Invalid value: \"" + "x".repeat(900_000) + "\": too long";
        String message = Messages.invalid(Kinds.POD, "n".repeat(900_000), List.of(problem, "b: Forbidden: x"));
        assertThat(message.length()).isLessThan(5_000);
        assertThat(message).contains("...\"").endsWith(", b: Forbidden: x]");
        assertThat(message.chars().filter(each -> each == '"').count()).isEven();
    }
}
