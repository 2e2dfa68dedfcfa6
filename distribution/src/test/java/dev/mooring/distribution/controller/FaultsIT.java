// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.kubernetes.cluster.FaultProxy;
import dev.mooring.storage.document.Document;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An API server of whose answers every seventh is a refusal, a failure, or lost. */
@Tag("cluster")
class FaultsIT {
    private static final int PAIRS = 30;

    @TempDir
    private Path directory = Path.of("");

    @Test
    void everythingConvergesWithoutAHotLoopAndNothingIsDoneTwice() {
        ClusterFixture cluster = new ClusterFixture();
        cluster.empty();
        try (FaultProxy proxy = new FaultProxy(cluster.admin, 7);
                ControllerProcesses processes = new ControllerProcesses(directory)) {
            proxy.fail(15);
            processes.start("faulty", proxy.kubeconfig(directory), "--leader-elect=false");
            for (int i = 0; i < PAIRS; i++) {
                cluster.volume("v" + i, "");
                cluster.claim("c" + i, "");
            }
            Set<String> volumes = new HashSet<>();
            for (int i = 0; i < PAIRS; i++) {
                cluster.untilPhase(ClusterFixture.CLAIMS + "/c" + i, "Bound");
                cluster.untilPhase(ClusterFixture.VOLUMES + "/v" + i, "Bound");
                Document claim = cluster.admin.ok("GET", ClusterFixture.CLAIMS + "/c" + i, "");
                volumes.add(claim.text("spec", "volumeName").orElseThrow());
            }
            assertThat(volumes).as("each claim has a volume of its own").hasSize(PAIRS);
            assertThat(proxy.faults().keySet())
                    .containsExactlyInAnyOrder("429", "500 before", "500 after", "cut after", "slow");
            System.out.println("faults: " + proxy.faults() + ", requests: " + proxy.requests());
            // Four writes a pair and one more for each Available, the lists, the events; each fault costs a read and
            // another try.
            assertThat(proxy.requests()).as("requests").isLessThan(PAIRS * 20);
            proxy.fail(0);
            untilQuiet(proxy);
        }
    }

    /** Somewhen, nothing is asked for two seconds. */
    private static void untilQuiet(FaultProxy proxy) {
        int before = -1;
        for (int quiet = 0, tries = 0; quiet < 40; tries++) {
            int now = proxy.requests();
            quiet = now == before ? quiet + 1 : 0;
            before = now;
            assertThat(tries).as("it never rests").isLessThan(2_000);
            ClusterFixture.pause();
        }
    }
}
