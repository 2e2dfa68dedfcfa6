// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Faults are counted when they strike: what is declared, and meets nothing, is no fault. */
class FaultClassTest {
    private static final Map<String, Object> NO_CLASS = Texts.map("storageClassName", "");

    /** A claim is bound to a volume that is attached to a node; before that and after it something goes wrong. */
    private static Map<FaultClass, Integer> strikes(List<Act> before, List<Act> after) {
        List<Act> acts = new ArrayList<>();
        acts.add(Act.apply(Texts.node("n1")));
        acts.add(Act.apply(Texts.driver(Texts.DRIVER)));
        acts.addAll(before);
        acts.add(Act.apply(Texts.volume("vol-1", "1Gi", "ReadWriteOnce", "Retain", false, Texts.map())));
        acts.add(Act.apply(Texts.claim("alpha", "data-1", "1Gi", "ReadWriteOnce", NO_CLASS)));
        acts.add(Act.apply(Texts.pod("alpha", "pod", "n1", List.of("data-1"))).thenAdvance(Duration.ofMinutes(1)));
        acts.addAll(after);
        acts.add(Act.of("calm", Texts.map("calm", "30m")));
        WorldReport report = RandomWorld.replay(1, WorldOptions.DEFAULT.plane(), WorldOptions.DEFAULT, acts);
        assertThat(report.violations()).isEmpty();
        Map<FaultClass, Integer> struck = new TreeMap<>(report.faults());
        struck.values().removeIf(count -> count == 0);
        return struck;
    }

    private static Act fault(FaultClass what, String... keysAndValues) {
        return Act.fault(what, "a fault", Texts.map("fault", List.of(Texts.map((Object[]) keysAndValues))));
    }

    private static Act watch(FaultClass what, String outcome) {
        return Act.fault(
                what, outcome, Texts.map("watch", List.of(Texts.map("process", "controllers", "outcome", outcome))));
    }

    @Test
    void nothingStrikesWhereNothingIsDeclared() {
        assertThat(strikes(List.of(), List.of())).isEmpty();
    }

    @Test
    void aWriteThatMeetsAConflictIsCountedAndOneThatNeverComesIsNot() {
        Act meets = fault(FaultClass.STORE, "store", "update", "kind", "PersistentVolume", "outcome", "conflict");
        Act misses = fault(FaultClass.STORE, "store", "delete", "kind", "PersistentVolume", "outcome", "conflict");
        assertThat(strikes(List.of(meets, misses), List.of())).containsExactly(Map.entry(FaultClass.STORE, 1));
    }

    @Test
    void aCallThatFailsIsCountedAndOneThatIsNeverMadeIsNot() {
        Act meets = fault(FaultClass.BACKENDS, "plugin", Texts.DRIVER, "operation", "attach", "outcome", "uncertain");
        Act misses = fault(FaultClass.BACKENDS, "plugin", Texts.DRIVER, "operation", "delete", "outcome", "uncertain");
        assertThat(strikes(List.of(meets, misses), List.of())).containsEntry(FaultClass.BACKENDS, 1);
    }

    @Test
    void aCrashAtAWriteIsAnIntermediateState() {
        Act crash = fault(
                FaultClass.INTERMEDIATE_STATES,
                "store",
                "update",
                "kind",
                "PersistentVolume",
                "outcome",
                "crash-after");
        assertThat(strikes(List.of(crash), List.of())).containsExactly(Map.entry(FaultClass.INTERMEDIATE_STATES, 1));
    }

    @Test
    void whoIsDeadIsNotInterruptedAgain() {
        Act stop = Act.fault(FaultClass.INTERMEDIATE_STATES, "they stop", Texts.map("stop", "controllers"));
        assertThat(strikes(List.of(), List.of(stop, stop)))
                .containsExactly(Map.entry(FaultClass.INTERMEDIATE_STATES, 1));
    }

    @Test
    void newsThatWaitBehindAWatchAreStaleAndWithoutNewsNothingIs() {
        Act hold = watch(FaultClass.STALE_STATES, "hold");
        Act release = watch(FaultClass.STALE_STATES, "release");
        assertThat(strikes(List.of(), List.of(hold, release))).isEmpty();
        assertThat(strikes(List.of(hold), List.of(release))).containsOnlyKeys(FaultClass.STALE_STATES);
    }

    @Test
    void newsThatAreLostWhileTheyWaitAreUnobservedAndWithoutNewsNothingIs() {
        Act hold = watch(FaultClass.STALE_STATES, "hold");
        Act lose = watch(FaultClass.UNOBSERVED_STATES, "lose");
        assertThat(strikes(List.of(), List.of(lose))).isEmpty();
        assertThat(strikes(List.of(hold), List.of(lose))).containsKey(FaultClass.UNOBSERVED_STATES);
        assertThat(strikes(List.of(hold, lose), List.of())).containsOnlyKeys(FaultClass.UNOBSERVED_STATES);
    }

    @Test
    void aMachineIsDownOnce() {
        Act down = Act.fault(FaultClass.MACHINES, "n1 goes down", Texts.map("stop", "node/n1"));
        assertThat(strikes(List.of(), List.of(down, down)))
                .containsExactly(Map.entry(FaultClass.INTERMEDIATE_STATES, 1), Map.entry(FaultClass.MACHINES, 1));
    }
}
