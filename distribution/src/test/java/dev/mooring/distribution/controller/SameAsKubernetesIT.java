// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.distribution.controller.story.StoryRun;
import dev.mooring.kubernetes.cluster.ApiClient;
import dev.mooring.kubernetes.cluster.RealCluster;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random stories of users on two real API servers of one version, one with kube-controller-manager and one with {@code mooring
 * controller}: after each step, at rest, volumes, claims and pods are the same on both but for the differences that are declared.
 *
 * <p>{@code -Dmooring.stories=N} plays so many, {@code -Dmooring.stories.first=SEED} others.
 */
@Tag("cluster")
class SameAsKubernetesIT {
    private static final int STORIES = Integer.getInteger("mooring.stories", 24);
    private static final long FIRST = Long.getLong("mooring.stories.first", 1);
    private static final int AT_A_TIME = Integer.getInteger("mooring.stories.at-a-time", 6);

    @TempDir
    private static Path directory = Path.of("");

    private static ControllerProcesses processes;
    private static RealCluster peer;
    private static ApiClient kubernetes;
    private static ApiClient mooring;

    @BeforeAll
    static void start() throws Exception {
        ClusterFixture ours = new ClusterFixture();
        ours.grantWhatTheManifestGrants();
        ours.empty();
        processes = new ControllerProcesses(directory);
        processes.start("stories", ours.cluster.plainKubeconfig());
        peer = RealCluster.another();
        peer.startPeer("--pvclaimbinder-sync-period=100ms");
        kubernetes = peer.admin();
        mooring = ours.admin;
        for (ApiClient each : List.of(kubernetes, mooring)) {
            StoryRun.prepare(each);
        }
    }

    @AfterAll
    static void stop() {
        peer.end();
        new ClusterFixture().empty();
        processes.close();
    }

    @Test
    @Timeout(value = 12, unit = TimeUnit.HOURS)
    void whatUsersSeeIsWhatKubernetesShows() throws Exception {
        StoryRun run = new StoryRun(kubernetes, mooring);
        run.play(FIRST, STORIES, AT_A_TIME);
        System.out.println(run.summary());
        assertThat(String.join("\n\n", run.undeclared())).isEmpty();
        assertThat(run.steps()).isGreaterThanOrEqualTo(STORIES);
    }
}
