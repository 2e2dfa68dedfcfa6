// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.uses;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.control.BinderObjects;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which pods name a claim, and which of them count for what. */
@Tag("long")
class PodsByClaimTest {
    private static final PersistentVolumeClaim DATA = BinderObjects.data();
    private static final ObjectKey KEY = ObjectKey.of(DATA);

    private final PodsByClaim pods = new PodsByClaim();

    private Pod add(String name, String node, PodPhase phase) {
        Pod pod = BinderObjects.pod(name, node, "data");
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
                .containsExactly("c-runs", "a-has-ended", "b-has-failed", "d-waits");
        assertThat(pods.unscheduledUsing(DATA).first()).containsExactly("d-waits");
        assertThat(pods.unfinishedUsing(KEY).first()).containsExactly("default/c-runs", "default/d-waits");
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
        assertThat(pods.unscheduledUsing(DATA).isEmpty()).isTrue();
    }

    @Test
    void aPodThatNamesAnotherClaimNowConcernsBoth() {
        Pod before = add("web", "n1", PodPhase.RUNNING);
        Pod after = BinderObjects.pod("web", "n1", "other");
        ObjectKey other = ObjectKey.of("default", "other");
        assertThat(pods.update(Optional.of(before), Optional.of(after))).containsExactlyInAnyOrder(KEY, other);
        assertThat(pods.using(KEY)).isEmpty();
        assertThat(pods.using(other)).containsExactly(after);
    }

    @Test
    void aMessageHoldsAFewNamesOfManyAndTheNumberOfTheOthers() {
        for (int i = 0; i < 8_000; i++) {
            add("w-%04d-%s".formatted(i, "x".repeat(240)), "", PodPhase.PENDING);
        }
        FewNames waiting = pods.unscheduledUsing(DATA);
        assertThat(waiting.size()).isEqualTo(8_000);
        assertThat(waiting.counted())
                .startsWith("w-0000-")
                .endsWith(" and 7,998 more")
                .hasSizeLessThan(900);
        add("z-another", "", PodPhase.PENDING);
        assertThat(pods.unscheduledUsing(DATA).uncounted()).isEqualTo(waiting.uncounted());
    }

    /** The index says what a look at all pods would say. */
    @Test
    void whatIsKnownOfPodsIsWhatASearchFinds() {
        Random random = new Random(28);
        Map<String, Pod> all = new TreeMap<>();
        for (int i = 0; i < 5_000; i++) {
            String name = "pod-" + random.nextInt(12);
            Pod pod = BinderObjects.pod(name, random.nextBoolean() ? "" : "n" + random.nextInt(3), "data");
            Optional<Pod> after = random.nextInt(3) == 0
                    ? Optional.empty()
                    : Optional.of(pod.withStatus(
                            pod.status().withPhase(PodPhase.values()[random.nextInt(PodPhase.values().length)])));
            pods.update(Optional.ofNullable(all.remove(name)), after);
            after.ifPresent(now -> all.put(name, now));
            List<Pod> alive = all.values().stream()
                    .filter(each -> !each.status().phase().isTerminal())
                    .toList();
            assertThat(pods.using(KEY)).containsExactlyInAnyOrderElementsOf(all.values());
            assertThat(pods.unfinishedUsing(KEY).size()).isEqualTo(alive.size());
            assertThat(pods.unscheduledUsing(DATA).size()).isEqualTo((int) alive.stream()
                    .filter(each -> each.spec().nodeName().isEmpty())
                    .count());
            assertThat(pods.nodeOfUser(DATA))
                    .isEqualTo(alive.stream()
                            .map(each -> each.spec().nodeName())
                            .filter(node -> !node.isEmpty())
                            .findFirst());
        }
    }
}
