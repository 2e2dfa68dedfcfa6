// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi;

import static dev.mooring.plugin.csi.CsiObjects.map;

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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * One random world with a CSI driver: users, a driver that goes wrong, processes that die; then the faults end, and what is wanted has to be
 * there; then all of it goes, and nothing may be left. Confined to one thread.
 */
final class CsiWorld {
    private static final int ACTS = 40;
    private static final int THINGS = 3;

    /** The claim that is a raw device. */
    private static final int DEVICE = 3;

    /** What is added to the number of a snapshot for that of the claim that is made from it. */
    private static final int RESTORED = 4;

    private static final Kinds KINDS = Kinds.standard().and(Kinds.OF_SNAPSHOTS);
    private static final String CALM = "30m";
    private static final List<String> CLASSES = List.of("csi", "csi-later");

    /**
     * Drivers are asked again and again how their volumes are, which changes nothing. And a claim whose snapshot does not come waits: see
     * {@link CsiWorldRules}.
     */
    private static final Pattern NO_FAULTS = Pattern.compile(
            "L5: (check-condition|check-health|compare-attachment) of .*|L-provision: claim default/c[567] .*");

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
    private final SimulatedDriver driver;
    private final DriverFaults faults;
    private final CsiWorldRules rules;
    private final CsiPlane plane;
    private final ScriptedWorld world;
    private final List<String> nodes = new ArrayList<>();
    private final Set<String> down = new TreeSet<>();
    private final Set<String> findings = new TreeSet<>();
    private final List<Announcement> told = new ArrayList<>();
    private boolean goesOn = true;

    private CsiWorld(long seed, UnaryOperator<CsiPlane.Calls> host) {
        random = new Random(seed);
        driver = new SimulatedDriver(random.nextInt(4) > 0);
        faults = new DriverFaults(driver, random);
        plane = new CsiPlane(driver, host.apply(faults::answer), faults::machineDied);
        world = new ScriptedWorld(seed, plane, Invariants.standard(), KINDS);
        rules = new CsiWorldRules(driver, world, findings::add);
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
                .filter(finding -> !NO_FAULTS.matcher(finding).matches())
                .forEach(played.findings::add);
        return new Report(played.findings, played.faults.struck(), played.world.lastEvents());
    }

    // ---- the story

    private void begin() {
        int count = 1 + random.nextInt(3);
        for (int i = 1; i <= count; i++) {
            String node = "n" + i;
            nodes.add(node);
            apply(CsiObjects.node(node));
            apply(CsiObjects.csiNode(node));
        }
        apply(CsiObjects.driver());
        CLASSES.forEach(each -> apply(CsiObjects.storageClass(each, each.equals("csi"))));
        apply(CsiObjects.snapshotClass());
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
        int die = random.nextInt(130);
        int thing = 1 + random.nextInt(THINGS);
        if (die < 20) {
            applyClaim(thing);
        } else if (die < 40) {
            applyPod(thing);
        } else if (die < 58) {
            delete("Pod", "p" + thing);
        } else if (die < 66) {
            delete("PersistentVolumeClaim", "c" + thing);
        } else if (die < 78) {
            life(thing);
        } else if (die < 82) {
            play(map("restart", "controllers"));
        } else if (die < 85) {
            play(map("handover", true));
        } else if (die < 90) {
            String node = pick(nodes);
            if (!down.contains(node)) {
                play(map("restart", "node/" + node));
            }
        } else if (die < 96) {
            faults.restart();
            plane.loseDriver();
        } else if (die < 100) {
            faults.leave(1 + random.nextInt(20));
        } else if (die < 110) {
            machine(pick(nodes));
        } else if (die < 118) {
            play(map("patch", List.of(CsiObjects.request("c" + thing, (2 + random.nextInt(4)) + "Gi"))));
        } else if (die < 124) {
            apply(CsiObjects.snapshot("s" + thing, "c" + thing));
        } else if (die < 127) {
            delete("VolumeSnapshot", "s" + thing);
        } else {
            int restored = RESTORED + thing;
            apply(CsiObjects.restored("c" + restored, "s" + thing, CLASSES.get(0), thing == DEVICE));
            applyPod(restored);
        }
    }

    /** A machine dies, or one that is dead begins again; and now and then a person says that it is off. */
    private void machine(String node) {
        if (!down.contains(node) && random.nextInt(4) > 0) {
            down.add(node);
            play(map("stop", "node/" + node));
        } else if (random.nextBoolean()) {
            play(map("patch", List.of(CsiObjects.off(node, true))));
        } else if (down.contains(node)) {
            start(node);
        }
    }

    private void start(String node) {
        down.remove(node);
        play(map("patch", List.of(CsiObjects.off(node, false)), "restart", "node/" + node));
    }

    /** A claim and a pod that go before long. */
    private void life(int thing) {
        applyClaim(thing);
        applyPod(thing);
        play(map("advance", pick(List.of("1s", "10s", "1m"))));
        boolean snapshot = random.nextBoolean();
        if (snapshot) {
            play(map("patch", List.of(CsiObjects.request("c" + thing, "3Gi"))));
            apply(CsiObjects.snapshot("s" + thing, "c" + thing));
            delete("VolumeSnapshot", "s" + thing);
        }
        delete("Pod", "p" + thing);
        delete("PersistentVolumeClaim", "c" + thing);
    }

    private void applyClaim(int number) {
        apply(CsiObjects.claim("c" + number, CLASSES.get(number % 2), number == DEVICE));
    }

    private void applyPod(int number) {
        int claim = number > RESTORED || random.nextInt(4) > 0 ? number : 1 + random.nextInt(THINGS);
        apply(CsiObjects.pod(
                "p" + number,
                "c" + claim,
                claim % RESTORED == DEVICE,
                random.nextBoolean() ? Optional.of(pick(nodes)) : Optional.empty()));
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
                    .filter(CsiWorld::isAskedFor)
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
                && world.view().isUp(pod.spec().nodeName());
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
                .anyMatch(claim -> claim.spec().volumeName().equals(volume)
                        && !claim.metadata().isDeleting());
    }

    private void end() {
        faults.end();
        plane.loseDriver();
        nodes.forEach(this::start);
        play(map("calm", CALM));
        rules.atRest();
        List<Object> last = new ArrayList<>(references("PersistentVolumeClaim"));
        List<Object> snapshots = references("VolumeSnapshot");
        play(map("delete", references("Pod"), "calm", CALM));
        if (random.nextBoolean()) {
            play(map("delete", last, "calm", CALM));
            play(map("delete", snapshots, "calm", CALM));
        } else {
            play(map("delete", snapshots, "calm", CALM));
            play(map("delete", last, "calm", CALM));
        }
        rules.atEnd();
        plane.left().forEach(each -> findings.add("left: " + each));
    }

    private List<Object> references(String kind) {
        return world.cluster().objects().stream()
                .filter(object -> object.text("kind").equals(Optional.of(kind)))
                .<Object>map(object -> CsiObjects.reference(
                        kind, object.text("metadata", "name").orElseThrow()))
                .toList();
    }

    // ---- steps

    private <T> T pick(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    private void apply(Map<String, Object> object) {
        play(map("apply", List.of(object)));
    }

    private void delete(String kind, String name) {
        play(map("delete", List.of(CsiObjects.reference(kind, name))));
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
        rules.afterStep();
        if (!goesOn) {
            findings.add("the world does not come to rest");
        }
    }
}
