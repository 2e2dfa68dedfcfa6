// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class TextlessTraceTest {
    @Test
    void saysWhereItHappenedAndRepeatsNoText() {
        Exception cause = new IllegalArgumentException("login with s3cret");
        Exception thrown = new IllegalStateException("password s3cret", cause);
        thrown.addSuppressed(new IllegalStateException("s3cret"));
        assertThat(printed(TextlessTrace.of(thrown)))
                .doesNotContain("s3cret")
                .contains("java.lang.IllegalStateException")
                .contains("java.lang.IllegalArgumentException")
                .contains(TextlessTraceTest.class.getName() + ".saysWhereItHappenedAndRepeatsNoText");
    }

    @Test
    void aCauseThatIsItsOwnCauseEnds() {
        Exception first = new IllegalStateException("one");
        Exception second = new IllegalStateException("two", first);
        first.initCause(second);
        assertThat(printed(TextlessTrace.of(first)).length()).isLessThan(100_000);
    }

    @Test
    void aDeepStackIsCut() {
        assertThat(TextlessTrace.of(deep(0)).getStackTrace()).hasSize(60);
    }

    private static RuntimeException deep(int depth) {
        return depth == 200 ? new IllegalStateException("deep") : deep(depth + 1);
    }

    private static String printed(Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}
