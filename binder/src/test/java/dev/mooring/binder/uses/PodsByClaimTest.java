// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.uses;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.control.Objects;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which pods name a claim, and which of them count for what. */
class PodsByClaimTest {
    private static final PersistentVolumeClaim DATA = Objects.data();
    private static final ObjectKey KEY = ObjectKey.of(DATA);

    private final PodsByClaim pods = new PodsByClaim();

    private Pod add(String name, String node, PodPhase phase) {
        Pod pod = Objects.pod(name, node, "data");
        Pod shown = pod.withStatus(pod.status().withPhase(phase));
        assertThat(pods.update(Optional.empty(), Optional.of(shown))).containsExactly(KEY);
        return shown;
    }

    @Test
    void podsAreToldApartByTheirNodesAndByWhetherTheyHaveEnded() {
        add("d-waits", "", PodPhase.PENDING);
        add("a-has-ended", "n1", PodPhase.SUCCEEDED);
        add("b-has-failed", "", PodPhase.FAILED);
        add("c-runs", "n2", PodPhase.RUNNING);
        assertThat(pods.using(KEY))
                .extracting(pod -> pod.metadata().name())
                .containsExactly("a-has-ended", "b-has-failed", "c-runs", "d-waits");
        assertThat(pods.unscheduledUsing(DATA)).containsExactly("d-waits");
        assertThat(pods.unfinishedUsing(KEY)).containsExactly("default/c-runs", "default/d-waits");
        assertThat(pods.nodeOfUser(DATA)).contains("n2");
    }

    @Test
    void aPodThatGoesCountsNoMore() {
        Pod first = add("first", "n1", PodPhase.RUNNING);
        Pod second = add("second", "n2", PodPhase.RUNNING);
        assertThat(pods.update(Optional.of(first), Optional.empty())).containsExactly(KEY);
        assertThat(pods.nodeOfUser(DATA)).contains("n2");
        pods.update(Optional.of(second), Optional.empty());
        assertThat(pods.using(KEY)).isEmpty();
        assertThat(pods.nodeOfUser(DATA)).isEmpty();
        assertThat(pods.unscheduledUsing(DATA)).isEmpty();
    }

    @Test
    void aPodThatNamesAnotherClaimNowConcernsBoth() {
        Pod before = add("web", "n1", PodPhase.RUNNING);
        Pod after = Objects.pod("web", "n1", "other");
        ObjectKey other = ObjectKey.of("default", "other");
        assertThat(pods.update(Optional.of(before), Optional.of(after))).containsExactlyInAnyOrder(KEY, other);
        assertThat(pods.using(KEY)).isEmpty();
        assertThat(pods.using(other)).containsExactly(after);
    }
}
