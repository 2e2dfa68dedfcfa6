// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.mooring.runtime.control.Call;
import dev.mooring.simulation.invariant.Findings;
import dev.mooring.simulation.invariant.Invariant;
import dev.mooring.simulation.invariant.WorldView;
import dev.mooring.simulation.world.SimulatedControlPlane;
import dev.mooring.storage.document.JsonNull;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.volumemanager.calls.PublishCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** S16, and what is on volumes: nothing is made over data, nothing is lost, no pod is shown the data of another. */
@Tag("long")
class VolumeContentRulesTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static WorldReport play(SimulatedControlPlane plane, List<Act> acts) {
        return RandomWorld.replay(1, plane, WorldOptions.DEFAULT, acts);
    }

    /** What pods were given, in order: a rule that finds nothing proves nothing if no pod was given anything. */
    private final List<Given> given = new ArrayList<>();

    private record Given(String volume, String pod, long content) {}

    private final class Witness implements Invariant {
        @Override
        public void called(WorldView world, Call call, boolean applied, Findings findings) {
            if (applied && call instanceof PublishCall publish) {
                PodRef pod = publish.request().pod();
                given.add(new Given(call.volume(), pod.name(), world.contentOf(call.volume())));
            }
        }
    }

    /** Plays with Mooring's own control plane, which has to be found without fault. */
    private void playWell(List<Act> acts) {
        WorldReport report = RandomWorld.replay(1, real(), WorldOptions.DEFAULT.and(Witness::new), acts);
        assertThat(report.violations()).isEmpty();
    }

    private static SimulatedControlPlane real() {
        return WorldOptions.DEFAULT.plane();
    }

    private static SimulatedControlPlane planted(String name) {
        return new MutantPlane(real(), Mutants.named(name));
    }

    private static Map<String, Object> disk(String holds) {
        Map<String, Object> csi = Texts.map("driver", Texts.DRIVER, "volumeHandle", "disk");
        if (!holds.isEmpty()) {
            csi.put("volumeAttributes", Texts.map("holds", holds));
        }
        return Texts.volume("disk", "1Gi", "ReadWriteOnce", "Retain", false, Texts.map("csi", csi));
    }

    private static Map<String, Object> claim(String name, String volume, String mode) {
        return Texts.claim("alpha", name, "1Gi", mode, Texts.map("storageClassName", "", "volumeName", volume));
    }

    private static List<Act> world() {
        List<Act> acts = new ArrayList<>();
        acts.add(Act.apply(Texts.node("n1")));
        acts.add(Act.apply(Texts.node("n2")));
        acts.add(Act.apply(Texts.driver(Texts.DRIVER)));
        return acts;
    }

    private static Act fault(String plugin, String step, String outcome) {
        Map<String, Object> fault = Texts.map("plugin", plugin, "operation", step, "outcome", outcome, "times", 1);
        return Act.fault(FaultClass.BACKENDS, step + ": " + outcome, Texts.map("fault", List.of(fault)));
    }

    private static Act calm() {
        return Act.of("calm", Texts.map("calm", "30m"));
    }

    /** A pod comes to a disk while something goes wrong; then another pod on another node. */
    private static List<Act> use(String holds, String step, String outcome) {
        List<Act> acts = world();
        acts.add(fault(Texts.DRIVER, step, outcome));
        acts.add(Act.apply(disk(holds)));
        acts.add(Act.apply(claim("data", "disk", "ReadWriteOnce")));
        acts.add(Act.apply(Texts.pod("alpha", "first", "n1", List.of("data"))).thenAdvance(MINUTE));
        if (outcome.startsWith("crash")) {
            acts.add(Act.fault(FaultClass.INTERMEDIATE_STATES, "the agent starts", Texts.map("restart", "node/n1")));
        }
        acts.add(Act.delete("Pod", "alpha", "first", false).thenAdvance(MINUTE));
        acts.add(Act.apply(Texts.pod("alpha", "second", "n2", List.of("data"))));
        acts.add(calm());
        return acts;
    }

    @ParameterizedTest
    @ValueSource(strings = {"probe", "mkfs", "mount"})
    void whateverGoesWrongOnTheWayToAMountNothingIsLost(String step) {
        for (String outcome : List.of(
                "refused",
                "uncertain",
                "uncertain-applied",
                "deferred",
                "hang",
                "lie",
                "crash-before",
                "crash-after")) {
            for (String holds : List.of("", "ext4")) {
                assertThat(play(real(), use(holds, step, outcome)).violations())
                        .as("%s of %s on a disk that holds '%s'", outcome, step, holds)
                        .isEmpty();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"refused", "uncertain", "deferred", "hang", "lie", "crash-before", "twice"})
    void dataThatNoToolRecognisesIsKept(String outcome) {
        assertThat(play(real(), use("unknown", "probe", outcome)).rules()).doesNotContain("S16", "DATA-lost");
    }

    @ParameterizedTest
    @CsvSource({
        "node: takes what it cannot read for zeros, uncertain, ''",
        "node: takes what it cannot read for zeros, uncertain, ext4",
        "node: formats when the probe is unsure, deferred, ''",
        "node: formats when the probe is unsure, deferred, ext4",
        "node: formats when the probe is unsure, refused, ''",
        "node: takes what it cannot read for zeros, uncertain, unknown",
        "node: probes before the volume is attached, twice, ''",
        "node: probes before the volume is attached, twice, ext4",
    })
    void aFileSystemMadeWithoutASureLookIsFound(String bug, String outcome, String holds) {
        assertThat(play(planted(bug), use(holds, "probe", outcome)).rules()).contains("S16");
    }

    @Test
    void dataThatIsGoneWhenTheNextPodComesIsFound() {
        assertThat(play(planted("node: makes a file system wherever a volume comes to it"), use("", "mount", "twice"))
                        .rules())
                .contains("S16", "DATA-lost");
    }

    @Test
    void aUsedFileSystemThatIsMadeAgainIsFound() {
        String bug = "node: takes a file system that was in use for one whose making was cut off";
        assertThat(play(planted(bug), use("", "mount", "twice")).rules()).contains("S16", "DATA-lost");
    }

    /** One claim has a share after the other, with or without a fault in between. */
    private static List<Act> oneAfterTheOther(List<Act> between) {
        List<Act> acts = world();
        acts.add(Act.apply(Texts.volume("share", "1Gi", "ReadWriteMany", "Recycle", true, Texts.map())));
        acts.add(Act.apply(claim("one", "share", "ReadWriteMany")));
        acts.add(Act.apply(Texts.pod("alpha", "first", "n1", List.of("one"))).thenAdvance(MINUTE));
        acts.addAll(between);
        acts.add(Act.delete("Pod", "alpha", "first", false).thenAdvance(MINUTE));
        acts.add(Act.delete("PersistentVolumeClaim", "alpha", "one", false).thenAdvance(MINUTE));
        acts.add(Act.apply(claim("two", "share", "ReadWriteMany")));
        acts.add(Act.apply(Texts.pod("alpha", "second", "n2", List.of("two"))).thenAdvance(MINUTE));
        acts.add(calm());
        return acts;
    }

    @Test
    void aRecycledVolumeComesToAnotherClaimEmpty() {
        playWell(oneAfterTheOther(List.of(fault("kubernetes.io/nfs", "recycle", "refused"))));
        assertThat(given).extracting(Given::pod).containsExactly("first", "second");
        assertThat(given).extracting(Given::content).doesNotHaveDuplicates();
    }

    @Test
    void dataThatWasNotRecycledAndIsShownToAnotherClaimIsFound() {
        List<Act> acts = oneAfterTheOther(List.of(fault("kubernetes.io/nfs", "recycle", "refused")));
        assertThat(play(planted("binder: a refused recycle is done"), acts).rules())
                .containsExactly("DATA-shown");
    }

    @Test
    void aPodThatNamesAlsoAClaimThatOnlyWishesForTheVolumeIsShownNothingOfOthers() {
        List<Act> acts = world();
        acts.add(Act.apply(disk("")));
        acts.add(Act.apply(claim("has", "disk", "ReadWriteOnce")));
        acts.add(Act.apply(Texts.pod("alpha", "first", "n1", List.of("has"))).thenAdvance(MINUTE));
        acts.add(Act.apply(claim("a-wishes", "disk", "ReadWriteOnce")));
        acts.add(Act.apply(Texts.pod("alpha", "second", "n1", List.of("a-wishes", "has"))));
        acts.add(calm());
        playWell(acts);
        assertThat(given).extracting(Given::volume, Given::pod).contains(tuple("disk", "second"));
    }

    @Test
    void whoFreesAVolumeByHandGivesItsDataToTheNext() {
        List<Act> acts = world();
        acts.add(Act.apply(disk("")));
        acts.add(Act.apply(claim("one", "disk", "ReadWriteOnce")));
        acts.add(Act.apply(Texts.pod("alpha", "first", "n1", List.of("one"))).thenAdvance(MINUTE));
        acts.add(Act.delete("Pod", "alpha", "first", false).thenAdvance(MINUTE));
        acts.add(Act.delete("PersistentVolumeClaim", "alpha", "one", false).thenAdvance(MINUTE));
        acts.add(Act.patch(
                        "PersistentVolume", "", "disk", false, Texts.map("spec", Texts.map("claimRef", JsonNull.NULL)))
                .thenAdvance(MINUTE));
        acts.add(Act.apply(claim("two", "disk", "ReadWriteOnce")));
        acts.add(Act.apply(Texts.pod("alpha", "second", "n2", List.of("two"))));
        acts.add(calm());
        playWell(acts);
        assertThat(given).extracting(Given::pod).containsExactly("first", "second");
        assertThat(given).extracting(Given::content).containsOnly(given.get(0).content());
    }
}
