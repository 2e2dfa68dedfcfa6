// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.plugin.NodeIntent;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Storage that only the agent of its node can destroy. */
class ReclaimOnNodeTest extends AgentCluster {
    @Test
    void anUncertainAnswerKeepsTheMarkAndTheNodeIsAskedAgain() {
        Cluster cluster = released();
        for (int round = 0; round < 3; round++) {
            agentAnswers(cluster, Outcome.uncertain("time-out"));
            assertThat(annotation(cluster, NodeIntent.RECLAIM_RESULT))
                    .as("not asked again at once")
                    .isPresent();
            assertThat(cluster.volume(VOLUME).status().phase()).isEqualTo(PersistentVolumePhase.FAILED);
            assertThat(annotation(cluster, Annotations.RECLAIMING)).contains(BinderObjects.UID);
            cluster.advance(Duration.ofMinutes(3));
            assertThat(annotation(cluster, Annotations.RECLAIMING)).contains(BinderObjects.UID);
        }
        assertThat(cluster.news)
                .filteredOn(news -> news.message().contains("time-out"))
                .singleElement()
                .satisfies(news -> assertThat(news.reason()).isEqualTo("VolumeFailedDelete"));
        agentAnswers(cluster, Outcome.done());
        assertThat(cluster.volumes()).isEmpty();
    }

    @Test
    void theNodeThatMayReachTheVolumeReclaimsIt() {
        Cluster cluster = releasedOnDiskB(labelled("n1", "a"), labelled("n2", "b"));
        assertThat(annotation(cluster, NodeIntent.RECLAIM_ON)).contains("n2");
    }

    @Test
    void aRefusalTakesTheMarkAwayAndTheNodeIsAskedAgain() {
        Cluster cluster = released();
        agentAnswers(cluster, Outcome.refused(Refusal.DENIED, "busy"));
        assertThat(annotation(cluster, Annotations.RECLAIMING)).isEmpty();
        cluster.advance(Duration.ofMinutes(3));
        agentAnswers(cluster, Outcome.done());
        assertThat(cluster.volumes()).isEmpty();
        assertThat(storage).isEmpty();
    }

    static Stream<Death> deaths() {
        return Death.atWrites(5);
    }

    @ParameterizedTest(name = "dies {0}")
    @MethodSource("deaths")
    void reclaimingEndsTheSameWhereverTheProcessDies(Death death) {
        Cluster cluster = cluster(ReclaimPolicy.DELETE).settle();
        agentAnswers(cluster, Outcome.done());
        cluster.countingFromOne();
        death.in(cluster);
        cluster.deleteClaim("data").advance(Duration.ofMinutes(5));
        agentAnswers(cluster, Outcome.done());
        cluster.advance(Duration.ofMinutes(5));
        if (death.equals(new Death(Death.Moment.AFTER_WRITE, 5))) {
            // Nothing but the protection was left on the object: whether the storage was destroyed only the node knows.
            agentAnswers(cluster, Outcome.done());
        }
        assertThat(cluster.volumes()).isEmpty();
        assertThat(storage).isEmpty();
    }
}
