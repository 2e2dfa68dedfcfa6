// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller.story;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Makes a story from a seed. Few names, so that objects meet each other, go and come back under their name. No two volumes of a story
 * have the same size: no rule says which of equal ones a claim gets.
 */
final class StoryMaker {
    /** Each so many-th story has to do with default classes and with claims without a class, which are common to the whole cluster. */
    static final int ONE_ALONE_IN = 4;

    private static final int LONGEST = 14;

    private final long seed;
    private final Random random;
    private final boolean alone;
    private final List<Integer> sizes;
    private final String mainClass;
    private final List<Weighted> verbs = new ArrayList<>();

    /** What is probably there: an object may be held by its finalizers. */
    private final Set<String> there = new TreeSet<>();

    private record Weighted(int weight, Supplier<StoryStep> make) {}

    private StoryMaker(long seed) {
        this.seed = seed;
        this.random = new Random(seed);
        this.alone = seed % ONE_ALONE_IN == 0;
        this.sizes = new ArrayList<>(IntStream.rangeClosed(1, 12).boxed().toList());
        Collections.shuffle(sizes, random);
        this.mainClass = alone ? pick("", "", "slow") : pick("slow", "slow", "plain", "late", "far");
        objects();
        volumes();
        claims();
        others();
    }

    static DifferentialStory story(long seed) {
        return new StoryMaker(seed).make();
    }

    private DifferentialStory make() {
        List<StoryStep> setup = List.of(
                storageClass("slow", "kubernetes.io/no-provisioner", "Immediate", true, false),
                storageClass("plain", "kubernetes.io/no-provisioner", "Immediate", false, false),
                storageClass("late", "kubernetes.io/no-provisioner", "WaitForFirstConsumer", false, false),
                storageClass("far", "csi.example.com", "Immediate", true, false));
        List<StoryStep> steps = new ArrayList<>();
        for (StoryStep first : List.of(volume(), claim())) {
            there.add(first.name());
            steps.add(first);
        }
        int length = 5 + random.nextInt(LONGEST - 4);
        int all = verbs.stream().mapToInt(Weighted::weight).sum();
        while (steps.size() < length) {
            int chosen = random.nextInt(all);
            for (Weighted verb : verbs) {
                chosen -= verb.weight();
                if (chosen < 0) {
                    StoryStep step = verb.make().get();
                    if (step.method().equals("POST")) {
                        there.add(step.name());
                    } else if (step.method().equals("DELETE")) {
                        there.remove(step.name());
                    }
                    steps.add(step);
                    break;
                }
            }
        }
        return new DifferentialStory(seed, setup, steps);
    }

    private void verb(int weight, Supplier<StoryStep> make) {
        verbs.add(new Weighted(weight, make));
    }

    private void objects() {
        verb(14, this::volume);
        verb(14, this::claim);
        verb(9, () -> StoryStep.delete(StoryKind.CLAIM, known("c", 2)));
        verb(5, () -> StoryStep.delete(StoryKind.VOLUME, known("v", 3)));
        verb(6, this::pod);
        verb(4, () -> StoryStep.delete(StoryKind.POD, known("p", 2)));
    }

    private void volumes() {
        verb(4, () -> onVolume("{\"spec\":{\"claimRef\":null}}"));
        verb(2, () -> onVolume("{\"spec\":{\"claimRef\":{\"uid\":null,\"resourceVersion\":null}}}"));
        verb(
                2,
                () -> onVolume(
                        "{\"spec\":{\"claimRef\":{\"namespace\":\"default\",\"name\":\"~" + claimName() + "\"}}}"));
        verb(3, () -> onVolume("{\"spec\":{\"persistentVolumeReclaimPolicy\":\"" + pick("Retain", "Delete") + "\"}}"));
        verb(2, () -> onVolume("{\"spec\":{\"capacity\":{\"storage\":\"" + size() + "Gi\"}}}"));
        verb(2, () -> onVolume("{\"spec\":{\"storageClassName\":\"" + classOf() + "\"}}"));
        verb(2, () -> onVolume("{\"metadata\":{\"labels\":{\"tier\":\"" + pick("a", "b") + "\"}}}"));
        verb(
                2,
                () -> onVolume("{\"metadata\":{\"annotations\":{\"pv.kubernetes.io/bound-by-controller\":"
                        + pick("null", "\"yes\"") + "}}}"));
        verb(
                2,
                () -> onVolume("{\"metadata\":{\"finalizers\":"
                        + pick("[]", "[\"example.com/hold\"]", "[\"kubernetes.io/pv-protection\"]") + "}}"));
        verb(
                3,
                () -> StoryStep.patchStatus(
                        StoryKind.VOLUME,
                        known("v", 3),
                        "{\"status\":{\"phase\":\"" + pick("Available", "Bound", "Released", "Failed", "Pending")
                                + "\"}}"));
    }

    private void claims() {
        verb(
                3,
                () -> onClaim("{\"spec\":{\"resources\":{\"requests\":{\"storage\":\"" + (1 + random.nextInt(12))
                        + "Gi\"}}}}"));
        verb(2, () -> onClaim("{\"spec\":{\"volumeName\":\"~" + volumeName() + "\"}}"));
        verb(
                2,
                () -> onClaim("{\"metadata\":{\"annotations\":{\"pv.kubernetes.io/bind-completed\":"
                        + pick("null", "null", "\"yes\"") + "}}}"));
        verb(
                1,
                () -> onClaim("{\"metadata\":{\"annotations\":{\"pv.kubernetes.io/bound-by-controller\":"
                        + pick("null", "\"yes\"") + "}}}"));
        verb(1, () -> onClaim("{\"metadata\":{\"annotations\":{\"volume.kubernetes.io/selected-node\":\"n1\"}}}"));
        verb(
                2,
                () -> onClaim("{\"metadata\":{\"finalizers\":"
                        + pick("[]", "[\"example.com/hold\"]", "[\"kubernetes.io/pvc-protection\"]") + "}}"));
        verb(1, () -> onClaim("{\"metadata\":{\"labels\":{\"tier\":\"" + pick("a", "b") + "\"}}}"));
        verb(
                3,
                () -> StoryStep.patchStatus(
                        StoryKind.CLAIM,
                        known("c", 2),
                        "{\"status\":{\"phase\":\"" + pick("Pending", "Bound", "Lost") + "\"}}"));
        verb(
                1,
                () -> StoryStep.patchStatus(
                        StoryKind.CLAIM,
                        known("c", 2),
                        "{\"status\":{\"capacity\":{\"storage\":\"" + (1 + random.nextInt(12)) + "Gi\"}}}"));
    }

    private void others() {
        verb(
                2,
                () -> StoryStep.patchStatus(
                        StoryKind.POD,
                        known("p", 2),
                        "{\"status\":{\"phase\":\"" + pick("Succeeded", "Failed", "Running") + "\"}}"));
        verb(
                1,
                () -> StoryStep.patch(
                        StoryKind.CLASS,
                        pick("slow", "plain"),
                        "{\"allowVolumeExpansion\":" + pick("true", "false", "null") + "}"));
        verb(1, () -> StoryStep.delete(StoryKind.CLASS, pick("slow", "plain", "late", "far")));
        if (alone) {
            verb(
                    5,
                    () -> storageClass(
                            pick("first", "second"), "kubernetes.io/no-provisioner", "Immediate", true, true));
            verb(3, () -> StoryStep.delete(StoryKind.CLASS, pick("first", "second")));
            verb(
                    2,
                    () -> StoryStep.patch(
                            StoryKind.CLASS,
                            pick("first", "second", "slow"),
                            "{\"metadata\":{\"annotations\":{\"storageclass.kubernetes.io/is-default-class\":\""
                                    + pick("true", "false") + "\"}}}"));
        }
    }

    // ---- objects ----

    private static StoryStep storageClass(
            String name, String provisioner, String mode, boolean expansion, boolean isDefault) {
        String annotations =
                isDefault ? ",\"annotations\":{\"storageclass.kubernetes.io/is-default-class\":\"true\"}" : "";
        return StoryStep.create(
                StoryKind.CLASS,
                name,
                "{\"metadata\":{\"name\":\"~" + name + "\"" + annotations
                        + "},\"provisioner\":\"" + provisioner + "\",\"volumeBindingMode\":\"" + mode + "\""
                        + (expansion ? ",\"allowVolumeExpansion\":true" : "") + "}");
    }

    private StoryStep volume() {
        String name = unused("v", 3);
        String source = pick("nfs", "nfs", "iscsi", "iscsi", "local", "csi", "hostPath");
        StringBuilder spec = new StringBuilder();
        spec.append("\"capacity\":{\"storage\":\"")
                .append(size())
                .append("Gi\"},\"accessModes\":[")
                .append(pick(
                        "\"ReadWriteOnce\"",
                        "\"ReadWriteOnce\"",
                        "\"ReadWriteOnce\"",
                        "\"ReadWriteOnce\",\"ReadOnlyMany\"",
                        "\"ReadWriteMany\""))
                .append("],\"storageClassName\":\"")
                .append(classOf())
                .append("\",\"persistentVolumeReclaimPolicy\":\"")
                .append(source.equals("csi") || source.equals("iscsi") ? policy() : pick("Retain", "Retain", "Delete"))
                .append("\",")
                .append(sourceOf(source, name));
        if (oneIn(8) && !source.equals("nfs") && !source.equals("hostPath")) {
            spec.append(",\"volumeMode\":\"Block\"");
        }
        int tied = random.nextInt(10);
        if (tied == 0) {
            spec.append(",\"claimRef\":{\"namespace\":\"default\",\"name\":\"~")
                    .append(claimName())
                    .append("\"}");
        } else if (tied == 1) {
            String claim = claimName();
            spec.append(",\"claimRef\":{\"namespace\":\"default\",\"name\":\"~")
                    .append(claim)
                    .append("\",\"uid\":\"@")
                    .append(claim)
                    .append("\"}");
        }
        return StoryStep.create(
                StoryKind.VOLUME,
                name,
                "{\"metadata\":{\"name\":\"~" + name + "\",\"labels\":{\"story\":\"~\",\"tier\":\"" + pick("a", "b")
                        + "\"}},\"spec\":{" + spec + "}}");
    }

    private static String sourceOf(String source, String name) {
        return switch (source) {
            case "nfs" -> "\"nfs\":{\"server\":\"192.0.2.1\",\"path\":\"/" + name + "\"}";
            case "iscsi" ->
                "\"iscsi\":{\"targetPortal\":\"192.0.2.2:3260\",\"iqn\":\"iqn.2017-05.com.example:" + name
                        + "\",\"lun\":0}";
            case "local" ->
                "\"local\":{\"path\":\"/nonexistent/" + name
                        + "\"},\"nodeAffinity\":{\"required\":{\"nodeSelectorTerms\":[{\"matchExpressions\":[{\"key\":"
                        + "\"kubernetes.io/hostname\",\"operator\":\"In\",\"values\":[\"n1\"]}]}]}}";
            case "csi" -> "\"csi\":{\"driver\":\"csi.example.com\",\"volumeHandle\":\"" + name + "\"}";
            default -> "\"hostPath\":{\"path\":\"/nonexistent/" + name + "\"}";
        };
    }

    private StoryStep claim() {
        String name = unused("c", 2);
        StringBuilder spec = new StringBuilder();
        spec.append("\"accessModes\":[")
                .append(pick(
                        "\"ReadWriteOnce\"",
                        "\"ReadWriteOnce\"",
                        "\"ReadWriteOnce\"",
                        "\"ReadOnlyMany\"",
                        "\"ReadWriteMany\""))
                .append("],\"resources\":{\"requests\":{\"storage\":\"")
                .append(1 + random.nextInt(8))
                .append("Gi\"}}");
        if (!alone || !oneIn(3)) {
            spec.append(",\"storageClassName\":\"").append(classOf()).append("\"");
        }
        if (oneIn(10)) {
            spec.append(",\"selector\":{\"matchLabels\":{\"tier\":\"")
                    .append(pick("a", "b"))
                    .append("\"}}");
        }
        if (oneIn(6)) {
            spec.append(",\"volumeName\":\"~").append(volumeName()).append("\"");
        }
        if (oneIn(12)) {
            spec.append(",\"volumeMode\":\"Block\"");
        }
        return StoryStep.create(
                StoryKind.CLAIM,
                name,
                "{\"metadata\":{\"name\":\"~" + name + "\",\"labels\":{\"story\":\"~\"}},\"spec\":{" + spec + "}}");
    }

    private StoryStep pod() {
        String name = unused("p", 2);
        return StoryStep.create(
                StoryKind.POD,
                name,
                "{\"metadata\":{\"name\":\"~" + name
                        + "\",\"labels\":{\"story\":\"~\"}},\"spec\":{" + (oneIn(2) ? "\"nodeName\":\"n1\"," : "")
                        + "\"automountServiceAccountToken\":false,\"containers\":[{\"name\":\"main\",\"image\":\"none\"}],"
                        + "\"volumes\":[{\"name\":\"data\",\"persistentVolumeClaim\":{\"claimName\":\"~" + claimName()
                        + "\"}}]}}");
    }

    private StoryStep onVolume(String body) {
        return StoryStep.patch(StoryKind.VOLUME, known("v", 3), body);
    }

    private StoryStep onClaim(String body) {
        return StoryStep.patch(StoryKind.CLAIM, known("c", 2), body);
    }

    // ---- choices ----

    private String volumeName() {
        return "v" + (1 + random.nextInt(3));
    }

    private String claimName() {
        return "c" + (1 + random.nextInt(2));
    }

    /** Mostly one that is there. */
    private String known(String letter, int count) {
        return mostly(letter, count, true);
    }

    /** Mostly one that is not there. */
    private String unused(String letter, int count) {
        return mostly(letter, count, false);
    }

    private String mostly(String letter, int count, boolean isThere) {
        List<String> fit = IntStream.rangeClosed(1, count)
                .mapToObj(number -> letter + number)
                .filter(name -> there.contains(name) == isThere)
                .toList();
        return fit.isEmpty() || oneIn(10) ? letter + (1 + random.nextInt(count)) : fit.get(random.nextInt(fit.size()));
    }

    /** Of sources that neither side recycles: how it is done is not compared. */
    private String policy() {
        return pick("Retain", "Retain", "Delete", "Recycle");
    }

    private String classOf() {
        if (!oneIn(4)) {
            return mainClass.isEmpty() ? "" : "~" + mainClass;
        }
        String other = alone ? pick("", "slow", "first") : pick("slow", "plain", "late", "far", "gone");
        return other.isEmpty() ? "" : "~" + other;
    }

    /** Another one each time, as long as there are any. */
    private int size() {
        int size = sizes.remove(0);
        if (sizes.isEmpty()) {
            sizes.add(size + 12);
        }
        return size;
    }

    private boolean oneIn(int cases) {
        return random.nextInt(cases) == 0;
    }

    private String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
