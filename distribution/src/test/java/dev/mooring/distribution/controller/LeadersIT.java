// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two controllers on a real API server: the leader is killed, or paused and continued. */
@Tag("cluster")
class LeadersIT {
    private static final String[] SHORT = {
        "--leader-elect-lease-duration=12s", "--leader-elect-renew-deadline=9s", "--leader-elect-retry-period=1s"
    };

    private static final long PAUSE_NANOS = 60_000_000_000L;

    @TempDir
    private Path directory = Path.of("");

    private final ClusterFixture cluster = new ClusterFixture();

    @BeforeEach
    void begin() throws Exception {
        cluster.grantWhatTheManifestGrants();
        cluster.empty();
        cluster.delete(ClusterFixture.LEASE);
    }

    @Test
    void anotherTakesOverFromALeaderThatIsKilled() {
        try (ControllerProcesses processes = new ControllerProcesses(directory)) {
            Process first = processes.start("first", cluster.cluster.plainKubeconfig(), SHORT);
            untilLeads("first");
            processes.start("second", cluster.cluster.plainKubeconfig(), SHORT);
            cluster.bind("a");
            long killed = System.nanoTime();
            first.destroyForcibly();
            untilLeads("second");
            System.out.println("take-over after kill: " + (System.nanoTime() - killed) / 1_000_000 + " ms");
            cluster.bind("b");
        }
    }

    @Test
    void aLeaderThatWasPausedWritesNothingWhenItIsContinued() {
        try (ControllerProcesses processes = new ControllerProcesses(directory)) {
            Process first = processes.start("first", cluster.cluster.plainKubeconfig(), SHORT);
            untilLeads("first");
            processes.start("second", cluster.cluster.plainKubeconfig(), SHORT);
            cluster.bind("a");
            long paused = System.nanoTime();
            ControllerProcesses.signal(first, "STOP");
            // Work that the paused leader would have to do first when it is continued.
            for (int i = 0; i < 20; i++) {
                cluster.volume("w" + i, "");
            }
            untilLeads("second");
            System.out.println("take-over after pause: " + (System.nanoTime() - paused) / 1_000_000 + " ms");
            for (int i = 0; i < 20; i++) {
                cluster.untilPhase(ClusterFixture.VOLUMES + "/w" + i, "Available");
            }
            cluster.bind("b");
            while (System.nanoTime() - paused < PAUSE_NANOS) {
                ClusterFixture.pause();
            }
            Document before = cluster.admin.ok("GET", ClusterFixture.VOLUMES, "");
            ControllerProcesses.signal(first, "CONT");
            cluster.until(
                    ClusterFixture.LEASE,
                    "the lease is renewed on",
                    lease -> holder(lease).startsWith("second"));
            untilSaid(processes, "first", "term 0 of the leader that decided it is over", "leads instead");
            Document after = cluster.admin.ok("GET", ClusterFixture.VOLUMES, "");
            assertThat(after.at("items")).as("nothing was written").isEqualTo(before.at("items"));
            assertThat(holder(cluster.admin.ok("GET", ClusterFixture.LEASE, "")))
                    .startsWith("second");
            cluster.bind("c");
        }
    }

    private static void untilSaid(ControllerProcesses processes, String name, String... any) {
        // The continued process makes itself heard, or stays silent because its term was simply over: either way it had
        // its turns.
        for (int i = 0; i < 60; i++) {
            String said = processes.said(name);
            for (String each : any) {
                if (said.contains(each)) {
                    return;
                }
            }
            ClusterFixture.pause();
        }
    }

    private void untilLeads(String name) {
        cluster.until(
                ClusterFixture.LEASE, name + " leads", lease -> holder(lease).startsWith(name + "_"));
    }

    private static String holder(Document lease) {
        return Optional.of(lease)
                .flatMap(each -> each.text("spec", "holderIdentity"))
                .orElse("");
    }
}
