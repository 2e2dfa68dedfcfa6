// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.binder.control.DryRun;
import dev.mooring.binder.snapshot.Snapshot;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Event;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Provisioners;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.StorageClasses;
import dev.mooring.storage.model.VolumeBindingMode;
import dev.mooring.storage.spi.StoragePlugin;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** What a storage class does, who uses it, and what is wrong with it. */
final class ClassCauses {
    private final ExplainedCluster cluster;
    private final Snapshot snapshot;
    private final StorageClass storageClass;
    private final String name;
    private final ExplanationFindings findings;

    ClassCauses(ExplainedCluster cluster, StorageClass storageClass, ExplanationFindings findings) {
        this.cluster = cluster;
        this.snapshot = cluster.snapshot();
        this.storageClass = storageClass;
        this.name = storageClass.metadata().name();
        this.findings = findings;
    }

    void explain() {
        List<PersistentVolumeClaim> claims = snapshot.all(Kinds.PERSISTENT_VOLUME_CLAIM).stream()
                .filter(claim -> StorageClasses.nameOf(claim).equals(Optional.of(name)))
                .toList();
        bindingMode();
        provisioner();
        failed(claims);
        topology();
        defaults();
        if (findings.causes.isEmpty()) {
            findings.cause(
                    CauseCode.NOTHING_WRONG,
                    ClaimCauses.isNoProvisioner(storageClass)
                            ? "It makes no volumes: an administrator adds them, and claims get those that fit."
                            : storageClass.provisioner() + " makes volumes of it.");
        }
        facts(claims);
    }

    private void bindingMode() {
        if (storageClass.volumeBindingMode().isEmpty()
                || storageClass.volumeBindingMode().get() == VolumeBindingMode.UNKNOWN) {
            findings.cause(
                            CauseCode.CLASS_WITHOUT_BINDING_MODE,
                            "The class has no known volumeBindingMode, so no claim of it is bound.")
                    .awaits("administrator", "the class to be created again with a binding mode", since())
                    .remedy(
                            RemedyKind.REPLACE_CLASS,
                            "A class cannot be changed. Create it again with volumeBindingMode Immediate, or WaitForFirstConsumer.",
                            new RemedyAction.Replace(
                                    storageClass.withVolumeBindingMode(Optional.of(VolumeBindingMode.IMMEDIATE))));
        }
    }

    private void provisioner() {
        String provisioner = storageClass.provisioner();
        boolean known = ClaimCauses.isNoProvisioner(storageClass)
                || cluster.run().plugins().named(provisioner).isPresent()
                || cluster.run().migrated().driverOf(provisioner).isPresent()
                || snapshot.get(Kinds.CSI_DRIVER, ObjectKey.cluster(provisioner))
                        .isPresent();
        if (known) {
            return;
        }
        List<String> there = provisioners(snapshot, cluster.run());
        boolean inTree = Provisioners.isInTree(provisioner);
        if (!inTree && hasMade(snapshot, provisioner)) {
            return; // a provisioner without a CSIDriver object
        }
        findings.cause(
                        CauseCode.PROVISIONER_UNKNOWN,
                        (inTree
                                        ? "No plugin of this control plane is named "
                                        : "No plugin here and no CSIDriver object is named ")
                                + provisioner + LikelyNames.clause(provisioner, there) + ".")
                .awaits(
                        inTree ? "administrator" : "provisioner " + provisioner,
                        inTree ? "plugin " + provisioner : "it to be installed",
                        since());
        LikelyNames.nearest(provisioner, there).ifPresent(meant -> corrected(findings, storageClass, meant));
        findings.remedy(
                RemedyKind.LOOK,
                "See whether the provisioner is installed and runs.",
                new RemedyAction.Look("kubectl get csidrivers,pods -A"));
    }

    /** The names of what could make volumes. */
    static List<String> provisioners(Snapshot snapshot, DryRun run) {
        return Stream.concat(
                        run.plugins().all().stream()
                                .map(StoragePlugin::describe)
                                .map(plugin -> plugin.name().value()),
                        snapshot.all(Kinds.CSI_DRIVER).stream()
                                .map(driver -> driver.metadata().name()))
                .toList();
    }

    /** What may have been meant by the provisioner of a class that made no volume yet. */
    static Optional<String> meant(Snapshot snapshot, DryRun run, String provisioner) {
        List<String> there = provisioners(snapshot, run);
        return there.contains(provisioner) || hasMade(snapshot, provisioner)
                ? Optional.empty()
                : LikelyNames.nearest(provisioner, there);
    }

    private static boolean hasMade(Snapshot snapshot, String provisioner) {
        return snapshot.all(Kinds.PERSISTENT_VOLUME).stream()
                .anyMatch(volume ->
                        volume.metadata().annotation(Annotations.PROVISIONED_BY).equals(Optional.of(provisioner)));
    }

    static void corrected(ExplanationFindings findings, StorageClass storageClass, String meant) {
        findings.remedy(
                RemedyKind.CORRECT_CLASS,
                "A class cannot be changed. Create class "
                        + storageClass.metadata().name() + " again with provisioner " + meant
                        + "; volumes and claims that there are stay as they are.",
                new RemedyAction.Replace(storageClass.withProvisioner(meant)));
    }

    /** What the provisioner said when it was asked: only it knows its parameters. */
    private void failed(List<PersistentVolumeClaim> claims) {
        if (ClaimCauses.isNoProvisioner(storageClass)) {
            return; // nothing was asked: the event says that nothing can be
        }
        Optional<Event> told = claims.stream()
                .filter(claim -> claim.status().phase() != ClaimPhase.BOUND)
                .flatMap(claim ->
                        snapshot
                                .lastEvent(Kinds.PERSISTENT_VOLUME_CLAIM, claim, List.of("ProvisioningFailed"))
                                .stream())
                .max(Comparator.comparing(event -> event.lastTimestamp().orElse(Instant.EPOCH)));
        told.ifPresent(event -> {
            findings.cause(
                    CauseCode.PROVISIONING_FAILED,
                    "Making a volume for claim "
                            + event.involvedObject().namespace() + "/"
                            + event.involvedObject().name() + " failed: \"" + event.message() + "\"");
            if (!otherParameters(findings, name, event.message(), event.firstTimestamp())) {
                findings.awaits("provisioner " + storageClass.provisioner(), "another try", event.firstTimestamp());
            }
        });
    }

    /** Where a provisioner objects to parameters, trying again does not help: somebody has to correct the class. */
    static boolean otherParameters(ExplanationFindings findings, String name, String told, Optional<Instant> since) {
        boolean objected = told.contains("parameter");
        if (objected) {
            findings.awaits("administrator", "storage class " + name + " with parameters that are valid", since)
                    .remedy(
                            RemedyKind.LOOK,
                            "A class cannot be changed. Correct the parameters in its manifest, delete the class and create it"
                                    + " again. Volumes and claims that there are stay as they are.",
                            new RemedyAction.Look("kubectl get storageclass " + ShellWords.quoted(name) + " -o yaml"));
        }
        return objected;
    }

    private void topology() {
        if (!storageClass.allowedTopologies().isEmpty()
                && ExplainedNodes.any(snapshot)
                && ExplainedNodes.all(snapshot).stream()
                        .noneMatch(node -> storageClass.allowedTopologies().stream()
                                .anyMatch(term -> ConsumerCauses.allows(
                                        term, node.metadata().labels())))) {
            findings.cause(
                            CauseCode.TOPOLOGY,
                            "The class allows only nodes with " + ConsumerCauses.words(storageClass.allowedTopologies())
                                    + "; no node has such labels.")
                    .awaits("administrator", "a node in a place that the class allows", since());
            ConsumerCauses.addNode(
                    findings,
                    "Add a node in a place that the class allows: with "
                            + ConsumerCauses.labelled(ConsumerCauses.places(
                                    storageClass.allowedTopologies().get(0))) + ".",
                    ConsumerCauses.places(storageClass.allowedTopologies().get(0)));
        }
    }

    private void defaults() {
        List<StorageClass> defaults = snapshot.all(Kinds.STORAGE_CLASS).stream()
                .filter(StorageClasses::isDefault)
                .sorted(Comparator.comparing((StorageClass found) ->
                                found.metadata().creationTimestamp().orElse(Instant.EPOCH))
                        .reversed()
                        .thenComparing(found -> found.metadata().name()))
                .toList();
        if (!StorageClasses.isDefault(storageClass) || defaults.size() < 2) {
            return;
        }
        StorageClass newest = defaults.get(0);
        findings.cause(
                        CauseCode.SEVERAL_DEFAULT_CLASSES,
                        "Several classes are the default: "
                                + String.join(
                                        ", ",
                                        defaults.stream()
                                                .map(found -> found.metadata().name())
                                                .toList())
                                + ". A claim that names none gets the newest one, "
                                + newest.metadata().name() + ".")
                .awaits("administrator", "one default class", Optional.empty());
        List<RemedyAction> actions = new ArrayList<>();
        defaults.stream()
                .skip(1)
                .forEach(found -> actions.add(new RemedyAction.Patch(
                        Kinds.STORAGE_CLASS,
                        ObjectKey.of(found),
                        Document.empty().with("false", "metadata", "annotations", Annotations.IS_DEFAULT_CLASS))));
        findings.remedy(
                RemedyKind.NOT_DEFAULT,
                "Let " + newest.metadata().name() + " be the only default class, which changes nothing for new claims.",
                actions.toArray(RemedyAction[]::new));
    }

    private void facts(List<PersistentVolumeClaim> claims) {
        long pending = claims.stream()
                .filter(claim -> claim.status().phase() == ClaimPhase.PENDING)
                .count();
        long volumes = snapshot.all(Kinds.PERSISTENT_VOLUME).stream()
                .filter(volume -> Objects.equals(StorageClasses.nameOf(volume), Optional.of(name)))
                .count();
        findings.facts.add("Used by " + claims.size() + (claims.size() == 1 ? " claim" : " claims") + " (" + pending
                + " Pending) and " + volumes + (volumes == 1 ? " volume." : " volumes."));
        storageClass
                .volumeBindingMode()
                .ifPresent(mode -> findings.facts.add(
                        switch (mode) {
                            case IMMEDIATE -> "A claim is bound at once, before a pod uses it.";
                            case WAIT_FOR_FIRST_CONSUMER ->
                                "A claim is bound when a pod that uses it is placed on a node.";
                            case UNKNOWN -> "When a claim is bound is not known.";
                        }));
        findings.facts.add(
                storageClass.allowVolumeExpansion().orElse(false)
                        ? "Claims may grow."
                        : "Claims may not grow: allowVolumeExpansion is not true.");
        if (!ClaimCauses.isNoProvisioner(storageClass)) {
            findings.facts.add("Volumes that it makes have policy "
                    + storageClass
                            .reclaimPolicy()
                            .map(policy -> policy.wireName())
                            .orElse("Delete") + ".");
        }
    }

    private Optional<Instant> since() {
        return storageClass.metadata().creationTimestamp();
    }
}
