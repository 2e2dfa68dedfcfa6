// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.controlplane.ControlPlane;
import dev.mooring.controlplane.NodeAgent;
import dev.mooring.runtime.EventSink;
import dev.mooring.simulation.invariant.Findings;
import dev.mooring.simulation.invariant.Invariant;
import dev.mooring.simulation.invariant.ObjectWrite;
import dev.mooring.simulation.invariant.WorldView;
import dev.mooring.simulation.random.Simulation;
import dev.mooring.simulation.random.WorldOptions;
import dev.mooring.storage.codec.KubernetesYaml;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.host.HostServices;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What controllers and agents ask for is what the manifests grant. The tests against a real API server run with these rights; here are
 * the kinds that its release lacks, and what happens only now and then.
 */
@Tag("long")
class RightsTest {
    private static final int WORLDS = 25;
    private static final String CONTROLLER = "controller-rbac.yaml";
    private static final String NODE = "node-rbac.yaml";

    private static Set<String> granted(String manifest) throws IOException {
        Path file = Path.of(System.getProperty("mooring.root", ".."))
                .resolve("docs/manifests")
                .resolve(manifest);
        Set<String> granted = new TreeSet<>();
        for (Document each : KubernetesYaml.standard().readAll(Files.readString(file), manifest)) {
            for (Object rule : (List<?>) each.at("rules").orElse(List.of())) {
                grant((Map<?, ?>) rule, granted);
            }
        }
        return granted;
    }

    private static void grant(Map<?, ?> rule, Set<String> granted) {
        for (Object group : (List<?>) rule.get("apiGroups")) {
            for (Object resource : (List<?>) rule.get("resources")) {
                ((List<?>) rule.get("verbs")).forEach(verb -> granted.add(right(verb, resource, group)));
            }
        }
    }

    private static String right(Object verb, Object resource, Object group) {
        return verb + " " + resource + (group.equals("") ? "" : "." + group);
    }

    static String right(String verb, Kind<?> kind, String subresource) {
        return right(verb, kind.plural() + subresource, kind.group());
    }

    @Test
    void whatIsFollowedMayBeListedAndWatched() throws IOException {
        MemoryClusterStore store = new MemoryClusterStore(
                StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new Random(1))));
        Node node = store.create(Kinds.NODE, Node.of("here")).orThrow();
        Followed controllers = new Followed(store);
        try (ControlPlane plane =
                ControllerGraph.start(ControllerParts.of(controllers, List.of(), HostServices.none()))) {
            plane.whenQuiescent().join();
        }
        assertThat(controllers.rights()).hasSizeGreaterThan(15);
        assertThat(granted(CONTROLLER)).containsAll(controllers.rights());
        Followed agent = new Followed(store);
        try (NodeAgent running = NodeAgent.builder(agent, HostServices.none(), Path.of("/var/lib/mooring"))
                .events(EventSink.NONE)
                .start(new NodeRef("here", node.metadata().uid()))) {
            running.whenQuiescent().join();
        }
        assertThat(agent.rights())
                .as("an agent without pods")
                .contains("list pods", "watch pods", "watch nodes", "list persistentvolumes", "watch persistentvolumes")
                .doesNotContain("list persistentvolumeclaims", "list volumeattachments.storage.k8s.io");
        assertThat(granted(NODE)).containsAll(agent.rights());
    }

    @Test
    void whatIsWrittenInRandomWorldsMayBeWritten() throws IOException {
        Writes controllers = new Writes("controllers");
        Writes agents = new Writes("agents");
        Simulation simulation =
                new Simulation(WorldOptions.DEFAULT.and(() -> controllers).and(() -> agents));
        for (long seed = 0; seed < WORLDS; seed++) {
            simulation.play(seed);
        }
        System.out.println("rights: controllers " + controllers.rights + ", agents " + agents.rights);
        assertThat(controllers.rights).hasSizeGreaterThan(8);
        assertThat(agents.rights).contains("patch nodes/status", "patch pods/status");
        assertThat(granted(CONTROLLER)).containsAll(controllers.rights);
        assertThat(granted(NODE)).containsAll(agents.rights);
    }

    /** What one sort of clients needed for the writes that were seen. */
    private static final class Writes implements Invariant {
        private final String client;
        private final Set<String> rights = new TreeSet<>();

        Writes(String client) {
            this.client = client;
        }

        @Override
        public void written(WorldView world, ObjectWrite<?> write, Findings findings) {
            if (write.client().equals(client) && !isAssigned(write)) {
                rights.add(needed(write));
            }
        }

        /** By the scheduler of the world, as standalone has one. */
        private static boolean isAssigned(ObjectWrite<?> write) {
            return nodeOf(write.before()).equals(Optional.of(""))
                    && !nodeOf(write.after()).equals(Optional.of(""));
        }

        private static Optional<String> nodeOf(Optional<? extends KubernetesObject> object) {
            return object.filter(Pod.class::isInstance)
                    .map(pod -> ((Pod) pod).spec().nodeName());
        }

        private static <T extends KubernetesObject> String needed(ObjectWrite<T> write) {
            Kind<T> kind = write.kind();
            if (write.before().isEmpty()) {
                return right("create", kind, "");
            }
            Document before = kind.write(write.before().get());
            if (write.after().isEmpty()) {
                // A client that takes the last finalizer from an object that is being deleted ends it with a patch.
                return right(before.at("metadata", "deletionTimestamp").isPresent() ? "patch" : "delete", kind, "");
            }
            Document after = kind.write(write.after().get());
            boolean marked = before.at("metadata", "deletionTimestamp").isEmpty()
                    && after.at("metadata", "deletionTimestamp").isPresent();
            boolean status = kind.hasStatus() && !before.at("status").equals(after.at("status"));
            return marked ? right("delete", kind, "") : right("patch", kind, status ? "/status" : "");
        }
    }
}
