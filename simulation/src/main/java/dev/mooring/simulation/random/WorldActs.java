// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.simulation.world.CallFault;
import dev.mooring.simulation.world.SimulatedCluster;
import dev.mooring.simulation.world.WriteFault;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.store.ListOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** What users, back-ends and machines do in a random world. */
final class WorldActs {
    private static final List<String> NODES = List.of("n1", "n2", "n3");
    private static final String OUT_OF_SERVICE = "node.kubernetes.io/out-of-service";
    private static final List<String> OPERATIONS =
            List.of("attach", "detach", "stage", "unstage", "publish", "unpublish");
    private static final List<Duration> PAUSES = List.of(
            Duration.ZERO,
            Duration.ZERO,
            Duration.ofSeconds(1),
            Duration.ofSeconds(10),
            Duration.ofMinutes(1),
            Duration.ofMinutes(7));

    private final SimulatedCluster cluster;
    private final List<Disk> disks;
    private final Random random;
    private final List<String> log = new ArrayList<>();
    private boolean controllersRun = true;
    private int pods;

    WorldActs(SimulatedCluster cluster, List<Disk> disks, Random random) {
        this.cluster = cluster;
        this.disks = disks;
        this.random = random;
    }

    List<String> log() {
        return List.copyOf(log);
    }

    void begin() {
        apply(
                Kinds.CSI_DRIVER,
                ObjectKey.cluster("disk.example.com"),
                Document.of(Map.of(
                        "apiVersion",
                        "storage.k8s.io/v1",
                        "kind",
                        "CSIDriver",
                        "metadata",
                        Map.of("name", "disk.example.com"),
                        "spec",
                        Map.of("attachRequired", true))));
        for (String node : NODES) {
            apply(
                    Kinds.NODE,
                    ObjectKey.cluster(node),
                    Document.of(Map.of(
                            "apiVersion",
                            "v1",
                            "kind",
                            "Node",
                            "metadata",
                            Map.of(
                                    "name", node,
                                    "labels", Map.of("kubernetes.io/hostname", node),
                                    "annotations",
                                            Map.of("volumes.kubernetes.io/controller-managed-attach-detach", "true")),
                            "spec",
                            Map.of())));
        }
        for (Disk disk : disks) {
            apply(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(disk.name()), disk.volumeObject());
            apply(Kinds.PERSISTENT_VOLUME_CLAIM, disk.claim(), disk.claimObject());
        }
        cluster.settle();
    }

    /** One act of somebody, and perhaps some time. */
    void act() {
        int die = random.nextInt(100);
        if (die < 32) {
            createPod();
        } else if (die < 50) {
            deletePod(random.nextInt(5) == 0);
        } else if (die < 55) {
            completePod();
        } else if (die < 70) {
            callFault();
        } else if (die < 80) {
            writeFault();
        } else if (die < 86) {
            restartAgent();
        } else if (die < 90) {
            stopOrStartNode();
        } else if (die < 94) {
            restartControllers();
        } else if (die < 97) {
            taint();
        } else {
            deleteAttachment();
        }
        Duration pause = pick(PAUSES);
        if (random.nextInt(4) > 0) {
            cluster.advance(pause);
        }
    }

    private void createPod() {
        Disk disk = pick(disks);
        String node = pick(NODES);
        ObjectKey key = ObjectKey.of(disk.namespace(), disk.namespace() + "-pod-" + pods++);
        log.add("pod " + key + " with " + disk.name() + " on " + node);
        apply(
                Kinds.POD,
                key,
                Document.of(Map.of(
                        "apiVersion",
                        "v1",
                        "kind",
                        "Pod",
                        "metadata",
                        Map.of("name", key.name(), "namespace", key.namespace()),
                        "spec",
                        Map.of(
                                "nodeName", node,
                                "containers",
                                        List.of(Map.of(
                                                "name", "main",
                                                "image", "registry.example.com/app:1",
                                                "volumeMounts", List.of(Map.of("name", "data", "mountPath", "/data")))),
                                "volumes",
                                        List.of(Map.of(
                                                "name",
                                                "data",
                                                "persistentVolumeClaim",
                                                Map.of("claimName", disk.name())))))));
    }

    private void deletePod(boolean force) {
        List<Pod> all = podList();
        if (!all.isEmpty()) {
            ObjectKey key = ObjectKey.of(pick(all));
            log.add((force ? "force-delete pod " : "delete pod ") + key);
            cluster.users().delete(Kinds.POD, key, force);
        }
    }

    private void completePod() {
        List<Pod> all = podList().stream().filter(pod -> !pending(pod)).toList();
        if (!all.isEmpty()) {
            ObjectKey key = ObjectKey.of(pick(all));
            log.add("complete pod " + key);
            cluster.users().patch(Kinds.POD, key, true, Document.of(Map.of("status", Map.of("phase", "Succeeded"))));
        }
    }

    private void callFault() {
        List<CallFault.Outcome> outcomes = Arrays.asList(CallFault.Outcome.values());
        String plugin = random.nextInt(5) == 0 ? "kubernetes.io/nfs" : "disk.example.com";
        CallFault fault = new CallFault(plugin, pick(OPERATIONS), "", pick(outcomes), "", 1 + random.nextInt(3));
        log.add("fault " + fault.plugin() + " " + fault.operation() + " "
                + fault.outcome().word() + " x" + fault.times());
        cluster.declare(fault);
    }

    private void writeFault() {
        List<WriteFault.Outcome> outcomes = Arrays.asList(WriteFault.Outcome.values());
        WriteFault.Verb verb = pick(Arrays.asList(WriteFault.Verb.values()));
        String kind = pick(List.of("VolumeAttachment", "Node", "VolumeAttachment", "Pod", "PersistentVolume"));
        String subresource = random.nextBoolean() && verb == WriteFault.Verb.UPDATE ? "status" : "";
        WriteFault fault = new WriteFault(verb, kind, subresource, pick(outcomes), 1 + random.nextInt(2));
        log.add("fault " + verb.word() + " " + kind + " " + subresource + " "
                + fault.outcome().word() + " nth " + fault.nth());
        cluster.declare(fault);
    }

    private void restartAgent() {
        String node = pick(NODES);
        if (cluster.machines().isUp(node)) {
            log.add("restart the agent of " + node);
            cluster.machines().restart(node);
        }
    }

    private void stopOrStartNode() {
        String node = pick(NODES);
        if (cluster.machines().isUp(node)) {
            log.add("stop " + node);
            cluster.machines().stop(node);
        } else {
            log.add("start " + node);
            start(node);
        }
    }

    private void start(String node) {
        untaint(node);
        cluster.machines().restart(node);
    }

    private void restartControllers() {
        if (controllersRun && random.nextInt(3) == 0) {
            log.add("stop the controllers");
            cluster.stopControllers();
            controllersRun = false;
        } else {
            log.add("restart the controllers");
            cluster.restartControllers();
            controllersRun = true;
        }
    }

    /** A person asserts that a node is off; now and then of one that is not, which nothing may believe while it is Ready. */
    private void taint() {
        String node = pick(NODES);
        if (!cluster.machines().isUp(node) || random.nextInt(3) == 0) {
            log.add("taint " + node + " out of service");
            cluster.users()
                    .patch(
                            Kinds.NODE,
                            ObjectKey.cluster(node),
                            false,
                            taints(List.of(
                                    Map.of("key", OUT_OF_SERVICE, "value", "nodeshutdown", "effect", "NoExecute"))));
        }
    }

    private void untaint(String node) {
        cluster.users().patch(Kinds.NODE, ObjectKey.cluster(node), false, taints(List.of()));
    }

    private static Document taints(List<Object> taints) {
        return Document.of(Map.of("spec", Map.of("taints", taints)));
    }

    private void deleteAttachment() {
        var all = cluster.store()
                .list(Kinds.VOLUME_ATTACHMENT, ListOptions.ALL)
                .orThrow()
                .items();
        if (!all.isEmpty()) {
            ObjectKey key = ObjectKey.of(pick(all));
            log.add("delete " + key);
            cluster.users().delete(Kinds.VOLUME_ATTACHMENT, key, false);
        }
    }

    /** The faults end: everything runs again. */
    void calm() {
        for (String node : NODES) {
            if (!cluster.machines().isUp(node)) {
                start(node);
            } else {
                untaint(node);
            }
        }
        cluster.restartControllers();
        controllersRun = true;
        log.add("calm");
    }

    void deleteAllPods() {
        podList().forEach(pod -> cluster.users().delete(Kinds.POD, ObjectKey.of(pod), false));
        log.add("delete all pods");
    }

    /** Whether another living pod may hold what a pod waits for. */
    boolean contended(Pod pod, List<Pod> all) {
        Optional<Disk> disk = diskOf(pod);
        return disk.isPresent()
                && all.stream()
                        .filter(other ->
                                !other.metadata().uid().equals(pod.metadata().uid()))
                        .filter(other -> !terminal(other) && diskOf(other).equals(disk))
                        .anyMatch(other -> disk.get().onePodOnly()
                                || (disk.get().exclusive()
                                        && !other.spec()
                                                .nodeName()
                                                .equals(pod.spec().nodeName())));
    }

    private Optional<Disk> diskOf(Pod pod) {
        Set<String> claims = new java.util.TreeSet<>();
        pod.spec()
                .volumes()
                .forEach(volume -> volume.persistentVolumeClaimName().ifPresent(claims::add));
        return disks.stream().filter(disk -> claims.contains(disk.name())).findFirst();
    }

    static boolean pending(Pod pod) {
        return pod.status().phase() == PodPhase.PENDING;
    }

    static boolean terminal(Pod pod) {
        PodPhase phase = pod.status().phase();
        return phase == PodPhase.SUCCEEDED || phase == PodPhase.FAILED;
    }

    private List<Pod> podList() {
        return cluster.store().list(Kinds.POD, ListOptions.ALL).orThrow().items();
    }

    List<Node> nodes() {
        return cluster.store().list(Kinds.NODE, ListOptions.ALL).orThrow().items();
    }

    private void apply(Kind<?> kind, ObjectKey key, Document object) {
        cluster.users().apply(kind, key, object);
    }

    private <T> T pick(List<? extends T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
