// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.simulation.world.SimulatedControlPlane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** S17 and the growth in S10: sizes are shown once they are there, nothing shrinks, and who asks for more has it in the end. */
@Tag("long")
class GrowthRulesTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static WorldReport play(SimulatedControlPlane plane, List<Act> acts) {
        return RandomWorld.replay(1, plane, WorldOptions.DEFAULT, acts);
    }

    private static SimulatedControlPlane real() {
        return WorldOptions.DEFAULT.plane();
    }

    private static SimulatedControlPlane planted(String name) {
        return new MutantPlane(real(), Mutants.named(name));
    }

    private static Act size(String size) {
        Map<String, Object> requests = Texts.map("requests", Texts.map("storage", size));
        return Act.patch(Scenes.CLAIM, "alpha", "data", false, Texts.map("spec", Texts.map("resources", requests)));
    }

    /** A claim with a pod is made larger while something goes wrong, and then asks for less than that. */
    private static List<Act> grow(String operation, String outcome, int times) {
        Map<String, Object> fault =
                Texts.map("plugin", GrowthActs.PLUGIN, "operation", operation, "outcome", outcome, "times", times);
        List<Act> acts = new ArrayList<>();
        acts.add(Act.apply(Texts.node("n1")));
        acts.add(Act.apply(GrowthActs.storageClass()));
        acts.add(Act.apply(
                Texts.claim("alpha", "data", "1Gi", "ReadWriteOnce", Texts.map("storageClassName", GrowthActs.CLASS))));
        acts.add(Act.apply(Texts.pod("alpha", "pod", "n1", List.of("data"))).thenAdvance(MINUTE));
        acts.add(Act.fault(FaultClass.BACKENDS, operation + ": " + outcome, Texts.map("fault", List.of(fault))));
        acts.add(size("5Gi").thenAdvance(Duration.ofSeconds(10)));
        if (outcome.startsWith("crash")) {
            Map<String, Object> both = Texts.map("restart", operation.equals("expand") ? "controllers" : "node/n1");
            acts.add(Act.fault(FaultClass.INTERMEDIATE_STATES, "what died starts", both));
        }
        acts.add(size("2Gi").thenAdvance(MINUTE));
        acts.add(Act.of("calm", Texts.map("calm", "30m")));
        return acts;
    }

    @ParameterizedTest
    @ValueSource(strings = {"expand", "expand-on-node"})
    void whateverGoesWrongSizesAreTrue(String operation) {
        for (String outcome : FaultActs.GOES_WRONG) {
            for (int times : outcome.startsWith("crash") ? new int[] {1} : new int[] {1, 4}) {
                assertThat(play(real(), grow(operation, outcome, times)).violations())
                        .as("%s, %s %d times", operation, outcome, times)
                        .isEmpty();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "node: an uncertain expansion is done, expand-on-node, uncertain, S17",
        "expansion: leaves nothing to nodes, expand, twice, S17",
        "expansion: shows the new size before it is there, expand, uncertain, S17",
        "expansion: an uncertain expansion is refused, expand, uncertain-applied, S17"
    })
    void plantedBugsAreSeen(String bug, String operation, String outcome, String rule) {
        assertThat(play(planted(bug), grow(operation, outcome, 1)).rules()).contains(rule);
    }

    /** A pod goes while the node's part of a growth hangs: only afterwards is the volume unstaged. */
    @Test
    void nothingIsUnstagedWhileItGrows() {
        List<Act> acts = new ArrayList<>(grow("expand-on-node", "hang", 1).subList(0, 6));
        acts.add(Act.delete("Pod", "alpha", "pod", false).thenAdvance(MINUTE));
        acts.add(Act.of("calm", Texts.map("calm", "30m")));
        assertThat(play(real(), acts).violations()).isEmpty();
        assertThat(play(planted("node: grows a volume beside everything else"), acts)
                        .rules())
                .contains("S11");
    }
}
