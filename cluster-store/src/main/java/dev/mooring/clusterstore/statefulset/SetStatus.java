// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.statefulset;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;

/** The status of a set, as its pods show it. Pure functions. */
final class SetStatus {
    private static final String STATUS = "status";

    private SetStatus() {}

    /** The set with its status; the same document if that is what it shows. */
    static Document shown(SetSpec set, SetRevisions revisions, List<Document> pods, Instant now) {
        String update = Fields.name(revisions.update());
        long ready = count(pods, MemberState::isRunningAndReady);
        long updated = count(pods, pod -> isOf(pod, update));
        boolean through = !set.updatesOnDelete()
                && updated == set.replicas()
                && ready == set.replicas()
                && pods.size() == set.replicas();
        String current = through ? update : Fields.name(revisions.current());
        Document shown = set.set()
                .with(set.generation(), STATUS, "observedGeneration")
                .with(pods.size(), STATUS, "replicas")
                .with(current, STATUS, "currentRevision")
                .with(update, STATUS, "updateRevision")
                .with(set.collisionCount(), STATUS, "collisionCount");
        shown = withCount(shown, "readyReplicas", ready);
        shown = withCount(shown, "currentReplicas", count(pods, pod -> isOf(pod, current)));
        shown = withCount(shown, "updatedReplicas", updated);
        shown = shown.with(
                count(pods, pod -> pod.isAvailable(set.minReadySeconds(), now)), STATUS, "availableReplicas");
        return shown.equals(set.set()) ? set.set() : shown;
    }

    private static boolean isOf(MemberState pod, String revision) {
        return !pod.isTerminating() && pod.revision().equals(revision);
    }

    private static long count(List<Document> pods, Predicate<MemberState> counted) {
        return pods.stream().map(MemberState::new).filter(counted).count();
    }

    /** Kubernetes leaves these out when they are zero. */
    private static Document withCount(Document set, String field, long count) {
        return count == 0 ? set.without(STATUS, field) : set.with(count, STATUS, field);
    }
}
