// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.binder.BinderRule;
import dev.mooring.binder.checks.PrebindCheck;
import dev.mooring.binder.control.DryRun;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.LabelSelector;
import dev.mooring.storage.model.LabelSelectorRequirement;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimStatus;
import dev.mooring.storage.model.PersistentVolumeSpec;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.StorageClasses;
import dev.mooring.storage.model.VolumeMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What helps a claim to a volume. A volume that is added or changed for a claim names it in {@code spec.claimRef}: without that the
 * binder gives the volume to whichever waiting claim asks for most.
 */
final class ClaimRemedies {
    private static final String REPLACED_UID = "made-again";

    private final DryRun run;
    private final PersistentVolumeClaim claim;
    private final ExplanationFindings findings;

    ClaimRemedies(DryRun run, PersistentVolumeClaim claim, ExplanationFindings findings) {
        this.run = run;
        this.claim = claim;
        this.findings = findings;
    }

    // ---- volumes for the claim ----

    ClaimRemedies addVolume() {
        PersistentVolume template = volumeFor(claim);
        findings.remedy(RemedyKind.ADD_VOLUME, "Add " + described(template) + ".", new RemedyAction.Create(template));
        return this;
    }

    /** The volume that a claim was bound to, or names: no other claim may have it when it comes back. */
    ClaimRemedies restoreVolume(RemedyKind kind, String when) {
        PersistentVolume made = volumeFor(claim);
        PersistentVolume template =
                made.withMetadata(made.metadata().withName(claim.spec().volumeName()));
        findings.remedy(kind, when + " " + described(template) + ".", new RemedyAction.Create(template));
        return this;
    }

    /** Changes a free volume so that it fits, and keeps it for the claim in the same write. */
    ClaimRemedies fitVolume(
            String text, PersistentVolume volume, Map<String, Object> spec, Map<String, Object> labels) {
        Map<String, Object> fields = new LinkedHashMap<>(spec);
        fields.put("claimRef", Map.of("namespace", namespace(), "name", name()));
        Document patch = Document.empty().with(fields, "spec");
        findings.remedy(
                RemedyKind.FIT_VOLUME,
                text + " The patch also keeps the volume for this claim, so that no other claim gets it.",
                new RemedyAction.Patch(
                        Kinds.PERSISTENT_VOLUME,
                        ObjectKey.of(volume),
                        labels.isEmpty() ? patch : patch.with(labels, "metadata", "labels")));
        return this;
    }

    ClaimRemedies addAccessModes(PersistentVolume volume) {
        List<String> modes = Stream.concat(volume.spec().accessModes().stream(), claim.spec().accessModes().stream())
                .distinct()
                .map(AccessMode::wireName)
                .toList();
        return fitVolume(
                "If the storage can do it, add the access modes to the volume.",
                volume,
                Map.of("accessModes", modes),
                Map.of());
    }

    ClaimRemedies giveClass(PersistentVolume volume) {
        String name = StorageClasses.nameOf(claim).orElse("");
        return fitVolume(
                "Give the volume the claim's storage class.", volume, Map.of("storageClassName", name), Map.of());
    }

    ClaimRemedies giveLabels(PersistentVolume volume) {
        Map<String, Object> labels = new LinkedHashMap<>(
                claim.spec().selector().map(LabelSelector::matchLabels).orElse(Map.of()));
        for (LabelSelectorRequirement wanted :
                claim.spec().selector().map(LabelSelector::matchExpressions).orElse(List.of())) {
            if (wanted.operator().equals("In") && !wanted.values().isEmpty()) {
                labels.putIfAbsent(wanted.key(), wanted.values().get(0));
            }
        }
        return fitVolume(
                "If the volume is the right one, give it the labels of the selector.", volume, Map.of(), labels);
    }

    // ---- another claim of the name ----

    /** The claim without the volume that it cannot have; what it gets then is found out by the binder. */
    ClaimRemedies withoutVolumeName(String when) {
        PersistentVolumeClaim template = fresh(claim.withSpec(claim.spec().withVolumeName("")));
        PersistentVolumeClaim replaced =
                template.withMetadata(template.metadata().withUid(REPLACED_UID));
        DryRun.Ruling ruling = run.given(List.of(replaced), () -> run.claim(replaced));
        String again = when + " Create the claim again without spec.volumeName: ";
        RemedyAction replace = new RemedyAction.Replace(template);
        if (ruling.takes().isPresent()) {
            findings.remedy(
                    RemedyKind.REPLACE_CLAIM,
                    again + "it then gets volume " + ruling.takes().get() + ".",
                    replace);
        } else if (ruling.rule().filter(ClaimRemedies::isServedLater).isPresent()) {
            findings.remedy(
                    RemedyKind.REPLACE_CLAIM,
                    again + "storage class "
                            + StorageClasses.nameOf(claim).orElse("of the cluster's default")
                            + " then serves it.",
                    replace);
        } else {
            PersistentVolume added = volumeFor(template);
            findings.remedy(
                    RemedyKind.REPLACE_CLAIM,
                    again + "no volume fits it now, so add " + described(added) + ".",
                    new RemedyAction.Create(added),
                    replace);
        }
        return this;
    }

    private static boolean isServedLater(BinderRule rule) {
        return switch (rule) {
            case DEFAULT_CLASS_ASSIGNED,
                    WAIT_FOR_FIRST_CONSUMER,
                    PLUGIN_PROVISIONS,
                    EXTERNAL_PROVISIONER,
                    EXTERNAL_POPULATOR -> true;
            default -> false;
        };
    }

    /** The claim with what a person has to put right. */
    ClaimRemedies replaced(String text, PersistentVolumeClaim edited) {
        findings.remedy(RemedyKind.REPLACE_CLAIM, text, new RemedyAction.Replace(fresh(edited)));
        return this;
    }

    /** The claim as the volume can serve it. */
    ClaimRemedies fitClaim(PersistentVolume volume) {
        PersistentVolumeClaim template = fitted(claim, volume);
        findings.remedy(
                RemedyKind.FIT_CLAIM,
                "If volume " + volume.metadata().name() + " is enough, create the claim again with "
                        + changes(claim, template) + ".",
                new RemedyAction.Replace(template));
        return this;
    }

    /** What a claim has to ask for to get a volume, which it names so that it gets no other. */
    static PersistentVolumeClaim fitted(PersistentVolumeClaim claim, PersistentVolume volume) {
        Quantity requested = claim.spec().requestedStorage();
        Quantity capacity = volume.spec().storage();
        PersistentVolumeClaim edited = claim.withSpec(claim.spec()
                .withVolumeName(volume.metadata().name())
                .withRequestedStorage(requested.compareTo(capacity) > 0 ? capacity : requested)
                .withStorageClassName(Optional.of(StorageClasses.nameOf(volume).orElse("")))
                .withVolumeMode(Optional.of(PrebindCheck.modeOf(volume)))
                .withVolumeAttributesClassName(volume.spec().volumeAttributesClassName())
                .withAccessModes(
                        volume.spec().accessModes().containsAll(claim.spec().accessModes())
                                ? claim.spec().accessModes()
                                : volume.spec().accessModes()));
        return fresh(edited);
    }

    static String changes(PersistentVolumeClaim before, PersistentVolumeClaim after) {
        List<String> changes = new ArrayList<>();
        if (!before.spec().requestedStorage().equals(after.spec().requestedStorage())) {
            changes.add("a request of " + after.spec().requestedStorage());
        }
        String storageClass = StorageClasses.nameOf(after).orElse("");
        if (!StorageClasses.nameOf(before).orElse("").equals(storageClass)) {
            changes.add("storageClassName \"" + storageClass + "\"");
        }
        if (!mode(before).equals(mode(after))) {
            changes.add("volumeMode " + mode(after).wireName());
        }
        String attributes = after.spec().volumeAttributesClassName().orElse("");
        if (!before.spec().volumeAttributesClassName().orElse("").equals(attributes)) {
            changes.add("volumeAttributesClassName \"" + attributes + "\"");
        }
        if (!before.spec().accessModes().equals(after.spec().accessModes())) {
            changes.add("access modes " + modes(after.spec().accessModes()));
        }
        if (!before.spec().volumeName().equals(after.spec().volumeName())) {
            changes.add("volumeName " + after.spec().volumeName());
        }
        return changes.isEmpty() ? "what it asks for now" : String.join(", ", changes);
    }

    // ---- parts ----

    /** What a person writes into a manifest: no uid, no version, no status, and nothing of what the binder noted. */
    static PersistentVolumeClaim fresh(PersistentVolumeClaim claim) {
        var made = PersistentVolumeClaim.of(
                claim.metadata().namespace(), claim.metadata().name(), claim.spec());
        return made.withMetadata(made.metadata().withLabels(claim.metadata().labels()))
                .withStatus(PersistentVolumeClaimStatus.EMPTY);
    }

    /** A volume that the claim gets and no other one: it names the claim without its uid, so also if the claim is made again. */
    private static PersistentVolume volumeFor(PersistentVolumeClaim claim) {
        PersistentVolume volume = PersistentVolume.of(
                "",
                PersistentVolumeSpec.EMPTY
                        .withStorage(claim.spec().requestedStorage())
                        .withAccessModes(claim.spec().accessModes())
                        .withPersistentVolumeReclaimPolicy(ReclaimPolicy.RETAIN)
                        .withStorageClassName(
                                Optional.of(StorageClasses.nameOf(claim).orElse("")))
                        .withVolumeMode(Optional.of(mode(claim)))
                        .withVolumeAttributesClassName(claim.spec().volumeAttributesClassName())
                        .withClaimRef(Optional.of(ObjectReference.EMPTY
                                .withKind("PersistentVolumeClaim")
                                .withApiVersion("v1")
                                .withNamespace(claim.metadata().namespace())
                                .withName(claim.metadata().name()))));
        Map<String, String> labels =
                claim.spec().selector().map(LabelSelector::matchLabels).orElse(Map.of());
        return volume.withMetadata(volume.metadata().withLabels(labels));
    }

    private static String described(PersistentVolume template) {
        String name = template.metadata().name();
        String storageClass = StorageClasses.nameOf(template).orElse("");
        String owner = template.spec().claimRef().map(Differences::text).orElse("");
        return (name.isEmpty() ? "a volume" : "volume " + name) + " of at least "
                + template.spec().storage()
                + (storageClass.isEmpty() ? " without a storage class" : " of storage class " + storageClass)
                + " with " + modes(template.spec().accessModes())
                + (template.spec().volumeMode().equals(Optional.of(VolumeMode.BLOCK)) ? ", volumeMode Block" : "")
                + template.spec()
                        .volumeAttributesClassName()
                        .map(attributes -> ", of a CSI driver with volumeAttributesClassName " + attributes)
                        .orElse("")
                + (template.metadata().labels().isEmpty()
                        ? ""
                        : ", labels " + template.metadata().labels())
                + "; let spec.claimRef name claim " + owner + ", so that no other claim gets it";
    }

    private static VolumeMode mode(PersistentVolumeClaim claim) {
        return claim.spec().volumeMode().orElse(VolumeMode.FILESYSTEM);
    }

    private static String modes(List<AccessMode> modes) {
        return modes.stream().map(AccessMode::wireName).collect(Collectors.joining(","));
    }

    /** Takes the node back that was selected. */
    static RemedyAction selectNode(PersistentVolumeClaim claim, Object nodeOrNull) {
        return new RemedyAction.Patch(
                Kinds.PERSISTENT_VOLUME_CLAIM,
                ObjectKey.of(claim),
                Document.empty().with(nodeOrNull, "metadata", "annotations", Annotations.SELECTED_NODE));
    }

    private String namespace() {
        return claim.metadata().namespace();
    }

    private String name() {
        return claim.metadata().name();
    }
}
