// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.binder.BinderRule;
import dev.mooring.binder.control.DryRun;
import dev.mooring.binder.index.Exclusion;
import dev.mooring.binder.snapshot.Snapshot;
import dev.mooring.runtime.plugin.AttributesClasses;
import dev.mooring.storage.document.JsonNull;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.StorageClasses;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Why a claim of a class has not got a new volume. */
final class ProvisioningCauses {
    private final Snapshot snapshot;
    private final DryRun run;
    private final PersistentVolumeClaim claim;
    private final Optional<StorageClass> storageClass;
    private final ExplanationFindings findings;
    private final ClaimRemedies remedies;

    ProvisioningCauses(
            Snapshot snapshot,
            DryRun run,
            PersistentVolumeClaim claim,
            Optional<StorageClass> storageClass,
            ExplanationFindings findings) {
        this.snapshot = snapshot;
        this.run = run;
        this.claim = claim;
        this.storageClass = storageClass;
        this.findings = findings;
        this.remedies = new ClaimRemedies(run, claim, findings);
    }

    void explain(BinderRule rule, String told, List<Exclusion> fitting, Runnable match, Optional<Instant> since) {
        if (selectedNode(since)) {
            return;
        }
        switch (rule) {
            case EXTERNAL_PROVISIONER -> external(since);
            case EXTERNAL_POPULATOR ->
                findings.cause(CauseCode.EXTERNAL_POPULATOR, ClaimCauses.sentence(told))
                        .awaits("populator", "the volume to be filled", since);
            case PROVISIONING_DISABLED -> {
                findings.cause(CauseCode.PROVISIONING_OFF, "Dynamic provisioning is switched off.");
                match.run();
            }
            case PROVISIONER_MISSING -> noProvisioner(told, fitting, match, since);
            default -> ours(told, since);
        }
    }

    private void external(Optional<Instant> since) {
        String named = storageClass.map(StorageClass::provisioner).orElse("");
        String provisioner = run.migrated().driverOf(named).orElse(named);
        Optional<Instant> asked =
                snapshot.firstTold(claim, "ExternalProvisioning").or(() -> since);
        Optional<String> failure = snapshot.lastMessage(claim, "ProvisioningFailed");
        Optional<String> meant = ClassCauses.meant(snapshot, run, named);
        meant.ifPresent(name -> ClassCauses.corrected(findings, storageClass.orElseThrow(), name));
        String silence = asked.map(time -> ", for " + text(Duration.between(time, snapshot.takenAt())) + " now")
                .orElse("");
        findings.cause(
                CauseCode.EXTERNAL_PROVISIONER,
                "The external provisioner " + provisioner + " has to make the volume" + silence
                        + failure.map(message -> "; its last event says: \"" + message + "\"")
                                .orElse(". No event says why it has not.")
                        + meant.map(name -> " No plugin here and no CSIDriver object has this name; did you mean "
                                        + name + "?")
                                .orElse(""));
        String className = StorageClasses.nameOf(claim).orElse("");
        if (!ClassCauses.otherParameters(findings, className, failure.orElse(""), asked)) {
            findings.awaits("provisioner " + provisioner, "a volume for the claim", asked);
        }
        findings.remedy(
                RemedyKind.LOOK,
                "See whether the provisioner runs and watches storage class " + className + ".",
                new RemedyAction.Look("kubectl get csidrivers,pods -A"));
    }

    private void noProvisioner(String told, List<Exclusion> fitting, Runnable match, Optional<Instant> since) {
        String name = StorageClasses.nameOf(claim).orElse("");
        if (storageClass.isEmpty()) {
            noClass(name, since);
            match.run();
        } else if (ClaimCauses.isNoProvisioner(storageClass.get()) && !fitting.isEmpty()) {
            notTied(fitting, since);
        } else if (ClaimCauses.isNoProvisioner(storageClass.get())) {
            match.run();
            findings.cause(
                            CauseCode.NO_PROVISIONER,
                            "Storage class " + name + " makes no volumes: an administrator has to add one that fits.")
                    .awaits("administrator", "a volume of class " + name + " that fits", since);
        } else {
            findings.cause(CauseCode.PROVISIONER_UNKNOWN, ClaimCauses.sentence(told))
                    .awaits("administrator", "plugin " + storageClass.get().provisioner(), since);
            remedies.addVolume();
        }
    }

    private void noClass(String name, Optional<Instant> since) {
        List<String> classes = snapshot.all(Kinds.STORAGE_CLASS).stream()
                .map(found -> found.metadata().name())
                .toList();
        findings.cause(
                        CauseCode.CLASS_NOT_FOUND,
                        "Storage class " + name + " does not exist" + LikelyNames.clause(name, classes) + ".")
                .awaits("administrator", "storage class " + name + ", or a volume of that class that fits", since);
        LikelyNames.nearest(name, classes)
                .ifPresent(meant -> findings.remedy(
                        RemedyKind.CHOOSE_CLASS,
                        "If class " + meant
                                + " is meant, create the claim again with it: the class of a claim cannot be changed.",
                        new RemedyAction.Replace(ClaimRemedies.fresh(
                                claim.withSpec(claim.spec().withStorageClassName(Optional.of(meant)))))));
    }

    /** Volumes fit, but where binding is delayed only a scheduler takes one, for the node that it has selected (F10). */
    private void notTied(List<Exclusion> fitting, Optional<Instant> since) {
        String node = claim.metadata().annotation(Annotations.SELECTED_NODE).orElse("");
        List<String> reached = fitting.stream()
                .filter(exclusion -> ExplainedNodes.named(snapshot, node)
                        .map(known -> ExplainedNodes.reaches(known, exclusion.volume()))
                        .orElse(true))
                .map(exclusion -> exclusion.volume().metadata().name())
                .toList();
        if (reached.isEmpty()) {
            findings.cause(
                            CauseCode.NODE_AFFINITY,
                            "Volumes fit (" + fitting.get(0).volume().metadata().name() + " is one), but node " + node
                                    + ", which was selected, reaches none of them.")
                    .awaits("scheduler", "another node to be selected", since);
            deselect();
        } else {
            findings.cause(
                            CauseCode.WAITING_FOR_SCHEDULING,
                            "Volume " + reached.get(0)
                                    + " fits; where binding is delayed the scheduler has to take it.")
                    .awaits("scheduler", "a volume to be taken for the claim", since);
        }
    }

    private void ours(String told, Optional<Instant> since) {
        String provisioner = storageClass.map(StorageClass::provisioner).orElse("");
        Optional<String> failure =
                told.isEmpty() ? snapshot.lastMessage(claim, "ProvisioningFailed") : Optional.of(told);
        findings.cause(
                failure.isPresent() ? CauseCode.PROVISIONING_FAILED : CauseCode.PROVISIONING,
                failure.map(ClaimCauses::sentence)
                        .orElse("Plugin " + provisioner + " of this control plane makes the volume."));
        Outcome<?> attributes = run.plugins()
                .named(provisioner)
                .<Outcome<?>>map(plugin -> AttributesClasses.wanted(claim, plugin, snapshot.caches()))
                .orElseGet(Outcome::done);
        if (attributes.isDone()) {
            String name = StorageClasses.nameOf(claim).orElse("");
            if (!ClassCauses.otherParameters(findings, name, failure.orElse(""), since)) {
                findings.awaits("plugin " + provisioner, "a volume for the claim", since);
            }
        } else if (attributes.isRefused(Refusal.UNSUPPORTED)) {
            findings.awaits("user", "a claim that names no VAC, as " + provisioner + " gives no attributes", since);
            withoutAttributes();
        } else {
            String missing = AttributesClasses.nameOf(claim).orElseThrow();
            findings.awaits("administrator", "VAC " + missing + " of driver " + provisioner, since);
            withoutAttributes();
        }
    }

    private void withoutAttributes() {
        remedies.replaced(
                "Or create the claim again without volumeAttributesClassName.",
                claim.withSpec(claim.spec().withVolumeAttributesClassName(Optional.empty())));
    }

    private void deselect() {
        findings.remedy(
                RemedyKind.DESELECT_NODE,
                "Let the scheduler select another node.",
                ClaimRemedies.selectNode(claim, JsonNull.NULL));
    }

    /** Whether the node that was selected is what the claim waits for. */
    private boolean selectedNode(Optional<Instant> since) {
        int before = findings.causes.size();
        claim.metadata().annotation(Annotations.SELECTED_NODE).ifPresent(name -> {
            if (ExplainedNodes.any(snapshot)
                    && ExplainedNodes.named(snapshot, name).isEmpty()) {
                findings.cause(
                                CauseCode.SELECTED_NODE_GONE,
                                "Node " + name + " was selected for the claim, but does not exist.")
                        .awaits("scheduler", "another node to be selected", since);
                deselect();
            } else if (ExplainedNodes.named(snapshot, name)
                    .filter(node -> !node.isReady())
                    .isPresent()) {
                findings.cause(
                                CauseCode.SELECTED_NODE_NOT_READY,
                                "Node " + name + " was selected for the claim, but is not ready.")
                        .awaits("node " + name, "it to be ready", since);
            }
        });
        return findings.causes.size() > before;
    }

    /** Seconds up to two minutes, minutes up to two hours, then hours, then days. */
    static String text(Duration duration) {
        if (duration.toSeconds() < 120) {
            return duration.toSeconds() + " s";
        }
        if (duration.toMinutes() < 120) {
            return duration.toMinutes() + " min";
        }
        return duration.toHours() < 48 ? duration.toHours() + " h" : duration.toDays() + " days";
    }
}
