// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi;

import dev.mooring.runtime.control.Announcement;
import dev.mooring.simulation.guard.Guard;
import dev.mooring.simulation.invariant.Invariants;
import dev.mooring.simulation.scenario.ScriptedWorld;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.VolumeAttachment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One random world with a CSI driver: users, a driver that goes wrong, processes that die; then the faults end, and what is wanted has to be
 * there; then all of it goes, and nothing may be left. Confined to one thread.
 */
final class CsiWorld {
    private static final int ACTS = 40;
    private static final int THINGS = 4;
    private static final String CALM = "30m";
    private static final List<String> CLASSES = List.of("csi", "csi-later");
    private static final Pattern CLAIM_OF_VOLUME = Pattern.compile("pvc-([-0-9a-f]{36})");

    /** Drivers are asked again and again how their volumes are, which changes nothing. */
    private static final Pattern LOOKS = Pattern.compile("L5: (check-condition|compare-attachment) of .*");

    /** What may be stuck, and that who waits then is a claim. */
    private static final Map<String, Boolean> STICKS = new TreeMap<>(Map.of(
            "CreateVolume",
            true,
            "ControllerPublishVolume",
            false,
            "NodeStageVolume",
            false,
            "NodePublishVolume",
            false));

    private final Random random;
    private final SimulatedDriver driver = new SimulatedDriver();
    private final DriverFaults faults;
    private final CsiPlane plane;
    private final ScriptedWorld world;
    private final List<String> nodes = new ArrayList<>();
    private final Set<String> findings = new TreeSet<>();
    private final List<Announcement> told = new ArrayList<>();
    private boolean goesOn = true;

    private CsiWorld(long seed, UnaryOperator<CsiPlane.Calls> host) {
        random = new Random(seed);
        faults = new DriverFaults(driver, random);
        plane = new CsiPlane(driver, host.apply(faults::answer));
        world = new ScriptedWorld(seed, plane, Invariants.standard());
        plane.in(world.cluster());
        world.cluster().hear(told::add);
    }

    /**
     * How a world went.
     *
     * @param findings what is wrong, each once
     * @param struck how often faults of each kind struck
     * @param last what happened before something was wrong for the first time
     */
    record Report(Set<String> findings, Map<String, Integer> struck, List<String> last) {}

    /**
     * Plays a world.
     *
     * @param seed decides everything
     * @param host what is wrong with the host, between it and the driver
     */
    static Report play(long seed, UnaryOperator<CsiPlane.Calls> host) {
        CsiWorld played = new CsiWorld(seed, host);
        played.begin();
        played.middle();
        played.end();
        played.findings.addAll(played.driver.violations());
        played.world.findings().stream()
                .map(Guard.Finding::toString)
                .filter(finding -> !LOOKS.matcher(finding).matches())
                .forEach(played.findings::add);
        return new Report(played.findings, played.faults.struck(), played.world.lastEvents());
    }

    // ---- the story

    private void begin() {
        int count = 1 + random.nextInt(3);
        for (int i = 1; i <= count; i++) {
            String node = "n" + i;
            nodes.add(node);
            apply(object(
                    "v1",
                    "Node",
                    "",
                    node,
                    map(
                            "labels", map("kubernetes.io/hostname", node),
                            "annotations", map("volumes.kubernetes.io/controller-managed-attach-detach", "true")),
                    map()));
            apply(object(
                    "storage.k8s.io/v1",
                    "CSINode",
                    "",
                    node,
                    map(),
                    map(
                            "drivers",
                            List.of(map(
                                    "name",
                                    SimulatedDriver.NAME,
                                    "nodeID",
                                    "id-of-" + node,
                                    "topologyKeys",
                                    List.of())))));
        }
        apply(object(
                "storage.k8s.io/v1",
                "CSIDriver",
                "",
                SimulatedDriver.NAME,
                map(),
                map("attachRequired", true, "podInfoOnMount", false)));
        for (String each : CLASSES) {
            Map<String, Object> made = object("storage.k8s.io/v1", "StorageClass", "", each, map(), map());
            made.remove("spec");
            made.put("provisioner", SimulatedDriver.NAME);
            made.put("reclaimPolicy", "Delete");
            made.put("volumeBindingMode", each.equals("csi") ? "Immediate" : "WaitForFirstConsumer");
            apply(made);
        }
    }

    private void middle() {
        int stuck = random.nextInt(ACTS);
        for (int i = 0; i < ACTS && goesOn; i++) {
            if (i == stuck) {
                stick();
            }
            act();
        }
    }

    private void act() {
        int die = random.nextInt(100);
        if (die < 25) {
            applyClaim(1 + random.nextInt(THINGS));
        } else if (die < 50) {
            applyPod(1 + random.nextInt(THINGS));
        } else if (die < 65) {
            delete("Pod", "p" + (1 + random.nextInt(THINGS)));
        } else if (die < 73) {
            delete("PersistentVolumeClaim", "c" + (1 + random.nextInt(THINGS)));
        } else if (die < 79) {
            play(map("restart", "controllers"));
        } else if (die < 83) {
            play(map("handover", true));
        } else if (die < 89) {
            play(map("restart", "node/" + pick(nodes)));
        } else if (die < 95) {
            faults.restart();
            plane.loseDriver();
        } else {
            faults.leave(1 + random.nextInt(20));
        }
    }

    private void applyClaim(int number) {
        apply(object(
                "v1",
                "PersistentVolumeClaim",
                "default",
                "c" + number,
                map(),
                map(
                        "storageClassName", CLASSES.get(number % 2),
                        "accessModes", List.of("ReadWriteOnce"),
                        "resources", map("requests", map("storage", "1Gi")))));
    }

    private void applyPod(int number) {
        Map<String, Object> spec = map(
                "containers",
                List.of(map(
                        "name", "main",
                        "image", "registry.example.com/app:1",
                        "volumeMounts", List.of(map("name", "data", "mountPath", "/data")))),
                "volumes",
                List.of(map(
                        "name",
                        "data",
                        "persistentVolumeClaim",
                        map("claimName", "c" + (1 + random.nextInt(THINGS))))));
        if (random.nextBoolean()) {
            spec.put("nodeName", pick(nodes));
        }
        apply(object("v1", "Pod", "default", "p" + number, map(), spec));
    }

    /** For a while the driver refuses one kind of call with the same words: who waits for it hears them. */
    private void stick() {
        String rpc = pick(List.copyOf(STICKS.keySet()));
        applyClaim(1);
        applyPod(1);
        faults.stickAt(Optional.of(rpc));
        told.clear();
        play(map("advance", CALM));
        Set<String> heard = new HashSet<>();
        told.stream()
                .filter(news -> news.message().contains(DriverFaults.STUCK))
                .forEach(news -> heard.add(news.kind().name() + " " + news.object()));
        if (STICKS.getOrDefault(rpc, false)) {
            world.view().claims().stream()
                    .filter(claim -> claim.status().phase() == ClaimPhase.PENDING)
                    .filter(claim -> !claim.metadata().isDeleting())
                    .filter(claim -> isAskedFor(claim))
                    .map(claim -> "PersistentVolumeClaim " + ObjectKey.of(claim))
                    .filter(name -> !heard.contains(name))
                    .forEach(name -> findings.add("who waits is not told why: " + name + " for " + rpc));
        } else {
            world.view().pods().stream()
                    .filter(pod -> isStuckAt(rpc, pod))
                    .map(pod -> "Pod " + ObjectKey.of(pod))
                    .filter(name -> !heard.contains(name))
                    .forEach(name -> findings.add("who waits is not told why: " + name + " for " + rpc));
        }
        faults.stickAt(Optional.empty());
    }

    private static boolean isAskedFor(PersistentVolumeClaim claim) {
        return claim.metadata().annotation("mooring.dev/provisioning").isPresent();
    }

    private boolean isStuckAt(String rpc, Pod pod) {
        boolean waits = pod.status().phase() == PodPhase.PENDING
                && !pod.metadata().isDeleting()
                && !pod.spec().nodeName().isEmpty();
        return waits
                && !rpc.equals("ControllerPublishVolume")
                && world.view().attachments().stream()
                        .filter(each -> each.status().attached())
                        .anyMatch(attachment ->
                                attachment.spec().nodeName().equals(pod.spec().nodeName()) && isOf(pod, attachment));
    }

    private boolean isOf(Pod pod, VolumeAttachment attachment) {
        String volume = attachment.spec().source().persistentVolumeName().orElse("");
        return pod.spec().volumes().stream()
                .flatMap(each -> each.source().stream())
                .flatMap(source -> source.attributes().text("claimName").stream())
                .flatMap(claim ->
                        world.view().find(Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of("default", claim)).stream())
                .anyMatch(claim -> claim.spec().volumeName().equals(volume));
    }

    private void end() {
        faults.end();
        plane.loseDriver();
        play(map("calm", CALM));
        play(map("delete", references("Pod"), "calm", CALM));
        play(map("delete", references("PersistentVolumeClaim"), "calm", CALM));
        driver.left().forEach(each -> findings.add("left: " + each));
        Map<String, List<String>> byClaim = new TreeMap<>();
        driver.volumes.keySet().forEach(name -> {
            Matcher claim = CLAIM_OF_VOLUME.matcher(name);
            byClaim.computeIfAbsent(claim.find() ? claim.group(1) : name, fresh -> new ArrayList<>())
                    .add(name);
        });
        byClaim.forEach((claim, names) -> {
            if (names.size() > 1) {
                findings.add("made twice: " + names);
            }
        });
    }

    private List<Object> references(String kind) {
        List<Object> all = new ArrayList<>();
        if (kind.equals("Pod")) {
            world.view()
                    .pods()
                    .forEach(pod -> all.add(reference(kind, pod.metadata().name())));
        } else {
            world.view()
                    .claims()
                    .forEach(claim -> all.add(reference(kind, claim.metadata().name())));
        }
        return all;
    }

    // ---- steps

    private <T> T pick(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    private void apply(Map<String, Object> object) {
        play(map("apply", List.of(object)));
    }

    private void delete(String kind, String name) {
        play(map("delete", List.of(reference(kind, name))));
    }

    private static Map<String, Object> reference(String kind, String name) {
        return map("kind", kind, "namespace", "default", "name", name);
    }

    private void play(Map<String, Object> step) {
        if (!goesOn) {
            return;
        }
        step.put("name", step.keySet().iterator().next());
        if (!step.containsKey("advance") && !step.containsKey("calm")) {
            int die = random.nextInt(3);
            if (die == 0) {
                step.put("work", random.nextInt(12));
            } else if (die == 1) {
                step.put("advance", pick(List.of("1s", "10s", "1m", "7m")));
            }
        }
        goesOn = world.play(Document.of(step));
        if (!goesOn) {
            findings.add("the world does not come to rest");
        }
    }

    private static Map<String, Object> object(
            String version,
            String kind,
            String namespace,
            String name,
            Map<String, Object> more,
            Map<String, Object> spec) {
        Map<String, Object> metadata = map("name", name);
        if (!namespace.isEmpty()) {
            metadata.put("namespace", namespace);
        }
        metadata.putAll(more);
        return map("apiVersion", version, "kind", kind, "metadata", metadata, "spec", spec);
    }

    private static Map<String, Object> map(Object... keysAndValues) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return map;
    }
}
