// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.check;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.testkit.rule.BrokenRule;
import dev.mooring.testkit.rule.Rule;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class CrowdTest {
    @Test
    void aCallThatNeverEndsIsFound() {
        CountDownLatch never = new CountDownLatch(1);
        Runnable waits = () -> {
            try {
                never.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };

        assertThatThrownBy(() -> Crowd.together(Rule.K15, List.of(waits), Duration.ofMillis(10)))
                .isInstanceOf(BrokenRule.class)
                .hasMessageContaining("K15 ")
                .hasMessageContaining("did not end");
    }
}
