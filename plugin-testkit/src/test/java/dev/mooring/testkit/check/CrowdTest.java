// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.testkit.bench.LifeStep;
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

    /** Each step of a life is done and undone. */
    @Test
    void aLifeHasTheTimeOfAllItsCalls() {
        Duration call = Duration.ofMinutes(1);

        assertThat(CrowdChecks.lifeLimit(call))
                .isGreaterThanOrEqualTo(
                        call.multipliedBy(LifeStep.values().length).multipliedBy(2));
    }

    private static void fail(BrokenRule broken) {
        throw broken;
    }
}
