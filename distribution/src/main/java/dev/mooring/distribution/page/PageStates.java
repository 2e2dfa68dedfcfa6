// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Condition;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.model.VolumeError;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** In which state objects are, since when, and whether they need attention. Pure. */
final class PageStates {
    /** What takes longer than that does not end by itself. */
    static final Duration LONG = Duration.ofMinutes(1);

    static final String TERMINATING = "Terminating";

    private final Instant now;

    PageStates(Instant now) {
        this.now = now;
    }

    private static PageRow row(
            PageKind kind, KubernetesObject object, String state, boolean attention, Optional<Instant> since) {
        ObjectMeta metadata = object.metadata();
        return new PageRow(
                kind,
                metadata.uid(),
                ObjectKey.of(object),
                object,
                state,
                attention,
                since,
                metadata.creationTimestamp());
    }

    private PageRow terminating(PageKind kind, KubernetesObject object) {
        Optional<Instant> since = object.metadata().deletionTimestamp();
        return row(kind, object, TERMINATING, isLong(since), since);
    }

    private boolean isLong(Optional<Instant> since) {
        return since.filter(start -> start.plus(LONG).isBefore(now)).isPresent();
    }

    PageRow of(PersistentVolumeClaim claim) {
        if (claim.metadata().isDeleting()) {
            return terminating(PageKind.CLAIMS, claim);
        }
        ClaimPhase phase = claim.status().phase();
        Optional<Instant> since = phase == ClaimPhase.PENDING ? claim.metadata().creationTimestamp() : Optional.empty();
        return row(PageKind.CLAIMS, claim, phase.wireName(), phase != ClaimPhase.BOUND, since);
    }

    PageRow of(PersistentVolume volume) {
        if (volume.metadata().isDeleting()) {
            return terminating(PageKind.VOLUMES, volume);
        }
        PersistentVolumePhase phase = volume.status().phase();
        Optional<Instant> since = volume.status().lastPhaseTransitionTime();
        boolean attention = switch (phase) {
            case RELEASED, FAILED -> true;
            case PENDING -> isLong(volume.metadata().creationTimestamp());
            default -> false;
        };
        return row(PageKind.VOLUMES, volume, phase.wireName(), attention, since);
    }

    PageRow of(VolumeAttachment attachment) {
        Optional<VolumeError> error = error(attachment);
        Optional<Instant> made = attachment.metadata().creationTimestamp();
        boolean detaching = attachment.metadata().isDeleting();
        boolean attached = attachment.status().attached();
        Optional<Instant> start = detaching ? attachment.metadata().deletionTimestamp() : made;
        boolean attention = error.isPresent() || ((detaching || !attached) && isLong(start));
        String state = detaching ? "Detaching" : attached ? "Attached" : "Attaching";
        Optional<Instant> since = detaching || !attached ? start : Optional.empty();
        return row(PageKind.ATTACHMENTS, attachment, state, attention, since);
    }

    static Optional<VolumeError> error(VolumeAttachment attachment) {
        return attachment.status().detachError().or(attachment.status()::attachError);
    }

    PageRow of(Pod pod) {
        if (pod.metadata().isDeleting()) {
            return terminating(PageKind.PODS, pod);
        }
        PodPhase phase = pod.status().phase();
        Optional<Instant> made = pod.metadata().creationTimestamp();
        boolean waits = phase == PodPhase.PENDING;
        return row(PageKind.PODS, pod, phase.wireName(), waits && isLong(made), waits ? made : Optional.empty());
    }

    PageRow of(Node node) {
        Optional<Condition> ready = node.readyCondition();
        boolean isReady = ready.filter(condition -> condition.status() == ConditionStatus.TRUE)
                .isPresent();
        String state = isReady ? node.spec().unschedulable() ? "Cordoned" : "Ready" : "NotReady";
        return row(PageKind.NODES, node, state, !isReady, ready.flatMap(Condition::lastTransitionTime));
    }

    PageRow of(RecordEntry entry) {
        String state = switch (entry.phase()) {
            case INTENT -> "Mounting";
            case DONE -> "Mounted";
            case UNDO -> "Unmounting";
            case GONE -> "Gone";
        };
        return new PageRow(
                PageKind.MOUNTS,
                entry.key(),
                ObjectKey.cluster(entry.volume()),
                entry,
                state,
                false,
                Optional.empty(),
                Optional.empty());
    }
}
