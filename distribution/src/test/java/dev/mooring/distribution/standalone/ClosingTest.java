// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whatever fails, the rest is closed. */
class ClosingTest {
    private final List<String> done = new ArrayList<>();
    private final Closing closing = new Closing();

    @Test
    void everyStepIsDoneAndNothingThatFailedIsForgotten() {
        IllegalStateException first = new IllegalStateException("first");
        StackOverflowError second = new StackOverflowError();
        closing.add(() -> done.add("a"));
        closing.add(() -> {
            throw first;
        });
        closing.add(() -> done.add("b"));
        closing.add(() -> {
            throw second;
        });
        closing.add(() -> {
            throw first;
        });
        closing.add(() -> done.add("c"));

        assertThatThrownBy(closing::run).isSameAs(first);
        assertThat(first.getSuppressed()).containsExactly(second);
        assertThat(done).containsExactly("a", "b", "c");
    }

    @Test
    void nothingIsThrownWhenAllIsWell() {
        closing.add(() -> done.add("a"));
        closing.run();
        assertThat(done).containsExactly("a");
    }
}
