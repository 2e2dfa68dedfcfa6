// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.binder.BinderRule;
import dev.mooring.binder.control.DryRun;
import dev.mooring.binder.snapshot.Snapshot;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.StorageClasses;
import dev.mooring.storage.model.VolumeAttachment;
import java.util.List;
import java.util.Optional;

/** One snapshot, with one binder that has seen it, for all that is asked about it. */
final class ExplainedCluster {
    static final List<Kind<?>> KINDS = List.of(
            Kinds.PERSISTENT_VOLUME_CLAIM,
            Kinds.PERSISTENT_VOLUME,
            Kinds.POD,
            Kinds.NODE,
            Kinds.VOLUME_ATTACHMENT,
            Kinds.STORAGE_CLASS);

    private final Snapshot snapshot;
    private final DryRun run;

    ExplainedCluster(Explainer explainer, Snapshot snapshot) {
        this(snapshot, explainer.dryRun(snapshot));
    }

    ExplainedCluster(Snapshot snapshot, DryRun run) {
        this.snapshot = snapshot;
        this.run = run;
    }

    Snapshot snapshot() {
        return snapshot;
    }

    DryRun run() {
        return run;
    }

    Optional<Explanation> explain(Kind<?> kind, ObjectKey key) {
        if (kind.equals(Kinds.PERSISTENT_VOLUME_CLAIM)) {
            return claim(key);
        } else if (kind.equals(Kinds.PERSISTENT_VOLUME)) {
            return volume(key.name());
        } else if (kind.equals(Kinds.POD)) {
            return pod(key);
        } else if (kind.equals(Kinds.NODE)) {
            return node(key.name());
        } else if (kind.equals(Kinds.VOLUME_ATTACHMENT)) {
            return attachment(key.name());
        } else if (kind.equals(Kinds.STORAGE_CLASS)) {
            return storageClass(key.name());
        }
        throw new IllegalArgumentException(kind.name() + " is not explained");
    }

    Optional<Explanation> claim(ObjectKey key) {
        return snapshot.get(Kinds.PERSISTENT_VOLUME_CLAIM, key).map(claim -> {
            DryRun.Ruling ruling = run.claim(claim);
            ExplanationFindings findings = new ExplanationFindings();
            new ClaimCauses(snapshot, run, claim, findings).explain(ruling);
            return explanation(
                    Kinds.PERSISTENT_VOLUME_CLAIM, claim, claim.status().phase().wireName(), ruling.rule(), findings);
        });
    }

    Optional<Explanation> volume(String name) {
        return snapshot.get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(name)).map(volume -> {
            ExplanationFindings findings = new ExplanationFindings();
            new VolumeCauses(snapshot, run, volume, findings).explain();
            return explanation(
                    Kinds.PERSISTENT_VOLUME, volume, volume.status().phase().wireName(), Optional.empty(), findings);
        });
    }

    private Optional<Explanation> pod(ObjectKey key) {
        return snapshot.get(Kinds.POD, key).map(pod -> {
            ExplanationFindings findings = new ExplanationFindings();
            new PodCauses(this, pod, findings).explain();
            return explanation(Kinds.POD, pod, pod.status().phase().wireName(), Optional.empty(), findings);
        });
    }

    private Optional<Explanation> node(String name) {
        return snapshot.get(Kinds.NODE, ObjectKey.cluster(name)).map(node -> {
            ExplanationFindings findings = new ExplanationFindings();
            new NodeCauses(snapshot, node, findings).explain();
            return explanation(Kinds.NODE, node, phase(node), Optional.empty(), findings);
        });
    }

    private static String phase(Node node) {
        String reported = node.isReady() ? "Ready" : "NotReady";
        return (node.readyCondition().isPresent() ? reported : "Unknown")
                + (node.spec().unschedulable() ? ", cordoned" : "");
    }

    private Optional<Explanation> attachment(String name) {
        return snapshot.get(Kinds.VOLUME_ATTACHMENT, ObjectKey.cluster(name)).map(attachment -> {
            ExplanationFindings findings = new ExplanationFindings();
            new AttachmentCauses(snapshot, attachment, findings).explain();
            return explanation(Kinds.VOLUME_ATTACHMENT, attachment, phase(attachment), Optional.empty(), findings);
        });
    }

    private static String phase(VolumeAttachment attachment) {
        return attachment.status().attached() ? "attached" : "not attached";
    }

    private Optional<Explanation> storageClass(String name) {
        return snapshot.get(Kinds.STORAGE_CLASS, ObjectKey.cluster(name)).map(found -> {
            ExplanationFindings findings = new ExplanationFindings();
            new ClassCauses(this, found, findings).explain();
            return explanation(Kinds.STORAGE_CLASS, found, phase(found), Optional.empty(), findings);
        });
    }

    private String phase(StorageClass storageClass) {
        long claims = snapshot.all(Kinds.PERSISTENT_VOLUME_CLAIM).stream()
                .filter(claim -> StorageClasses.nameOf(claim)
                        .equals(Optional.of(storageClass.metadata().name())))
                .count();
        return (StorageClasses.isDefault(storageClass) ? "the default, " : "")
                + (claims == 0 ? "unused" : "used by " + claims + (claims == 1 ? " claim" : " claims"));
    }

    private Explanation explanation(
            Kind<?> kind,
            KubernetesObject object,
            String phase,
            Optional<BinderRule> rule,
            ExplanationFindings findings) {
        return new Explanation(
                kind.name(),
                ObjectKey.of(object),
                object.metadata().isDeleting() ? "Terminating, " + phase : phase,
                snapshot.takenAt(),
                rule,
                findings.causes,
                snapshot.all(Kinds.PERSISTENT_VOLUME).size(),
                findings.excluded,
                findings.nearest,
                findings.awaited,
                findings.remedies,
                findings.facts);
    }
}
