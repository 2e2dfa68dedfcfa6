// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Lease;
import dev.mooring.storage.model.Node;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What speaks for a kubelet, and what does not. */
class KubeletEvidenceTest {
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final String MINE = "mooring-node_1";

    @TempDir
    private Path directory = Path.of("");

    private FakeProc proc = new FakeProc(directory);

    @BeforeEach
    void machine() throws IOException {
        proc = FakeProc.in(directory);
    }

    private List<String> evidence(Optional<Node> node, Optional<Lease> lease) {
        List<String> evidence = new ArrayList<>(KubeletEvidence.inCluster(node, lease, MINE, NOW));
        evidence.addAll(KubeletEvidence.onMachine(proc.machine()));
        return evidence;
    }

    private static Lease lease(String holder, String renewed) {
        return Kinds.LEASE.read(Document.of(Map.of(
                "metadata",
                Map.of("name", "n1", "namespace", "kube-node-lease"),
                "spec",
                Map.of("holderIdentity", holder, "leaseDurationSeconds", 40, "renewTime", renewed))));
    }

    private static Node node(String agent, String heartbeat) {
        Map<String, ?> ready = Map.of("type", "Ready", "status", "True", "lastHeartbeatTime", heartbeat);
        return Kinds.NODE.read(Document.of(Map.of(
                "metadata",
                Map.of("name", "n1"),
                "status",
                Map.of("nodeInfo", Map.of("kubeletVersion", agent), "conditions", List.of(ready)))));
    }

    @Test
    void nothingIsNoEvidence() {
        assertThat(evidence(Optional.empty(), Optional.empty())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "n1, 2026-01-01T11:59:50Z, true",
        "n1, 2026-01-01T12:03:00Z, true", // its clock is ahead
        "n1, 2026-01-01T11:59:00Z, false",
        "mooring-node_2, 2026-01-01T11:59:50Z, true",
        "mooring-node_1, 2026-01-01T11:59:50Z, false"
    })
    void aLeaseThatSomebodyElseRenews(String holder, String renewed, boolean speaks) {
        List<String> evidence = evidence(Optional.empty(), Optional.of(lease(holder, renewed)));
        assertThat(evidence).hasSize(speaks ? 1 : 0);
        assertThat(evidence).allMatch(why -> why.contains("kube-node-lease/n1") && why.contains(holder));
    }

    @ParameterizedTest
    @CsvSource({
        "v1.30.1, 2026-01-01T11:56:00Z, true",
        "v1.30.1, 2026-01-01T11:50:00Z, false",
        "mooring-0.1.0, 2026-01-01T11:59:50Z, false",
        "'', 2026-01-01T11:59:50Z, false"
    })
    void aKubeletThatReportedTheNodeLately(String agent, String heartbeat, boolean speaks) {
        List<String> evidence = evidence(Optional.of(node(agent, heartbeat)), Optional.empty());
        assertThat(evidence).hasSize(speaks ? 1 : 0);
        assertThat(evidence).allMatch(why -> why.contains(agent) && why.contains(heartbeat));
    }

    @Test
    void aKubeletOnThisMachineButNotOneInAContainer() throws IOException {
        proc.process("77", "kubelet", "mnt:[1]")
                .process("78", "kubelet", "mnt:[2]")
                .process("79", "bash", "mnt:[1]");
        assertThat(evidence(Optional.empty(), Optional.empty()))
                .containsExactly("on this machine runs kubelet (process 77)");
    }

    @Test
    void mountsWhereAKubeletMakesThem() throws IOException {
        proc.mount("/var/lib/kubelet/pods/a/volumes/kubernetes.io~nfs/v").mount("/var/lib/mooring/node/kubelet/pods/b");
        assertThat(evidence(Optional.empty(), Optional.empty()))
                .containsExactly("there are 1 mounts below /var/lib/kubelet/pods");
    }

    /** The kernel escapes white space, nothing else. */
    @Test
    void aMountWhoseNameIsNoText() throws IOException {
        byte[] mount =
                "24 22 0:22 / /var/lib/kubelet/pods/\u00fc rw - tmpfs tmpfs rw\n".getBytes(StandardCharsets.ISO_8859_1);
        Files.write(directory.resolve("proc/self/mountinfo"), mount, StandardOpenOption.APPEND);
        assertThat(evidence(Optional.empty(), Optional.empty()))
                .containsExactly("there are 1 mounts below /var/lib/kubelet/pods");
    }

    @Test
    void everythingIsNamedAtOnce() throws IOException {
        proc.process("77", "k3s-agent", "mnt:[1]");
        assertThat(evidence(
                        Optional.of(node("v1.30.1", "2026-01-01T11:59:00Z")),
                        Optional.of(lease("n1", "2026-01-01T11:59:59Z"))))
                .hasSize(3);
    }
}
