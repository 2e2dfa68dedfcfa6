// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.statefulset;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.LabelSelector;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a StatefulSet; what it does not say has Kubernetes' defaults. */
record SetSpec(Document set) {
    private static final String SPEC = "spec";
    private static final String DELETE = "Delete";
    private static final String RETENTION = "persistentVolumeClaimRetentionPolicy";
    private static final Pattern MEMBER = Pattern.compile("(.*)-([0-9]{1,10})");
    private static final long HISTORY = 10;

    /**
     * The name of a set's pod, taken apart.
     *
     * @param set the name of the set
     * @param ordinal 0 to {@link Integer#MAX_VALUE}
     */
    record Member(String set, long ordinal) {
        /** Empty if it is no such name. */
        static Optional<Member> of(String pod) {
            Matcher matcher = MEMBER.matcher(pod);
            return matcher.matches()
                    ? Optional.of(new Member(matcher.group(1), Long.parseLong(matcher.group(2))))
                            .filter(member -> member.ordinal() <= Integer.MAX_VALUE)
                    : Optional.empty();
        }
    }

    String name() {
        return Fields.name(set);
    }

    String namespace() {
        return Fields.namespace(set);
    }

    String uid() {
        return Fields.uid(set);
    }

    boolean isDeleting() {
        return Fields.isDeleting(set);
    }

    long generation() {
        return Fields.integer(set, "metadata", "generation").orElse(0L);
    }

    long replicas() {
        return Fields.integer(set, SPEC, "replicas").orElse(1L);
    }

    /** The first ordinal. */
    long start() {
        return Fields.integer(set, SPEC, "ordinals", "start").orElse(0L);
    }

    /** The first ordinal after the replicas; there is none beyond {@link Integer#MAX_VALUE}. */
    long end() {
        return Math.min(start() + replicas(), Integer.MAX_VALUE + 1L);
    }

    /** Whether a pod of this ordinal belongs to the replicas. */
    boolean wants(long ordinal) {
        return ordinal >= start() && ordinal < end();
    }

    /** The ordinal of a pod by its name; empty if the name is not one of this set. */
    Optional<Long> ordinal(Document pod) {
        return Member.of(Fields.name(pod))
                .filter(member -> member.set().equals(name()))
                .map(Member::ordinal);
    }

    String podName(long ordinal) {
        return name() + "-" + ordinal;
    }

    /** Whether pods are made and ended without waiting for each other. */
    boolean isParallel() {
        return Fields.text(set, SPEC, "podManagementPolicy").equals("Parallel");
    }

    boolean updatesOnDelete() {
        return Fields.text(set, SPEC, "updateStrategy", "type").equals("OnDelete");
    }

    /** How many pods, from the lowest ordinal, keep the current revision. */
    long partition() {
        return updatesOnDelete()
                ? 0
                : Fields.integer(set, SPEC, "updateStrategy", "rollingUpdate", "partition")
                        .orElse(0L);
    }

    long minReadySeconds() {
        return Fields.integer(set, SPEC, "minReadySeconds").orElse(0L);
    }

    long historyLimit() {
        return Fields.integer(set, SPEC, "revisionHistoryLimit").orElse(HISTORY);
    }

    boolean deletesClaimsWhenDeleted() {
        return Fields.text(set, SPEC, RETENTION, "whenDeleted").equals(DELETE);
    }

    boolean deletesClaimsWhenScaled() {
        return Fields.text(set, SPEC, RETENTION, "whenScaled").equals(DELETE);
    }

    Document template() {
        return Fields.object(set, SPEC, "template");
    }

    List<Document> claimTemplates() {
        return Fields.objects(set, SPEC, "volumeClaimTemplates");
    }

    String claimName(Document claimTemplate, long ordinal) {
        return Fields.name(claimTemplate) + "-" + podName(ordinal);
    }

    /** The names of a pod's claims. */
    List<String> claimNames(long ordinal) {
        return claimTemplates().stream()
                .map(claimTemplate -> claimName(claimTemplate, ordinal))
                .toList();
    }

    LabelSelector selector() {
        return Fields.labelSelector(set, SPEC, "selector");
    }

    /** Whether an object's labels are those that the set selects. */
    boolean selects(Document object) {
        return selector().matches(Fields.textMap(object, "metadata", "labels"));
    }

    String currentRevision() {
        return Fields.text(set, "status", "currentRevision");
    }

    long collisionCount() {
        return Fields.integer(set, "status", "collisionCount").orElse(0L);
    }
}
