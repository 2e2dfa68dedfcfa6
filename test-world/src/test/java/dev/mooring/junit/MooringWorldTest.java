// SPDX-License-Identifier: Apache-2.0
package dev.mooring.junit;

import static dev.mooring.junit.StorageCalls.storageClass;
import static dev.mooring.junit.Times.always;
import static dev.mooring.junit.Times.once;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.simulation.PlayOptions;
import dev.mooring.simulation.Player;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The world that a test sees. Objects are made by steps of scenarios here; the module clients uses real clients. */
class MooringWorldTest {
    private static final String CLAIM = """
            apply:
            - apiVersion: v1
              kind: PersistentVolumeClaim
              metadata: {name: data}
              spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
            """;

    private static final String POD = """
            apply:
            - apiVersion: v1
              kind: Pod
              metadata: {name: web}
              spec:
                containers: [{name: c, image: i, volumeMounts: [{name: v, mountPath: /v}]}]
                volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]
            """;

    private final MooringWorld world = MooringWorld.builder().nodes(2).start();

    @AfterEach
    void close() {
        assertThat(world.defects()).isEmpty();
        world.close();
    }

    @Test
    void aClaimIsBoundAndItsPodRuns() {
        world.play(CLAIM);
        world.play(POD);
        world.settle();
        world.play("{expect: [{kind: PersistentVolumeClaim, name: data, matches: {status: {phase: Bound}}},"
                + " {kind: Pod, name: web, matches: {status: {phase: Running}}}]}");
        assertThat(world.explainWaiting()).isEmpty();
        assertThat(world.explain("pvc/data")).startsWith("PersistentVolumeClaim default/data is Bound");
    }

    @Test
    void aFaultOfAClassStrikesItsCallsAndIsOverAfterwards() {
        world.fail(storageClass("standard").provision(), always());
        world.play(CLAIM + "expect:\n- {kind: PersistentVolumeClaim, name: data, matches: {status: {phase: Pending}}}");
        world.settle();
        assertThat(world.explainWaiting()).contains("PersistentVolumeClaim default/data is Pending", "declared fault");
        world.endFaults();
        world.advance(Duration.ofMinutes(20));
        assertThat(world.explain("pvc/data")).contains("is Bound");
    }

    @Test
    void anUnknownNameIsRefusedWithTheNamesThatThereAre() {
        assertThatThrownBy(() -> world.fail(storageClass("slow").publish(), once()))
                .hasMessage("there is no storage class 'slow'; there are: standard");
        assertThatThrownBy(() -> storageClass("standard").operation("mount-it"))
                .hasMessageStartingWith("there is no operation 'mount-it'; there are: provision, delete, ");
        assertThatThrownBy(() -> world.strike(storageClass("standard").attach(), "explode", once()))
                .hasMessageContaining("there is no outcome 'explode'; there are: refused, ");
        assertThatThrownBy(() -> world.stopNode("node-9"))
                .hasMessage("there is no node 'node-9'; there are: node-1, node-2");
        assertThatThrownBy(() -> world.explain("pvc/data"))
                .hasMessage("there is no PersistentVolumeClaim default/data, and no other");
        assertThatThrownBy(() -> world.explain("bucket/data")).hasMessageContaining("there are: namespace, node");
    }

    @Test
    void anAdvanceMovesTheClockByItsLengthAndNodesStayReady() {
        Instant before = world.now();
        world.advance(Duration.ofHours(2));
        assertThat(Duration.between(before, world.now())).isGreaterThanOrEqualTo(Duration.ofHours(2));
        assertThat(world.explainWaiting()).isEmpty();
    }

    @Test
    void aDeadNodeIsFoundOutItsPodsAreEvictedAndItComesBack() {
        world.play(CLAIM);
        world.play(POD);
        world.settle();
        String node = nodeOfWeb();
        world.stopNode(node);
        world.advance(Duration.ofSeconds(70));
        assertThat(world.explain("node/" + node)).contains("Ready is Unknown (NodeStatusUnknown)");
        world.advance(Duration.ofMinutes(6));
        assertThat(world.explain("pod/web")).contains("being deleted since");
        world.startNode(node);
        world.advance(Duration.ofMinutes(1));
        assertThat(world.explainWaiting()).isEmpty();
        assertThatThrownBy(() -> world.explain("pod/web")).hasMessageContaining("there is no Pod default/web");
    }

    @Test
    void whatThereIsCanBeWrittenAsAScenarioAndBeTheBeginningOfAnotherWorld(@TempDir Path directory) throws Exception {
        world.play(CLAIM);
        world.play(POD);
        world.settle();
        Path file = Files.writeString(directory.resolve("state.yaml"), world.asScenario());
        assertThat(Player.play(file, PlayOptions.DEFAULT).exitStatus()).isZero();
        try (MooringWorld other =
                MooringWorld.builder().nodes(0).storageClasses().scenario(file).start()) {
            assertThat(other.explain("pod/web")).contains("is Running");
            other.advance(Duration.ofMinutes(10));
            assertThat(other.explainWaiting()).isEmpty();
        }
    }

    private String nodeOfWeb() {
        try {
            world.play("{expect: [{kind: Pod, name: web, matches: {spec: {nodeName: node-1}}}]}");
            return "node-1";
        } catch (AssertionError other) {
            return "node-2";
        }
    }
}
