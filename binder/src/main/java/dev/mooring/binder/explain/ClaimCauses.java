// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.binder.BinderRule;
import dev.mooring.binder.control.DryRun;
import dev.mooring.binder.index.Exclusion;
import dev.mooring.runtime.control.Announcement;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Provisioners;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.StorageClasses;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** From the rule that decides about a claim to its causes. */
final class ClaimCauses {
    private final Snapshot snapshot;
    private final DryRun run;
    private final PersistentVolumeClaim claim;
    private final Findings findings;

    ClaimCauses(Snapshot snapshot, DryRun run, PersistentVolumeClaim claim, Findings findings) {
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
        if (ruling.rule().isEmpty() || ruling.rule().get() == BinderRule.B4) {
            new ExpansionCauses(snapshot, findings).of(claim);
            return;
        }
        String told = ruling.news().map(Announcement::message).orElse("");
        switch (ruling.rule().get()) {
            case U1, INVALID, U3 -> malformed(ruling.rule().get(), told);
            case U4, U5, V3, V4, B3, D4 -> due(ruling.rule().get());
            case U6 ->
                new ConsumerCauses(snapshot, claim, storageClass(), findings).explain(fitting(), this::name, since());
            case U7, PI, X6, PE, P0, P1, D10 -> {
                List<Exclusion> fitting = fitting();
                new ProvisioningCauses(snapshot, run, claim, storageClass(), findings)
                        .explain(ruling.rule().get(), told, fitting, this::name, since());
            }
            case U8 -> noClass();
            case V1, D6, V2 -> namedVolume(ruling.rule().get(), told);
            case V5, V6 -> taken();
            default -> lost(ruling.rule().get());
        }
    }

    private void malformed(BinderRule rule, String told) {
        switch (rule) {
            case U1 ->
                findings.cause(
                                CauseCode.CLASS_WITHOUT_BINDING_MODE,
                                "Storage class " + className() + " has no volumeBindingMode.")
                        .awaits(
                                "administrator",
                                "storage class " + className() + " to be made again with a binding mode",
                                since());
            case INVALID ->
                findings.cause(CauseCode.INVALID, sentence(told))
                        .awaits("user", "a claim that is well-formed", since());
            default ->
                findings.cause(CauseCode.SELECTOR_INVALID, sentence(told))
                        .awaits("user", "a claim whose selector is valid", since())
                        .remedy("Make the claim again with a valid selector.", "");
        }
    }

    private void namedVolume(BinderRule rule, String told) {
        String volume = claim.spec().volumeName();
        switch (rule) {
            case V1 ->
                findings.cause(
                                CauseCode.NAMED_VOLUME_MISSING,
                                "The claim names volume " + volume + ", which does not exist.")
                        .awaits("administrator", "volume " + volume, since());
            case D6 ->
                findings.cause(
                                CauseCode.NAMED_VOLUME_MISMATCH,
                                told.isEmpty()
                                        ? "Volume " + volume + " cannot be bound again yet: its storage is"
                                                + " being reclaimed, or the volume is malformed."
                                        : sentence(told))
                        .awaits(
                                "persistentvolume-controller",
                                "the volume to be free of its last user's data",
                                since());
            default ->
                findings.cause(CauseCode.NAMED_VOLUME_MISMATCH, sentence(told))
                        .awaits("administrator", "volume " + volume + " to fit the claim, or another claim", since());
        }
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
                            "The claim names no storage class, and no storage class is the default.")
                    .remedy(
                            "Make a storage class the default.",
                            "kubectl annotate storageclass NAME storageclass.kubernetes.io/is-default-class=true");
        }
        findings.awaits("administrator", "a volume that fits", since());
    }

    /** Names what keeps the claim from the volumes that there are. */
    private void name() {
        int malformed =
                snapshot.all(Kinds.PERSISTENT_VOLUME).size() - exclusions().size();
        new MatchCauses(claim, exclusions(), findings).name(malformed);
    }

    private List<Exclusion> exclusions() {
        return run.volumes().exclusions(claim);
    }

    /** Counts what keeps the claim from the volumes; answers with those that it is kept from by no rule. */
    private List<Exclusion> fitting() {
        List<Exclusion> exclusions = exclusions();
        new MatchCauses(claim, exclusions, findings).count();
        return exclusions.stream()
                .filter(exclusion -> exclusion.rules().isEmpty())
                .toList();
    }

    private void taken() {
        String volume = claim.spec().volumeName();
        String owner = snapshot.get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(volume))
                .flatMap(found -> found.spec().claimRef())
                .map(ref ->
                        ref.namespace() + "/" + ref.name() + (ref.uid().isEmpty() ? "" : " (uid " + ref.uid() + ")"))
                .orElse("another claim");
        findings.cause(
                        CauseCode.NAMED_VOLUME_TAKEN,
                        "The claim names volume " + volume + ", which is claimed by " + owner + ".")
                .awaits("user", "another claim, or the volume to be given up by its claim", since())
                .remedy("Make the claim again with another volumeName, or with none.", "");
    }

    private void lost(BinderRule rule) {
        String volume = claim.spec().volumeName();
        switch (rule) {
            case B1 ->
                findings.cause(CauseCode.LOST_REFERENCE, "The claim was bound, but does not name its volume any more.")
                        .remedy("Make the claim again and name its volume in spec.volumeName.", "");
            case B2 ->
                findings.cause(
                                CauseCode.LOST_VOLUME,
                                "The claim was bound to volume " + volume + ", which does not exist any more.")
                        .remedy(
                                "If the storage is still there, make volume " + volume
                                        + " again without a claimRef: the claim is then bound to it again.",
                                "");
            default ->
                findings.cause(
                                CauseCode.MISBOUND,
                                "The claim was bound to volume " + volume + ", which another claim has got.")
                        .remedy("Make the claim again; it gets another volume.", "");
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

    static boolean isNobody(StorageClass storageClass) {
        return storageClass.provisioner().equals(Provisioners.NONE);
    }
}
