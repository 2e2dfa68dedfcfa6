// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.record.RecordEntry.Publish;
import dev.mooring.runtime.record.RecordEntryPublishBuilder;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Lease;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.VolumeId;
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
import java.util.stream.Stream;
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

    private static final MountsOfNode OWN = MountsOfNode.of(Path.of("/var/lib/mooring/node/kubelet"), true, List.of());

    private FakeProc proc = new FakeProc(directory);

    @BeforeEach
    void machine() throws IOException {
        proc = FakeProc.in(directory);
    }

    private List<String> evidence(Optional<Node> node, Optional<Lease> lease) {
        List<String> evidence = new ArrayList<>(KubeletEvidence.inCluster(node, lease, MINE, NOW));
        evidence.addAll(KubeletEvidence.onMachine(proc.machine(), OWN));
        return evidence;
    }

    private List<String> evidence(MountsOfNode mounts) {
        return KubeletEvidence.onMachine(proc.machine(), mounts);
    }

    private static MountsOfNode inKubeletsPlace(boolean adopts, String... targets) {
        List<Publish> records = Stream.of(targets)
                .map(target -> RecordEntryPublishBuilder.builder()
                        .pod(new PodRef("default", "web", "u"))
                        .podVolume("data")
                        .volume("v")
                        .volumeId(new VolumeId(new PluginName("kubernetes.io/nfs"), "v"))
                        .state(PluginState.NONE)
                        .target(Path.of(target))
                        .phase(RecordPhase.DONE)
                        .bootId("boot")
                        .build())
                .toList();
        return MountsOfNode.of(Path.of("/var/lib/kubelet"), adopts, records);
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
    void aLeaseThatAnotherAgentRenews(String holder, String renewed, boolean speaks) {
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

    @Test
    void inTheKubeletsPlaceOnlyWhatARecordTellsOfIsExcepted() throws IOException {
        String target = "/var/lib/kubelet/pods/u/volumes/kubernetes.io~csi/v/mount";
        proc.mount(target).mount("/var/lib/kubelet/pods/u/volume-subpaths/v/main/0");
        assertThat(evidence(inKubeletsPlace(false, target))).isEmpty();
        proc.mount("/var/lib/kubelet/pods/w/volumes/kubernetes.io~csi/v/mount");
        assertThat(evidence(inKubeletsPlace(false, target)))
                .containsExactly("there are 1 mounts below /var/lib/kubelet/pods of which no record tells; with"
                        + " --adopt-kubelet they are taken over");
    }

    @Test
    void whatIsAdoptedIsNoEvidenceUnlessTheKubeletIsStillThere() throws IOException {
        proc.mount("/var/lib/kubelet/pods/w/volumes/kubernetes.io~csi/v/mount")
                .socket("/var/lib/kubelet/pod-resources/kubelet.sock", false)
                .process("81", "driver", "mnt:[1]")
                .opens("81", "/var/lib/kubelet/plugins/driver/state")
                .process("82", "other", "mnt:[2]")
                .opens("82", "/var/lib/kubelet/cpu_manager_state");
        assertThat(evidence(inKubeletsPlace(true))).isEmpty();
        proc.socket("/var/lib/kubelet/pod-resources/kubelet.sock", true)
                .process("83", "hyperkube", "mnt:[1]")
                .opens("83", "/var/lib/kubelet/cpu_manager_state")
                .process("84", "renamed", "mnt:[1]")
                .opens("84", "/run/lock/kubelet.lock")
                .process("85", "kubelet", "mnt:[1]");
        assertThat(evidence(inKubeletsPlace(true)))
                .containsExactly(
                        "on this machine runs kubelet (process 85)",
                        "a process listens on /var/lib/kubelet/pod-resources/kubelet.sock",
                        "process 83 has /var/lib/kubelet/cpu_manager_state open",
                        "process 84 has /run/lock/kubelet.lock open");
    }

    @Test
    void aKubeletWhoseDirectoryIsASymbolicLink() throws IOException {
        Path real = Files.createDirectories(directory.resolve("data/kubelet"));
        Path link = directory.resolve("var/lib/kubelet");
        Files.createDirectories(directory.resolve("var/lib"));
        Files.createSymbolicLink(link, link.getParent().relativize(real));
        proc.mount("/data/kubelet/pods/w/volumes/kubernetes.io~csi/v/mount")
                .socket("/var/lib/kubelet/pod-resources/kubelet.sock", true);
        assertThat(evidence(Optional.empty(), Optional.empty()))
                .containsExactly("there are 1 mounts below /data/kubelet/pods");
        assertThat(evidence(new MountsOfNode(Path.of("/data/kubelet"), true, List.of())))
                .containsExactly("a process listens on /data/kubelet/pod-resources/kubelet.sock");
    }

    @Test
    void aDescriptorThatIsClosedMeanwhileHidesNoOther() throws IOException {
        proc.process("83", "hyperkube", "mnt:[1]").opens("83", "/var/lib/kubelet/cpu_manager_state");
        for (int i = 100; i < 140; i++) {
            Files.writeString(directory.resolve("proc/83/fd").resolve(Integer.toString(i)), "no link");
        }
        assertThat(evidence(inKubeletsPlace(true)))
                .containsExactly("process 83 has /var/lib/kubelet/cpu_manager_state open");
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
