// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.statefulset;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import java.time.Instant;
import java.util.Optional;

/** How a pod is, as its document says. */
record MemberState(Document pod) {
    private String phase() {
        return Fields.text(pod, "status", "phase");
    }

    String revision() {
        return Fields.text(pod, "metadata", "labels", PodMaking.REVISION);
    }

    boolean isTerminating() {
        return Fields.isDeleting(pod);
    }

    /** Whether it has run to its end, well or not: a set wants its pods to run. */
    boolean isOver() {
        return phase().equals("Failed") || phase().equals("Succeeded");
    }

    boolean isPending() {
        return phase().equals("Pending");
    }

    boolean isRunningAndReady() {
        return phase().equals("Running") && ready().isPresent();
    }

    private Optional<Document> ready() {
        return Fields.objects(pod, "status", "conditions").stream()
                .filter(condition -> Fields.text(condition, "type").equals("Ready")
                        && Fields.text(condition, "status").equals("True"))
                .findFirst();
    }

    /** When it will have been ready long enough, or has been; empty if it is not ready. */
    Optional<Instant> availableAt(long minReadySeconds) {
        if (!isRunningAndReady()) {
            return Optional.empty();
        }
        return minReadySeconds == 0
                ? Optional.of(Instant.MIN)
                : ready().flatMap(condition -> Fields.time(condition, "lastTransitionTime"))
                        .map(since -> since.plusSeconds(minReadySeconds));
    }

    boolean isAvailable(long minReadySeconds, Instant now) {
        return availableAt(minReadySeconds).filter(time -> !time.isAfter(now)).isPresent();
    }

    /** Whether an update waits for it before it goes on to another one. */
    boolean isUnavailable(long minReadySeconds, Instant now) {
        return isTerminating() || !isAvailable(minReadySeconds, now);
    }
}
