// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.index.MatchOracle.Rule;
import dev.mooring.binder.index.ModelRun.Operation;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The index against {@link MatchOracle} under random changes, one at a time. {@code -Dmooring.index.operations=2000000} does more,
 * {@code -Dmooring.index.seed=7} others.
 */
@Tag("long")
class VolumeIndexModelTest {
    private static final int OPERATIONS = Integer.getInteger("mooring.index.operations", 50_000);
    private static final long SEED = Long.getLong("mooring.index.seed", 1);
    private static final int RUNS = 8;
    private static final int ENOUGH = 1_000;

    /** Large enough for groups whose selectors are looked up, and small ones that are often empty. */
    private static final int[] VOLUMES = {900, 300, 120, 300};

    @Test
    void answersAsTheSpecification() {
        ModelRun.Tally all = new ModelRun.Tally();
        for (int run = 0; run < RUNS; run++) {
            boolean upstreamPhaseOrder = run % 2 == 1;
            ModelRun one = new ModelRun(
                    SEED + run, VOLUMES[run % VOLUMES.length], new MatchOracle(upstreamPhaseOrder), upstreamPhaseOrder);
            one.operations(OPERATIONS / RUNS);
            all.add(one.tally());
        }
        System.out.println(all.text());
        assertThat(all.operations()).as("operations").isEqualTo((long) OPERATIONS / RUNS * RUNS);
        assertThat(all.done.keySet()).as("operations").contains(Operation.values());
        assertThat(all.found).as("matches that succeed").isGreaterThan(all.asked * 30L / 100);
        assertThat(all.ties).as("ties").isGreaterThan(all.asked * 5L / 100);
        Map<Rule, Long> tooRare = new EnumMap<>(Rule.class);
        for (Rule rule : Rule.values()) {
            long alone = all.onlyExcluder.getOrDefault(rule, 0L);
            if (alone < (long) ENOUGH * OPERATIONS / 200_000) {
                tooRare.put(rule, alone);
            }
        }
        assertThat(tooRare).as("rules that were too rarely the only excluder").isEmpty();
    }

    @Test
    void theSameSeedGivesTheSameHistory() {
        assertThat(tallyOf(SEED)).isEqualTo(tallyOf(SEED)).isNotEqualTo(tallyOf(SEED + 1));
        assertThat(IntStream.range(0, 3).mapToObj(i -> tallyOf(SEED + i)).distinct())
                .hasSize(3);
    }

    private static String tallyOf(long seed) {
        ModelRun run = new ModelRun(seed, 100, new MatchOracle(false), false);
        run.operations(500);
        return run.tally().text();
    }
}
