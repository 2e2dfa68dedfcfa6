// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.simulation.invariant.Findings;
import dev.mooring.simulation.invariant.Invariant;
import dev.mooring.simulation.invariant.WorldView;
import dev.mooring.simulation.peer.PeerAttachDetach;
import dev.mooring.simulation.peer.PeerPlane;
import dev.mooring.simulation.world.MooringControlPlane;
import dev.mooring.simulation.world.SimulatedPlugins;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The whole control plane in random worlds: the safety invariants hold at every step, and what is wanted comes to be. */
@Tag("long")
class RandomWorldsTest {
    private static final int WORLDS = Integer.getInteger("mooring.worlds", 40);
    private static final long FIRST = Long.getLong("mooring.worlds.first", 0);

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void nothingUnsafeHappensAndNothingIsLeft() {
        List<String> bad = new ArrayList<>();
        Map<String, Integer> rules = new TreeMap<>();
        long events = 0;
        for (long seed = FIRST; seed < FIRST + WORLDS; seed++) {
            WorldReport report = RandomWorld.play(seed, WorldOptions.DEFAULT);
            events += report.events();
            if (!report.good()) {
                bad.add(report.describe());
                rules.merge(report.violations().get(0), 1, Integer::sum);
            }
        }
        System.out.printf("%d worlds, %d events, %d bad %s%n", WORLDS, events, bad.size(), rules);
        assertThat(bad.size())
                .as(bad.stream().limit(3).collect(Collectors.joining("\n")))
                .isZero();
    }

    @Test
    void theSameSeedIsTheSameWorld() {
        assertThat(RandomWorld.play(7, WorldOptions.DEFAULT)).isEqualTo(RandomWorld.play(7, WorldOptions.DEFAULT));
    }

    /** What an embedder adds is shown every step, and takes part in what happens. */
    @Test
    void invariantsAndActsOfOnesOwnTakePart() {
        WorldOptions options = WorldOptions.DEFAULT
                .and(() -> new Invariant() {
                    @Override
                    public void step(WorldView world, Findings findings) {
                        boolean there = world.find(Kinds.NAMESPACE, ObjectKey.cluster("mine"))
                                .isPresent();
                        findings.require(!there, "mine", "there is a namespace of mine");
                    }
                })
                .andActs(() -> (chance, world) -> Optional.of(Act.apply(
                        Texts.map("apiVersion", "v1", "kind", "Namespace", "metadata", Texts.map("name", "mine")))));
        WorldReport report = RandomWorld.play(1, options);
        assertThat(report.rules()).containsExactly("mine");
        assertThat(new Simulation(options).shrink(report).acts())
                .extracting(Act::what)
                .containsExactly("apply Namespace mine");
    }

    /**
     * Worlds with the rules of Kubernetes' controller: the witness has to see what they do. They begin with one where it does, so that
     * few have to be looked at.
     */
    @Test
    void theInvariantsSeeWhatTheRulesOfThePeerDo() {
        Set<String> broken = new TreeSet<>();
        Set<String> rest = new TreeSet<>(WorldOptions.DEFAULT.controllers());
        rest.remove("attach-detach");
        MooringControlPlane plane =
                new MooringControlPlane(SimulatedPlugins.registry(List.of(), Set.of("disk.example.com")), rest);
        PeerPlane peer = new PeerPlane(plane, () -> List.of(new PeerAttachDetach()));
        for (long seed = 26; seed < 86 && !broken.contains("S6"); seed++) {
            WorldReport report = RandomWorld.play(seed, peer, WorldOptions.DEFAULT.withActs(20));
            broken.addAll(report.rules());
        }
        assertThat(broken).contains("S6");
    }
}
