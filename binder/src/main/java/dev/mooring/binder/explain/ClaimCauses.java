// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.binder.BinderRule;
import dev.mooring.binder.control.DryRun;
import dev.mooring.binder.explain.Explanation.Remedy;
import dev.mooring.binder.index.Exclusion;
import dev.mooring.binder.snapshot.Snapshot;
import dev.mooring.runtime.control.Announcement;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Provisioners;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.StorageClasses;
import dev.mooring.storage.model.VolumeBindingMode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** From the rule that decides about a claim to its causes. */
final class ClaimCauses {
    private final Snapshot snapshot;
    private final DryRun run;
    private final PersistentVolumeClaim claim;
    private final ExplanationFindings findings;
    private final ClaimRemedies remedies;

    ClaimCauses(Snapshot snapshot, DryRun run, PersistentVolumeClaim claim, ExplanationFindings findings) {
        this.remedies = new ClaimRemedies(run, claim, findings);
        this.snapshot = snapshot;
        this.run = run;
        this.claim = claim;
        this.findings = findings;
    }

    void explain(DryRun.Ruling ruling) {
        if (claim.metadata().isDeleting()) {
            new DeletionCauses(snapshot, findings).ofClaim(claim);
            return;
        }
        if (ruling.rule().isEmpty() || ruling.rule().get() == BinderRule.BOUND) {
            new ExpansionCauses(snapshot, findings).of(claim);
            return;
        }
        String told = ruling.news().map(Announcement::message).orElse("");
        predecessor(ruling.rule().get());
        switch (ruling.rule().get()) {
            case BINDING_MODE_MISSING, INVALID, SELECTOR_INVALID ->
                malformed(ruling.rule().get(), told);
            case SMALLEST_SUFFICIENT_VOLUME,
                    DEFAULT_CLASS_ASSIGNED,
                    NAMED_VOLUME_FREE,
                    NAMED_VOLUME_RESERVED,
                    BOUND_VOLUME_UNCLAIMED,
                    BIND_LIMIT_REACHED -> due(ruling.rule().get());
            case WAIT_FOR_FIRST_CONSUMER ->
                new ConsumerCauses(snapshot, claim, storageClass(), findings).explain(fitting(), this::name, since());
            case CLASS_PROVISIONS,
                    PLUGIN_PROVISIONS,
                    EXTERNAL_POPULATOR,
                    EXTERNAL_PROVISIONER,
                    PROVISIONING_DISABLED,
                    PROVISIONER_MISSING,
                    SELECTED_NODE_UNUSABLE -> {
                List<Exclusion> fitting = fitting();
                new ProvisioningCauses(snapshot, run, claim, storageClass(), findings)
                        .explain(ruling.rule().get(), told, fitting, this::name, since());
            }
            case NO_CLASS -> noClass();
            case NAMED_VOLUME_MISSING, STORAGE_RECLAIMING, NAMED_VOLUME_MISMATCH ->
                namedVolume(ruling.rule().get(), told);
            case NAMED_VOLUME_TAKEN, CHOSEN_VOLUME_TAKEN -> taken();
            default -> lost(ruling.rule().get());
        }
    }

    /** A claim of this name was there before, and a volume still has its data: that is the first thing to say. */
    private void predecessor(BinderRule rule) {
        boolean served = switch (rule) {
            case SMALLEST_SUFFICIENT_VOLUME,
                    DEFAULT_CLASS_ASSIGNED,
                    NAMED_VOLUME_FREE,
                    NAMED_VOLUME_RESERVED,
                    BOUND_VOLUME_UNCLAIMED,
                    BIND_LIMIT_REACHED,
                    STORAGE_RECLAIMING -> true;
            default -> false;
        };
        Optional<PersistentVolume> volume = served ? Optional.empty() : Predecessors.of(snapshot, claim);
        if (volume.isEmpty()) {
            return;
        }
        if (claim.spec().volumeName().isEmpty()) {
            findings.cause(
                    CauseCode.RELEASED,
                    "Volume " + volume.get().metadata().name() + " still belongs to an earlier claim "
                            + ObjectKey.of(claim) + ", which was deleted; the claim that has this name now is"
                            + " another one. The volume may hold the earlier claim's data.");
        }
        findings.awaits(
                "administrator", "volume " + volume.get().metadata().name() + " to be given to this claim", since());
        new VolumeRemedies(snapshot, run, volume.get(), findings).toSuccessor(claim);
    }

    private void malformed(BinderRule rule, String told) {
        switch (rule) {
            case BINDING_MODE_MISSING -> {
                findings.cause(
                                CauseCode.CLASS_WITHOUT_BINDING_MODE,
                                "Storage class " + className() + " has no known volumeBindingMode.")
                        .awaits(
                                "administrator",
                                "storage class " + className() + " to be created again with a binding mode",
                                since());
                storageClass().ifPresent(this::bindingMode);
            }
            case INVALID -> {
                findings.cause(CauseCode.INVALID, sentence(told))
                        .awaits("user", "a claim that is well-formed", since());
                remedies.replaced("Correct the fields that are named above, and create the claim again.", claim);
            }
            default -> {
                findings.cause(CauseCode.SELECTOR_INVALID, sentence(told))
                        .awaits("user", "a claim whose selector is valid", since());
                remedies.replaced(
                        "Create the claim again with a valid selector, or without one.",
                        claim.withSpec(claim.spec().withSelector(Optional.empty())));
            }
        }
    }

    private void bindingMode(StorageClass found) {
        List<ObjectKey> others = snapshot.all(Kinds.PERSISTENT_VOLUME_CLAIM).stream()
                .filter(other -> other.spec().volumeName().isEmpty()
                        && StorageClasses.nameOf(other).equals(StorageClasses.nameOf(claim)))
                .map(ObjectKey::of)
                .filter(key -> !key.equals(ObjectKey.of(claim)))
                .toList();
        findings.remedy(new Remedy(
                RemedyKind.REPLACE_CLASS,
                "Create storage class " + className()
                        + " again with volumeBindingMode Immediate, or WaitForFirstConsumer."
                        + also(others, "are served by it, too"),
                List.of(new RemedyAction.Replace(
                        found.withVolumeBindingMode(Optional.of(VolumeBindingMode.IMMEDIATE)))),
                others));
    }

    private static String also(List<ObjectKey> others, String what) {
        return others.isEmpty()
                ? ""
                : " These claims wait as well and " + what + ": "
                        + String.join(
                                ", ", others.stream().map(ObjectKey::toString).toList()) + ".";
    }

    private void namedVolume(BinderRule rule, String told) {
        String name = claim.spec().volumeName();
        Optional<PersistentVolume> volume = snapshot.get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(name));
        switch (rule) {
            case NAMED_VOLUME_MISSING -> {
                findings.cause(
                                CauseCode.NAMED_VOLUME_MISSING,
                                "The claim names volume " + name + ", which does not exist"
                                        + LikelyNames.clause(
                                                name,
                                                snapshot.all(Kinds.PERSISTENT_VOLUME).stream()
                                                        .map(found ->
                                                                found.metadata().name())
                                                        .toList())
                                        + ".")
                        .awaits("administrator", "volume " + name, since());
                misspelt(name);
                remedies.restoreVolume(RemedyKind.ADD_VOLUME, "Add")
                        .withoutVolumeName("If the claim may have another volume:");
            }
            case STORAGE_RECLAIMING -> {
                findings.cause(
                                CauseCode.NAMED_VOLUME_MISMATCH,
                                told.isEmpty()
                                        ? "Volume " + name + " cannot be bound again yet: its storage is"
                                                + " being reclaimed, or the volume is malformed."
                                        : sentence(told))
                        .awaits(
                                "persistentvolume-controller",
                                "the volume to be free of its last user's data",
                                since());
                volume.ifPresent(found -> new VolumeRemedies(snapshot, run, found, findings).unmark());
            }
            default -> {
                findings.cause(CauseCode.NAMED_VOLUME_MISMATCH, sentence(told))
                        .awaits("administrator", "volume " + name + " to fit the claim, or another claim", since());
                volume.filter(found -> DryRun.problem(found).isEmpty()
                                && DryRun.prebindProblem(found, ClaimRemedies.fitted(claim, found))
                                        .isEmpty())
                        .ifPresent(remedies::fitClaim);
                remedies.withoutVolumeName("If the claim may have another volume:");
            }
        }
    }

    /** A free volume that fits, of a name that differs by little. */
    private void misspelt(String name) {
        List<String> fitting = snapshot.all(Kinds.PERSISTENT_VOLUME).stream()
                .filter(found -> found.spec().claimRef().isEmpty()
                        && DryRun.problem(found).isEmpty()
                        && DryRun.prebindProblem(found, claim).isEmpty())
                .map(found -> found.metadata().name())
                .toList();
        LikelyNames.nearest(name, fitting)
                .ifPresent(meant -> findings.remedy(
                        RemedyKind.REPLACE_CLAIM,
                        "If volume " + meant
                                + " is meant, which is free and fits, create the claim again with that name in"
                                + " spec.volumeName.",
                        new RemedyAction.Replace(
                                ClaimRemedies.fresh(claim.withSpec(claim.spec().withVolumeName(meant))))));
    }

    private void due(BinderRule rule) {
        findings.cause(CauseCode.BIND_DUE, "Nothing keeps the claim: " + rule.meaning() + ".")
                .awaits("persistentvolume-controller", "the claim to be bound", since());
    }

    private void noClass() {
        fitting();
        name();
        if (StorageClasses.nameOf(claim).isEmpty()) {
            findings.cause(
                    CauseCode.NO_DEFAULT_CLASS,
                    "The claim names no storage class, and no storage class is the default.");
            snapshot.all(Kinds.STORAGE_CLASS).stream()
                    .filter(found ->
                            !isNoProvisioner(found) && found.volumeBindingMode().isPresent())
                    .findFirst()
                    .ifPresent(this::chooseClass);
        }
        findings.awaits("administrator", "a volume that fits", since());
    }

    private void chooseClass(StorageClass found) {
        String name = found.metadata().name();
        List<ObjectKey> others = snapshot.all(Kinds.PERSISTENT_VOLUME_CLAIM).stream()
                .filter(other -> other.spec().volumeName().isEmpty()
                        && StorageClasses.nameOf(other).isEmpty()
                        && !other.metadata().isDeleting())
                .map(ObjectKey::of)
                .filter(key -> !key.equals(ObjectKey.of(claim)))
                .toList();
        findings.remedy(
                        RemedyKind.CHOOSE_CLASS,
                        "Create the claim again with a storage class, for example " + name + ".",
                        new RemedyAction.Replace(ClaimRemedies.fresh(
                                claim.withSpec(claim.spec().withStorageClassName(Optional.of(name))))))
                .remedy(new Remedy(
                        RemedyKind.DEFAULT_CLASS,
                        "Or make a storage class the default, for example " + name + "." + also(others, "get it, too"),
                        List.of(new RemedyAction.Patch(
                                Kinds.STORAGE_CLASS,
                                ObjectKey.of(found),
                                Document.empty()
                                        .with("true", "metadata", "annotations", Annotations.IS_DEFAULT_CLASS))),
                        others));
    }

    /** Names what keeps the claim from the volumes that there are. */
    private void name() {
        int malformed =
                snapshot.all(Kinds.PERSISTENT_VOLUME).size() - exclusions().size();
        match().name(malformed);
    }

    private MatchCauses match() {
        return new MatchCauses(snapshot, run, claim, exclusions(), findings);
    }

    private List<Exclusion> exclusions() {
        return run.volumes().exclusions(claim);
    }

    /** Counts what keeps the claim from the volumes; answers with those that it is kept from by no rule. */
    private List<Exclusion> fitting() {
        match().count();
        return exclusions().stream()
                .filter(exclusion -> exclusion.rules().isEmpty())
                .toList();
    }

    private void taken() {
        String name = claim.spec().volumeName();
        Optional<PersistentVolume> volume = snapshot.get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(name));
        String owner = volume.flatMap(found -> found.spec().claimRef())
                .map(ref ->
                        ref.namespace() + "/" + ref.name() + (ref.uid().isEmpty() ? "" : " (uid " + ref.uid() + ")"))
                .orElse("another claim");
        boolean own = volume.filter(found -> Predecessors.isOf(claim, found)).isPresent();
        findings.cause(
                CauseCode.NAMED_VOLUME_TAKEN,
                "The claim names volume " + name + ", which is claimed by " + owner
                        + (own ? ": an earlier claim of this name, which was deleted." : "."));
        if (!own) {
            findings.awaits("user", "another claim, or the claim to give up the volume", since());
            fromOther(volume);
            remedies.withoutVolumeName("If the claim may have another volume:");
        }
    }

    private void fromOther(Optional<PersistentVolume> volume) {
        volume.filter(found -> Predecessors.isReleased(snapshot, found))
                .ifPresent(found -> new VolumeRemedies(snapshot, run, found, findings)
                        .toAnother(
                                claim,
                                found.spec().claimRef().map(Differences::text).orElse("")));
    }

    private void lost(BinderRule rule) {
        String name = claim.spec().volumeName();
        switch (rule) {
            case BOUND_CLAIM_WITHOUT_VOLUME -> lostReference();
            case BOUND_VOLUME_MISSING -> {
                findings.cause(
                        CauseCode.LOST_VOLUME,
                        "The claim was bound to volume " + name + ", which does not exist any more.");
                findings.awaits("administrator", "volume " + name, since());
                remedies.restoreVolume(
                                RemedyKind.RESTORE_VOLUME,
                                "If the storage still exists, create the volume's object again for it:")
                        .withoutVolumeName("If the storage no longer exists:");
            }
            default -> {
                Optional<PersistentVolume> volume = snapshot.get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(name));
                boolean own =
                        volume.filter(found -> Predecessors.isOf(claim, found)).isPresent();
                findings.cause(
                        CauseCode.MISBOUND,
                        "The claim was bound to volume " + name + ", "
                                + (own
                                        ? "which still belongs to an earlier claim of this name. That claim was deleted."
                                        : "which another claim has now."));
                if (!own) {
                    findings.awaits("user", "another claim, or the claim to give up the volume", since());
                    fromOther(volume);
                    remedies.withoutVolumeName("If the claim may have another volume:");
                }
            }
        }
    }

    /** The API lets a claim that names no volume name one, and only once (semantics/binder §0.2). */
    private void lostReference() {
        findings.cause(CauseCode.LOST_REFERENCE, "The claim was bound, but does not name its volume any more.");
        List<PersistentVolume> owned = snapshot.all(Kinds.PERSISTENT_VOLUME).stream()
                .filter(volume -> volume.spec()
                        .claimRef()
                        .filter(ref -> ref.uid().equals(claim.metadata().uid())
                                && ref.namespace().equals(claim.metadata().namespace())
                                && ref.name().equals(claim.metadata().name()))
                        .isPresent())
                .toList();
        owned.forEach(volume -> findings.awaits(
                        "user", "the claim to name volume " + volume.metadata().name(), since())
                .remedy(
                        RemedyKind.NAME_VOLUME,
                        "Volume " + volume.metadata().name() + " is this claim's: let the claim name it again.",
                        VolumeRemedies.nameVolume(claim, volume.metadata().name())));
        if (owned.isEmpty() && findings.remedies.isEmpty()) {
            findings.awaits("user", "another claim", since());
            remedies.withoutVolumeName("No volume is this claim's.");
        }
    }

    private Optional<StorageClass> storageClass() {
        return StorageClasses.nameOf(claim)
                .filter(name -> !name.isEmpty())
                .flatMap(name -> snapshot.get(Kinds.STORAGE_CLASS, ObjectKey.cluster(name)));
    }

    private String className() {
        return StorageClasses.nameOf(claim).orElse("");
    }

    private Optional<Instant> since() {
        return claim.status().phase() == ClaimPhase.PENDING || claim.status().phase() == ClaimPhase.UNKNOWN
                ? claim.metadata().creationTimestamp()
                : Optional.empty();
    }

    static String sentence(String text) {
        String first = text.isEmpty() ? text : Character.toUpperCase(text.charAt(0)) + text.substring(1);
        return first.endsWith(".") ? first : first + ".";
    }

    static boolean isNoProvisioner(StorageClass storageClass) {
        return storageClass.provisioner().equals(Provisioners.NONE);
    }
}
