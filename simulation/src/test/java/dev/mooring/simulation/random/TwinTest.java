// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.simulation.world.SimulatedControlPlane;
import dev.mooring.storage.document.Document;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Small worlds that are played with their faults and without: I4 and L6 hold, and a control plane that breaks one is found out. */
@Tag("long")
class TwinTest {
    private static WorldReport play(SimulatedControlPlane plane, List<Act> acts) {
        return RandomWorld.replay(1, plane, WorldOptions.DEFAULT, acts);
    }

    private static SimulatedControlPlane planted(String name) {
        return new MutantPlane(WorldOptions.DEFAULT.plane(), Mutants.named(name));
    }

    /** The controllers die between the first and the second write of a bind. */
    private static List<Act> crashInABind() {
        Map<String, Object> fault =
                Texts.map("store", "update", "kind", "PersistentVolume", "outcome", "crash-after", "nth", 1);
        return List.of(
                Act.apply(Texts.volume("vol-1", "1Gi", "ReadWriteOnce", "Retain", false, Texts.map())),
                Act.fault(FaultClass.INTERMEDIATE_STATES, "a crash", Texts.map("fault", List.of(fault))),
                Act.apply(Texts.claim("alpha", "data-1", "1Gi", "ReadWriteOnce", Texts.map("storageClassName", ""))),
                Act.of(TwinActs.SAME_END, Texts.map("calm", "30m")));
    }

    @Test
    void aCrashInABindDoesNotChangeTheEnd() {
        assertThat(play(WorldOptions.DEFAULT.plane(), crashInABind()).violations())
                .isEmpty();
    }

    @Test
    void anotherEndAfterACrashIsFound() {
        WorldReport report = play(planted("binder: forgets in a crash who chose the volume"), crashInABind());
        assertThat(report.rules()).containsExactly("I4");
        assertThat(report.violations()).anyMatch(each -> each.contains("bound-by-controller"));
    }

    /** Nothing can be attached to one of two nodes. */
    private static List<Act> errorsOfOne() {
        List<Act> acts = new ArrayList<>();
        acts.add(Act.apply(Texts.node("n1")));
        acts.add(Act.apply(Texts.node("n2")));
        acts.add(Act.apply(Texts.driver(Texts.DRIVER)));
        Map<String, Object> fault = Texts.map(
                "plugin", Texts.DRIVER, "operation", "attach", "node", "n1", "outcome", "refused", "times", "always");
        acts.add(Act.fault(FaultClass.BACKENDS, "no attach to n1", Texts.map("fault", List.of(fault))));
        for (String name : List.of("hit-1", TwinActs.FREE + "1")) {
            acts.add(Act.apply(Texts.volume(name, "1Gi", "ReadWriteOnce", "Retain", false, Texts.map())));
            acts.add(Act.apply(Texts.claim(
                    "alpha", name, "1Gi", "ReadWriteOnce", Texts.map("storageClassName", "", "volumeName", name))));
            String node = name.equals("hit-1") ? "n1" : "n2";
            acts.add(Act.apply(Texts.pod("alpha", name, node, List.of(name))).thenAdvance(Duration.ofMinutes(1)));
        }
        acts.add(Act.of(TwinActs.NO_DELAY, Texts.map("calm", "30m")));
        return acts;
    }

    @Test
    void errorsOfOneDelayNoOther() {
        assertThat(play(WorldOptions.DEFAULT.plane(), errorsOfOne()).violations())
                .isEmpty();
    }

    @Test
    void whoWaitsForTheErrorsOfOthersIsFound() {
        WorldReport report = play(planted("attach-detach: waits for the errors of others"), errorsOfOne());
        assertThat(report.rules()).contains("L6");
        assertThat(report.violations()).anyMatch(each -> each.startsWith("L6: free-1 runs"));
    }

    @Test
    void withoutItsFaultsAWorldTakesTheSameTime() {
        List<Act> acts = List.of(
                Act.apply(Texts.node("n1")),
                Act.fault(FaultClass.MACHINES, "n1 goes down", Texts.map("stop", "node/n1", "advance", "10s")),
                Act.fault(FaultClass.MACHINES, "n1 starts", Texts.map("restart", "node/n1")));
        assertThat(Twin.unharmed(acts))
                .extracting(Act::step)
                .containsExactly(acts.get(0).step(), Document.of(Texts.map("advance", "10s")));
    }

    @Test
    void someWorldsHaveATwinOfEitherKind() {
        List<String> last = LongStream.range(0, 400)
                .boxed()
                .flatMap(seed -> Twin.of(seed).stream())
                .map(acts -> acts.get(acts.size() - 1).what())
                .toList();
        assertThat(last).hasSizeBetween(15, 60).contains(TwinActs.SAME_END, TwinActs.NO_DELAY);
    }

    @Test
    void twoEndsAreEqualButForUidsTimesAndVersions() {
        assertThat(Ending.of(List.of(claim("00000001-0001-4000-8000-000000000001", "1", "yes"))))
                .isEqualTo(Ending.of(List.of(claim("00000001-0001-4000-8000-000000000007", "9", "yes"))))
                .isNotEqualTo(Ending.of(List.of(claim("00000001-0001-4000-8000-000000000001", "1", "no"))));
    }

    private static Document claim(String uid, String version, String annotation) {
        return Document.of(Texts.map(
                "kind",
                "PersistentVolumeClaim",
                "metadata",
                Texts.map(
                        "name",
                        "data",
                        "uid",
                        uid,
                        "resourceVersion",
                        version,
                        "creationTimestamp",
                        "2000-01-01T00:00:0" + version + "Z",
                        "annotations",
                        Texts.map("a", annotation)),
                "spec",
                Texts.map("volumeName", "pvc-" + uid)));
    }
}
