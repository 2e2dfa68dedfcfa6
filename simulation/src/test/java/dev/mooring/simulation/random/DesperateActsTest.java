// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.simulation.invariant.Findings;
import dev.mooring.simulation.invariant.Invariant;
import dev.mooring.simulation.invariant.WorldView;
import dev.mooring.simulation.world.SimulatedControlPlane;
import dev.mooring.storage.document.JsonNull;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An object goes after a user took its finalizers by hand: no rule is broken. An object that goes without that is a fault as before. */
class DesperateActsTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final String OTHER_HAS_IT = "[n2]";

    /** The names of the attachments that there were while the first machine was down. */
    private final Set<String> slots = new TreeSet<>();

    private static List<Act> used() {
        List<Act> acts = new ArrayList<>();
        acts.add(Act.apply(Texts.node("n1")));
        acts.add(Act.apply(Texts.node("n2")));
        acts.add(Act.apply(Texts.driver(Texts.DRIVER)));
        acts.add(Scenes.pair(0, "ReadWriteOnce", false, Texts.map()));
        acts.add(Scenes.pod(0, "n1", "alpha-data-0").thenAdvance(MINUTE));
        return acts;
    }

    private static Act stripped(String kind, String namespace, String name) {
        Map<String, Object> bare = Texts.map("metadata", Texts.map("finalizers", JsonNull.NULL));
        return Act.patch(kind, namespace, name, false, bare).thenAdvance(MINUTE);
    }

    private static Act calm() {
        return Act.of("calm", Texts.map("calm", "30m"));
    }

    private static WorldReport play(SimulatedControlPlane plane, List<Act> acts) {
        return RandomWorld.replay(1, plane, WorldOptions.DEFAULT, acts);
    }

    @ParameterizedTest
    @CsvSource({"PersistentVolumeClaim, alpha, alpha-data-0", "PersistentVolume, '', vol-0"})
    void whoTakesFinalizersAwayLetsItGo(String kind, String namespace, String name) {
        List<Act> acts = used();
        acts.add(Act.delete(kind, namespace, name, false).thenAdvance(MINUTE));
        acts.add(stripped(kind, namespace, name));
        acts.add(calm());
        assertThat(play(WorldOptions.DEFAULT.plane(), acts).violations()).isEmpty();
    }

    /** A claim whose finalizers only a broken controller takes away. */
    @Test
    void whatGoesByItselfIsStillSeen() {
        Mutant letsGo = Mutants.named("pvc-protection: list-pods trusts the cache");
        String claim = "alpha-data-" + Scenes.SHARED;
        List<Act> acts = new ArrayList<>();
        acts.add(Act.apply(Texts.node("n1")));
        acts.add(Scenes.pair(Scenes.SHARED, "ReadWriteMany", true, Texts.map()));
        Map<String, Object> hold = Texts.map("process", "controllers", "kind", "Pod", "outcome", "hold");
        acts.add(Act.fault(FaultClass.STALE_STATES, "no controller hears of pods", Texts.map("watch", List.of(hold))));
        acts.add(Scenes.pod(0, "n1", claim).thenAdvance(MINUTE));
        acts.add(Act.delete(Scenes.CLAIM, "alpha", claim, false).thenAdvance(MINUTE));
        acts.add(calm());
        assertThat(play(new MutantPlane(WorldOptions.DEFAULT.plane(), letsGo), acts)
                        .rules())
                .contains("PP");
    }

    /** Nothing but an operator's word says that the machine is off. */
    @Test
    void anOperatorsWordDetachesFromAMachineThatIsDown() {
        List<Act> acts = used();
        acts.add(Act.fault(FaultClass.MACHINES, "n1 goes down", Texts.map("stop", "node/n1"))
                .thenAdvance(MINUTE));
        acts.add(Act.delete("Pod", "alpha", "alpha-pod-0", true).thenAdvance(MINUTE));
        acts.add(Scenes.pod(1, "n2", "alpha-data-0").thenAdvance(MINUTE));
        assertThat(seen(acts)).doesNotContain(OTHER_HAS_IT);
        acts.add(Act.patch(
                        "VolumeAttachment",
                        "",
                        slots.iterator().next(),
                        false,
                        Texts.map("metadata", Texts.map("annotations", Texts.map("mooring.dev/force-detach", "me"))))
                .thenAdvance(MINUTE));
        assertThat(seen(acts)).contains(OTHER_HAS_IT);
        acts.add(calm());
        assertThat(play(WorldOptions.DEFAULT.plane(), acts).violations()).isEmpty();
    }

    /** Where the volume is attached while the first machine is down. */
    private Set<String> seen(List<Act> acts) {
        Set<String> attached = new TreeSet<>();
        WorldOptions options = WorldOptions.DEFAULT.and(() -> new Invariant() {
            @Override
            public void step(WorldView world, Findings findings) {
                if (!world.isUp("n1")) {
                    attached.add(world.attachedTo("vol-0").toString());
                    world.attachments()
                            .forEach(slot -> slots.add(slot.metadata().name()));
                }
            }
        });
        assertThat(RandomWorld.replay(1, options.plane(), options, acts).violations())
                .isEmpty();
        return attached;
    }
}
