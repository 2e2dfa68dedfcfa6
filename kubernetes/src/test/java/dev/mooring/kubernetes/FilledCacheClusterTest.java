// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.kubernetes.cluster.FilledCache;
import dev.mooring.kubernetes.cluster.RealCluster;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.store.ListOptions;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A real API server of a version that shows no list by a watch. */
@Tag("cluster")
class FilledCacheClusterTest {
    private static final RealCluster CLUSTER = RealCluster.shared();
    private static KubernetesStore store;

    @BeforeAll
    static void open() {
        store = KubernetesStore.open(Connection.ofKubeconfig(CLUSTER.kubeconfig()), KubernetesOptions.DEFAULT);
    }

    @AfterAll
    static void close() {
        store.close();
    }

    @Test
    void aListShowsWhatPagesShow() {
        new FilledCache(store).aListShowsWhatPagesShow();
    }

    @Test
    void whatIsWrittenBeforeAListIsInIt() {
        new FilledCache(store).whatIsWrittenBeforeAListIsInIt();
    }

    @Test
    void aListAndTheWatchThatGoesOnFromItLoseNothing() throws InterruptedException {
        new FilledCache(store).aListAndTheWatchThatGoesOnFromItLoseNothing();
    }

    @Test
    void itRefusesTheWatchInTheWordsByWhichWeKnowIt() {
        String query = String.join("&", Paths.watch(ListOptions.ALL, Duration.ofSeconds(1)));
        HttpResponse<String> answer = CLUSTER.admin()
                .send(
                        "GET",
                        Paths.collection(Kinds.CONFIG_MAP, "") + "?" + query
                                + "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan",
                        "");
        assertThat(answer.statusCode()).isEqualTo(422);
        assertThat(answer.body()).contains("resourceVersionMatch is forbidden for watch");
    }
}
