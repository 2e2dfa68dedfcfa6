// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.simulation.world.WriteFault.Verb;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The whole control plane, agents included, while pods with one volume for one node come and go, calls fail, and processes die at their
 * writes: the storage never serves two nodes, and nothing is taken from a node that uses it (S1, S2, S8); at the end the volume is where the
 * last pod is (L1, L2).
 */
@Tag("long")
class MovingPodsTest {
    /** A back-end that lies makes two writers, whatever a controller does; a process that dies stays dead here. */
    private static final List<CallFault.Outcome> TRUE_ANSWERS = List.of(
            CallFault.Outcome.REFUSED,
            CallFault.Outcome.UNCERTAIN,
            CallFault.Outcome.UNCERTAIN_APPLIED,
            CallFault.Outcome.DEFERRED,
            CallFault.Outcome.HANG,
            CallFault.Outcome.IN_USE_ELSEWHERE,
            CallFault.Outcome.HANG_APPLIED,
            CallFault.Outcome.TWICE);

    private static final List<String> NODES = List.of("n1", "n2", "n3");
    private static final String DRIVER = "disk.example.com";

    private final List<String> story = new ArrayList<>();

    static List<Long> seeds() {
        List<Long> seeds = new ArrayList<>();
        for (long seed = 0; seed < 40; seed++) {
            seeds.add(seed);
        }
        return seeds;
    }

    private static SimulatedCluster cluster(long seed) {
        SimulatedCluster cluster = new SimulatedCluster(
                Kinds.standard(),
                new MooringControlPlane(
                        SimulatedPlugins.registry(List.of(), Set.of(DRIVER)),
                        Set.of("binder", "attach-detach", "node")),
                seed);
        for (String node : NODES) {
            apply(
                    cluster,
                    "Node",
                    "",
                    node,
                    Map.of(),
                    Map.of("volumes.kubernetes.io/controller-managed-attach-detach", "true"));
        }
        apply(
                cluster,
                "PersistentVolume",
                "",
                "disk",
                Map.of(
                        "capacity", Map.of("storage", "1Gi"),
                        "accessModes", List.of("ReadWriteOnce"),
                        "csi", Map.of("driver", DRIVER, "volumeHandle", "vol-1")),
                Map.of());
        apply(
                cluster,
                "PersistentVolumeClaim",
                "default",
                "data",
                Map.of(
                        "accessModes", List.of("ReadWriteOnce"),
                        "storageClassName", "",
                        "resources", Map.of("requests", Map.of("storage", "1Gi"))),
                Map.of());
        cluster.start();
        cluster.settle();
        return cluster;
    }

    private static void apply(
            SimulatedCluster cluster,
            String kind,
            String namespace,
            String name,
            Map<String, ?> spec,
            Map<String, String> annotations) {
        Document object = Document.of(Map.of(
                "apiVersion",
                "v1",
                "kind",
                kind,
                "metadata",
                Map.of("name", name, "namespace", namespace, "annotations", annotations),
                "spec",
                spec));
        cluster.users()
                .apply(
                        Kinds.standard().byKindName(kind).orElseThrow(),
                        ObjectKey.of(namespace, name),
                        namespace.isEmpty() ? object.without("metadata", "namespace") : object)
                .orThrow();
    }

    private static void pod(SimulatedCluster cluster, String name, String node) {
        apply(
                cluster,
                "Pod",
                "default",
                name,
                Map.of(
                        "nodeName", node,
                        "containers",
                                List.of(Map.of(
                                        "name", "main",
                                        "image", "registry.example.com/app:1",
                                        "volumeMounts", List.of(Map.of("name", "data", "mountPath", "/data")))),
                        "volumes",
                                List.of(Map.of("name", "data", "persistentVolumeClaim", Map.of("claimName", "data")))),
                Map.of());
    }

    private void disturb(SimulatedCluster cluster, Random random) {
        switch (random.nextInt(6)) {
            case 0 -> fault(cluster, random, "attach");
            case 1 -> fault(cluster, random, "detach");
            case 2 -> fault(cluster, random, random.nextBoolean() ? "stage" : "unstage");
            case 3 -> {
                WriteFault.Outcome[] outcomes = WriteFault.Outcome.values();
                String[] kinds = {"VolumeAttachment", "Node status", "VolumeAttachment status"};
                String[] kind = kinds[random.nextInt(kinds.length)].split(" ", -1);
                Verb verb = kind.length > 1 || random.nextBoolean() ? Verb.UPDATE : Verb.CREATE;
                WriteFault fault = new WriteFault(
                        verb,
                        kind[0],
                        kind.length > 1 ? kind[1] : "",
                        outcomes[random.nextInt(outcomes.length)],
                        1 + random.nextInt(3));
                story.add(fault.toString());
                cluster.declare(fault);
            }
            case 4 -> {
                story.add("restart controllers");
                cluster.restartControllers();
            }
            default -> {
                String node = NODES.get(random.nextInt(NODES.size()));
                story.add("restart " + node);
                cluster.machines().restart(node);
            }
        }
    }

    private void fault(SimulatedCluster cluster, Random random, String operation) {
        CallFault.Outcome outcome = TRUE_ANSWERS.get(random.nextInt(TRUE_ANSWERS.size()));
        CallFault fault = new CallFault(DRIVER, operation, "", outcome, "", 1 + random.nextInt(2));
        story.add(fault.toString());
        cluster.declare(fault);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theVolumeFollowsItsPodsAndNeverServesTwoNodes(long seed) {
        Random random = new Random(seed);
        SimulatedCluster cluster = cluster(seed);
        Set<String> pods = new TreeSet<>();
        String last = "";
        for (int i = 0; i < 12; i++) {
            disturb(cluster, random);
            String node = NODES.get(random.nextInt(NODES.size()));
            story.add("pod p" + i + " on " + node);
            pod(cluster, "p" + i, node);
            pods.add("p" + i);
            last = node;
            if (random.nextInt(4) > 0) {
                deleteAllBut(cluster, pods, "p" + i);
            }
            cluster.advance(Duration.ofSeconds(random.nextInt(90)));
            assertThat(cluster.volumes().violations()).as("%s", story).isEmpty();
        }
        deleteAllBut(cluster, pods, "p11");
        cluster.advance(Duration.ofHours(1));
        assertThat(cluster.volumes().violations()).as("%s", story).isEmpty();
        assertThat(cluster.volumes().attachedTo(DRIVER, "disk")).as("%s", story).containsExactly(last);
        assertThat(cluster.volumes().mountedOn(DRIVER, "disk")).as("%s", story).containsExactly(last);
    }

    private void deleteAllBut(SimulatedCluster cluster, Set<String> pods, String kept) {
        for (String name : List.copyOf(pods)) {
            if (!name.equals(kept)) {
                story.add("delete " + name);
                cluster.users().delete(Kinds.POD, ObjectKey.of("default", name), false);
                pods.remove(name);
            }
        }
    }

    /** The checker can fail. */
    @Test
    void aVolumeAttachedTwiceIsNoticed() {
        SimulatedCluster cluster = cluster(1);
        pod(cluster, "a", "n1");
        cluster.settle();
        assertThat(cluster.volumes().violations()).isEmpty();
        cluster.users()
                .patch(
                        Kinds.VOLUME_ATTACHMENT,
                        ObjectKey.cluster(dev.mooring.storage.model.AttachmentNames.of("vol-1", DRIVER, "n1")),
                        false,
                        Document.of(Map.of("metadata", Map.of("finalizers", List.of()))))
                .orThrow();
        cluster.stopControllers();
        cluster.users()
                .delete(
                        Kinds.VOLUME_ATTACHMENT,
                        ObjectKey.cluster(dev.mooring.storage.model.AttachmentNames.of("vol-1", DRIVER, "n1")),
                        false);
        cluster.users()
                .patch(
                        Kinds.NODE,
                        ObjectKey.cluster("n1"),
                        true,
                        Document.of(Map.of("status", Map.of("volumesInUse", List.of()))))
                .orThrow();
        cluster.users().delete(Kinds.POD, ObjectKey.of("default", "a"), true);
        pod(cluster, "b", "n2");
        cluster.restartControllers();
        cluster.advance(Duration.ofMinutes(1));
        assertThat(cluster.volumes().violations()).anyMatch(found -> found.startsWith("S1"));
    }
}
