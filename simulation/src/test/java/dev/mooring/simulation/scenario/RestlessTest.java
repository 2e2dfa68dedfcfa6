// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.Situation;
import dev.mooring.simulation.guard.Guard;
import dev.mooring.simulation.peer.PeerPlane;
import dev.mooring.simulation.world.MooringControlPlane;
import dev.mooring.simulation.world.SimulatedPlugins;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.store.Change;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** L5: who still writes when everything is there is found out, also one who does it seldom. */
class RestlessTest {
    /** Writes the time on every Node, every so often. */
    private record Stamping(Duration pause) implements Controller {
        @Override
        public String name() {
            return "stamping";
        }

        @Override
        public List<Kind<?>> kinds() {
            return List.of(Kinds.NODE);
        }

        @Override
        public void observe(ObjectChange<?> change, Mailbox mailbox) {
            if (change.before().isEmpty()) {
                mailbox.recheck(new Key("node", change.key()));
            }
        }

        @Override
        public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
            Optional<Node> node = situation.caches().get(Kinds.NODE, key.object());
            if (node.isEmpty()) {
                return Decision.nothing();
            }
            long now = situation.now().monotonicNanos();
            long due = state.map(known -> ((Due) known).nanos()).orElse(now + pause.toNanos());
            return due > now
                    ? Decision.remember(new Due(due)).wakeAfter(Duration.ofNanos(due - now))
                    : Decision.act(stamp(node.get(), situation));
        }

        private static Effect stamp(Node node, Situation situation) {
            Map<String, String> labels = new LinkedHashMap<>(node.metadata().labels());
            labels.put("stamp", Long.toString(situation.now().monotonicNanos()));
            return new Effect.Update<>(
                    "stamp",
                    Kinds.NODE,
                    new Change<>(node, node.withMetadata(node.metadata().withLabels(labels))));
        }
    }

    /** When the next write is due. */
    private record Due(long nanos) implements KeyState {}

    private static List<String> rulesBrokenBy(List<Controller> controllers) {
        MooringControlPlane own =
                new MooringControlPlane(SimulatedPlugins.registry(List.of(), Set.of()), Set.of("binder"));
        ScriptedWorld world = new ScriptedWorld(1, new PeerPlane(own, () -> controllers), List.of());
        Map<String, Object> node =
                Map.of("apiVersion", "v1", "kind", "Node", "metadata", Map.of("name", "n1"), "spec", Map.of());
        world.play(Document.of(Map.of("name", "there is a node", "apply", List.of(node))));
        world.play(Document.of(Map.of("name", "nothing is left to do", "calm", "30m")));
        return world.findings().stream().map(Guard.Finding::rule).distinct().toList();
    }

    @Test
    void writesThoughAllIsThere() {
        assertThat(rulesBrokenBy(List.of(new Stamping(Duration.ofMinutes(20))))).containsExactly("L5");
    }

    @Test
    void restsWhenAllIsThere() {
        assertThat(rulesBrokenBy(List.of())).isEmpty();
    }
}
