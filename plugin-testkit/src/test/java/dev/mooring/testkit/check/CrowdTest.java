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

        assertThatThrownBy(() -> Crowd.together(Rule.DEADLINE_OBEYED, List.of(waits), Duration.ofMillis(10)))
                .isInstanceOf(BrokenRule.class)
                .hasMessageContaining("K15 ")
                .hasMessageContaining("did not end");
    }

    @Test
    void whatFailsAloneIsThrownAsItIs() {
        BrokenRule broken = new BrokenRule(Rule.OUTCOME_ALWAYS, "it threw");

        assertThatThrownBy(() -> Crowd.together(Rule.DEADLINE_OBEYED, List.of(() -> fail(broken))))
                .isSameAs(broken);
    }

    @Test
    void whatFailsBesideOthersBreaksTheRuleOfTheCrowd() {
        Runnable fails = () -> fail(new BrokenRule(Rule.OUTCOME_ALWAYS, "it threw"));

        assertThatThrownBy(() -> Crowd.together(Rule.VOLUMES_INDEPENDENT, List.of(fails, () -> {})))
                .hasMessageStartingWith("K18 ")
                .hasMessageContaining("with others at the same time: K04 ");
    }

    private static void fail(BrokenRule broken) {
        throw broken;
    }
}
