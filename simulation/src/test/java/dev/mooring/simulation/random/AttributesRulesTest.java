// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.simulation.world.SimulatedControlPlane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Classes of attributes: what is shown was given, a class that is named stays, and who names one has it in the end. */
class AttributesRulesTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static WorldReport play(SimulatedControlPlane plane, List<Act> acts) {
        return RandomWorld.replay(1, plane, WorldOptions.DEFAULT, acts);
    }

    private static SimulatedControlPlane planted(String name) {
        return new MutantPlane(WorldOptions.DEFAULT.plane(), Mutants.named(name));
    }

    private static Act name(String attributes) {
        Map<String, Object> wish = Texts.map("volumeAttributesClassName", attributes);
        return Act.patch(Scenes.CLAIM, "alpha", "data", false, Texts.map("spec", wish));
    }

    /** A claim names a class while something goes wrong, then another one, and the first class goes. */
    private static List<Act> change(String outcome, int times) {
        List<Act> acts = new ArrayList<>();
        acts.add(Act.apply(Texts.storageClass("sim", Texts.SIM, "Immediate", true)));
        acts.add(Act.apply(AttributesActs.attributes("gold", "3000")));
        acts.add(Act.apply(AttributesActs.attributes("silver", "100")));
        acts.add(Act.apply(Texts.claim("alpha", "data", "1Gi", "ReadWriteOnce", Texts.map("storageClassName", "sim"))));
        acts.add(goesWrong("modify", outcome, times));
        acts.add(name("gold").thenAdvance(Duration.ofSeconds(10)));
        acts.add(Act.delete("VolumeAttributesClass", "", "gold", false));
        startedAfter(outcome).ifPresent(acts::add);
        acts.add(name("silver").thenAdvance(MINUTE));
        acts.add(Act.of("calm", Texts.map("calm", "30m")));
        return acts;
    }

    private static Act goesWrong(String operation, String outcome, int times) {
        Map<String, Object> fault =
                Texts.map("plugin", Texts.SIM, "operation", operation, "outcome", outcome, "times", times);
        return Act.fault(FaultClass.BACKENDS, operation + ": " + outcome, Texts.map("fault", List.of(fault)));
    }

    private static Optional<Act> startedAfter(String outcome) {
        return Optional.of(outcome)
                .filter(AttributesRulesTest::crashes)
                .map(crash -> Act.fault(
                        FaultClass.INTERMEDIATE_STATES, "the controllers start", Texts.map("restart", "controllers")));
    }

    private static boolean crashes(String outcome) {
        return outcome.startsWith("crash");
    }

    private static void holdsWhateverGoesWrong(int times, BiFunction<String, Integer, List<Act>> story) {
        for (String outcome : FaultActs.GOES_WRONG) {
            int most = crashes(outcome) ? 1 : times;
            assertThat(play(WorldOptions.DEFAULT.plane(), story.apply(outcome, most))
                            .violations())
                    .as("%s %d times", outcome, most)
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void whateverGoesWrongWhatIsShownWasGiven(int times) {
        holdsWhateverGoesWrong(times, AttributesRulesTest::change);
    }

    @ParameterizedTest
    @CsvSource({
        "volume-modification: an uncertain modify is done, uncertain, VAC-shown",
        "volume-modification: a refused modify is done, refused, VAC-shown",
        "volume-modification: shows the class before it is given, uncertain, VAC-shown",
        "volume-modification: modifies without writing it down, twice, VAC-intent"
    })
    void plantedBugsAreSeen(String bug, String outcome, String rule) {
        assertThat(play(planted(bug), change(outcome, 1)).rules()).contains(rule);
    }

    /** A claim names a class from the start, before there is one, and making its storage goes wrong; then it names another one. */
    private static List<Act> fromTheStart(String outcome, int times) {
        List<Act> acts = new ArrayList<>();
        acts.add(Act.apply(Texts.storageClass("sim", Texts.SIM, "Immediate", true)));
        Map<String, Object> wish = Texts.map("storageClassName", "sim", "volumeAttributesClassName", "gold");
        acts.add(Act.apply(Texts.claim("alpha", "data", "1Gi", "ReadWriteOnce", wish))
                .thenAdvance(Duration.ofSeconds(10)));
        acts.add(goesWrong("provision", outcome, times));
        acts.add(Act.apply(AttributesActs.attributes("gold", "3000")).thenAdvance(Duration.ofSeconds(10)));
        startedAfter(outcome).ifPresent(acts::add);
        acts.add(Act.of("calm", Texts.map("calm", "30m")));
        acts.add(Act.apply(AttributesActs.attributes("silver", "100")));
        acts.add(name("silver").thenAdvance(MINUTE));
        acts.add(Act.of("calm", Texts.map("calm", "30m")));
        return acts;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void whateverGoesWrongStorageIsMadeWithWhatItShows(int times) {
        holdsWhateverGoesWrong(times, AttributesRulesTest::fromTheStart);
    }

    @Test
    void storageThatIsMadeWithoutAttributesIsSeen() {
        assertThat(play(planted("binder: provisions without attributes"), fromTheStart("uncertain", 1))
                        .rules())
                .contains("VAC-intent", "VAC-shown");
    }

    /** A class goes, and of the claim that has named it for minutes the controllers have not heard. */
    private static List<Act> unheardOf() {
        List<Act> acts = new ArrayList<>();
        acts.add(Act.apply(Texts.storageClass("sim", Texts.SIM, "Immediate", true)));
        acts.add(Act.apply(AttributesActs.attributes("gold", "3000")));
        acts.add(Act.apply(Texts.claim("alpha", "data", "1Gi", "ReadWriteOnce", Texts.map("storageClassName", "sim"))));
        Map<String, Object> hold = Texts.map("process", "controllers", "kind", Scenes.CLAIM, "outcome", "hold");
        acts.add(
                Act.fault(FaultClass.STALE_STATES, "no controller hears of claims", Texts.map("watch", List.of(hold))));
        acts.add(name("gold").thenAdvance(Duration.ofMinutes(2)));
        acts.add(Act.delete("VolumeAttributesClass", "", "gold", false).thenAdvance(MINUTE));
        acts.add(Act.of("calm", Texts.map("calm", "30m")));
        return acts;
    }

    @Test
    void aClassThatIsNamedUnheardOfStays() {
        assertThat(play(WorldOptions.DEFAULT.plane(), unheardOf()).violations()).isEmpty();
        assertThat(play(planted("vac-protection: list-claims trusts the cache"), unheardOf())
                        .rules())
                .contains("VAC-used");
    }
}
