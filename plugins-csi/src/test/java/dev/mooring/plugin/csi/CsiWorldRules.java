// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi;

import dev.mooring.simulation.scenario.ScriptedWorld;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeSnapshot;
import dev.mooring.storage.model.VolumeSnapshotContent;
import dev.mooring.storage.store.ListOptions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What has to be so between the objects of a world and what its driver has. Confined to the world's thread. */
final class CsiWorldRules {
    private static final Pattern UID = Pattern.compile("[a-z]+-([-0-9a-f]{36})");

    private final SimulatedDriver driver;
    private final ScriptedWorld world;
    private final Consumer<String> findings;
    /** The last size of each claim, by its uid. */
    private final Map<String, Quantity> sizes = new HashMap<>();

    CsiWorldRules(SimulatedDriver driver, ScriptedWorld world, Consumer<String> findings) {
        this.driver = driver;
        this.world = world;
        this.findings = findings;
    }

    private <T extends KubernetesObject> List<T> all(Kind<T> kind) {
        return world.cluster().store().list(kind, ListOptions.ALL).orThrow().items();
    }

    private Optional<PersistentVolume> volumeOf(PersistentVolumeClaim claim) {
        return world.view()
                .find(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(claim.spec().volumeName()))
                .filter(volume -> claim.status().phase() == ClaimPhase.BOUND);
    }

    private static String handleOf(PersistentVolume volume) {
        return volume.spec().source().stream()
                .flatMap(source -> source.attributes().text("volumeHandle").stream())
                .findFirst()
                .orElse("");
    }

    // ---- always: no object says more than the storage has, and no size goes back ----

    void afterStep() {
        for (PersistentVolume volume : world.view().volumes()) {
            require(
                    !isMore(volume.spec().storage(), driver.storage.sizeOf(handleOf(volume))),
                    "a volume shows a size that its storage does not have: " + handleOf(volume));
        }
        for (PersistentVolumeClaim claim : world.view().claims()) {
            Quantity size = sizeOf(claim);
            volumeOf(claim)
                    .map(CsiWorldRules::handleOf)
                    .ifPresent(handle -> require(
                            !isMore(size, driver.storage.usableOf(handle)),
                            "a claim shows a size that pods do not have: " + handle));
            Quantity before = sizes.merge(claim.metadata().uid(), size, (was, is) -> is);
            require(
                    before.compareTo(size) <= 0,
                    "a claim's size shrinks: " + claim.metadata().name());
        }
    }

    private static Quantity sizeOf(PersistentVolumeClaim claim) {
        return claim.status().capacity().getOrDefault("storage", Quantity.ofBytes(0));
    }

    private static boolean isMore(Quantity shown, long bytes) {
        return shown.compareTo(Quantity.ofBytes(bytes)) > 0;
    }

    private void require(boolean met, String finding) {
        if (!met) {
            findings.accept(finding);
        }
    }

    // ---- when nothing has gone wrong for a while: what is wanted is there, and nothing else ----

    void atRest() {
        sizesAtRest();
        snapshotsAtRest();
        podsAtRest();
        world.view().claims().stream()
                .filter(claim -> claim.spec().dataSource().isPresent())
                .filter(claim -> !claim.metadata().isDeleting())
                .forEach(this::restoredAtRest);
    }

    private void restoredAtRest(PersistentVolumeClaim claim) {
        Optional<String> handle = volumeOf(claim).map(CsiWorldRules::handleOf);
        handle.ifPresent(volume ->
                require(driver.storage.restored.containsKey(volume), "a restored volume holds nothing: " + volume));
        boolean possible = claim.spec().dataSource().stream()
                .flatMap(source -> find(Kinds.VOLUME_SNAPSHOT, source.name()).stream())
                .anyMatch(snapshot -> isReady(snapshot) && !snapshot.metadata().isDeleting());
        require(
                !possible || handle.isPresent(),
                "a claim is not restored: " + claim.metadata().name());
    }

    private static boolean isReady(VolumeSnapshot snapshot) {
        return snapshot.status().flatMap(status -> status.readyToUse()).orElse(false);
    }

    private <T extends KubernetesObject> Optional<T> find(Kind<T> kind, String name) {
        return world.cluster().store().get(kind, ObjectKey.of("default", name)).value();
    }

    /** As with Kubernetes, a pod does not get the volume of a claim that is being deleted back after a reboot. */
    private void podsAtRest() {
        world.view().pods().stream()
                .filter(pod -> pod.status().phase() == PodPhase.RUNNING)
                .filter(pod -> !pod.metadata().isDeleting())
                .filter(pod -> pod.spec().volumes().stream()
                        .flatMap(volume -> volume.source().stream())
                        .flatMap(source -> source.attributes().text("claimName").stream())
                        .flatMap(claim -> find(Kinds.PERSISTENT_VOLUME_CLAIM, claim).stream())
                        .anyMatch(claim -> !claim.metadata().isDeleting()))
                .filter(pod -> !driver.isPublishedFor(
                        pod.spec().nodeName(), pod.metadata().uid()))
                .forEach(pod -> findings.accept(
                        "a pod has not what it runs with: " + pod.metadata().name()));
    }

    private void sizesAtRest() {
        Set<String> used = new HashSet<>();
        world.view().pods().stream()
                .filter(pod -> pod.status().phase() == PodPhase.RUNNING)
                .flatMap(pod -> pod.spec().volumes().stream())
                .flatMap(volume -> volume.source().stream())
                .flatMap(source -> source.attributes().text("claimName").stream())
                .forEach(used::add);
        for (PersistentVolumeClaim claim : world.view().claims()) {
            boolean wanted = !claim.metadata().isDeleting()
                    && used.contains(claim.metadata().name())
                    && volumeOf(claim).isPresent();
            require(
                    !wanted || sizeOf(claim).compareTo(claim.spec().requestedStorage()) >= 0,
                    "a claim does not get its size: " + claim.metadata().name());
        }
    }

    private void snapshotsAtRest() {
        Set<String> named = new HashSet<>();
        for (VolumeSnapshotContent content : all(Kinds.VOLUME_SNAPSHOT_CONTENT)) {
            content.status().flatMap(status -> status.snapshotHandle()).ifPresent(named::add);
        }
        Set<String> there = new HashSet<>();
        driver.storage.snapshots.values().forEach(snapshot -> there.add(snapshot.getSnapshotId()));
        named.stream().filter(each -> !there.contains(each)).forEach(each -> findings.accept("snapshot lost: " + each));
        there.stream()
                .filter(each -> !named.contains(each))
                .forEach(each -> findings.accept("snapshot forgotten: " + each));
        for (VolumeSnapshot snapshot : all(Kinds.VOLUME_SNAPSHOT)) {
            boolean possible = !snapshot.metadata().isDeleting()
                    && snapshot.spec().source().persistentVolumeClaimName().stream()
                            .flatMap(claim -> find(Kinds.PERSISTENT_VOLUME_CLAIM, claim).stream())
                            .anyMatch(claim -> volumeOf(claim).isPresent()
                                    && !claim.metadata().isDeleting());
            require(
                    !possible || isReady(snapshot),
                    "a snapshot does not come: " + snapshot.metadata().name());
        }
    }

    // ---- when all objects are gone ----

    void atEnd() {
        driver.left().forEach(each -> findings.accept("left: " + each));
        Map<String, List<String>> byObject = new TreeMap<>();
        driver.volumes.keySet().forEach(name -> noteOrigin(byObject, name));
        driver.storage.snapshots.keySet().forEach(name -> noteOrigin(byObject, name));
        byObject.values().stream()
                .filter(names -> names.size() > 1)
                .forEach(names -> findings.accept("made twice: " + names));
    }

    private static void noteOrigin(Map<String, List<String>> byObject, String name) {
        Matcher uid = UID.matcher(name);
        byObject.computeIfAbsent(uid.find() ? uid.group(1) : name, fresh -> new ArrayList<>())
                .add(name);
    }
}
