// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.simulation.invariant.Findings;
import dev.mooring.simulation.invariant.Invariant;
import dev.mooring.simulation.invariant.ObjectWrite;
import dev.mooring.simulation.invariant.WorldView;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The first lines of a failing world's file say what is wrong, what happened last before it was, and how to play the whole world. */
class ScenarioTextTest {
    /** Wants no claim to be bound: found at the write that shows one Bound. */
    private static final class NothingBound implements Invariant {
        @Override
        public void written(WorldView world, ObjectWrite<?> write, Findings findings) {
            boolean bound = world.claims().stream()
                    .anyMatch(claim -> claim.status().phase().name().equals("BOUND"));
            findings.require(!bound, "nothing-bound", "a claim is bound");
        }
    }

    /** A claim is bound, and long afterwards a pod comes. */
    private static List<Act> acts() {
        return List.of(
                Act.apply(Texts.volume("vol-1", "1Gi", "ReadWriteOnce", "Retain", true, Texts.map())),
                Act.apply(Texts.claim("alpha", "data-1", "1Gi", "ReadWriteOnce", Texts.map("storageClassName", ""))),
                Act.apply(Texts.pod("alpha", "late", "n1", List.of("data-1"))));
    }

    private static WorldReport bad() {
        WorldOptions strict = WorldOptions.DEFAULT.and(NothingBound::new);
        return RandomWorld.replay(7, strict.plane(), strict, acts());
    }

    private static List<String> head(WorldReport report, WorldOptions options) {
        return ScenarioText.write(report, options)
                .lines()
                .takeWhile(line -> line.startsWith("#"))
                .toList();
    }

    @Test
    void whatHappenedLastStandsInTheHeadUpToTheViolationAndNoFurther() {
        WorldReport report = bad();
        assertThat(report.lastEvents()).hasSizeBetween(5, 20);
        assertThat(report.lastEvents().get(report.lastEvents().size() - 1))
                .contains("controllers: changed PersistentVolumeClaim alpha/data-1")
                .contains("status.phase=Bound");
        assertThat(report.lastEvents())
                .anyMatch(line -> line.endsWith("step: apply PersistentVolumeClaim alpha/data-1"));
        assertThat(report.lastEvents()).noneMatch(line -> line.contains("late"));
        List<String> head = head(report, WorldOptions.DEFAULT);
        assertThat(head.get(0)).isEqualTo("# nothing-bound: a claim is bound");
        assertThat(head)
                .containsAll(
                        report.lastEvents().stream().map(line -> "#   " + line).toList());
    }

    @Test
    void theCommandThatPlaysTheWholeWorldStandsInTheHead() {
        assertThat(head(bad(), WorldOptions.DEFAULT))
                .last()
                .asString()
                .endsWith("./mooring simulate --first 7 --seeds 1");
    }

    @Test
    void noCommandIsGivenForWorldsThatItDoesNotPlay() {
        assertThat(head(bad(), WorldOptions.DEFAULT.withActs(3))).noneMatch(line -> line.contains("./mooring"));
    }

    @Test
    void moreViolationsThanFiveAreCounted() {
        List<String> seven = Stream.of(1, 2, 3, 4, 5, 6, 7).map(n -> "R: " + n).toList();
        assertThat(head(bad().violating(seven), WorldOptions.DEFAULT))
                .contains("# R: 4", "# and 3 more")
                .doesNotContain("# R: 5");
    }

    @Test
    void ofAGoodWorldNothingIsTold() {
        WorldReport good = RandomWorld.replay(7, WorldOptions.DEFAULT.plane(), WorldOptions.DEFAULT, acts());
        assertThat(good.violations()).isEmpty();
        assertThat(good.lastEvents()).isEmpty();
    }
}
