// SPDX-License-Identifier: Apache-2.0
package dev.mooring.junit;

import static dev.mooring.junit.StorageCalls.driver;
import static dev.mooring.junit.StorageCalls.storageClass;
import static dev.mooring.junit.Times.always;
import static dev.mooring.junit.Times.once;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Volumes that are directories of this machine. */
class RealBackEndsTest {
    private static final String HOST_PATH = "kubernetes.io/host-path";
    private static final String LOCAL = "kubernetes.io/local-volume";
    private static final String NO_NODE = "~";

    private final DrawerPlugin drawer = new DrawerPlugin();
    private MooringWorld world;

    @BeforeEach
    void start() {
        String why = MooringWorld.whyNoRealBackEnds().orElse("");
        assumeTrue(why.isEmpty(), why);
        world = MooringWorld.builder()
                .nodes(2)
                .storageClasses("standard=" + HOST_PATH, "drawer=" + DrawerPlugin.NAME, "simulated")
                .plugins(HOST_PATH, LOCAL)
                .plugin(drawer)
                .start();
    }

    @AfterEach
    void close() {
        if (world != null) {
            assertThat(world.defects()).isEmpty();
            world.close();
        }
    }

    private void apply(String... objects) {
        world.play("apply:\n" + String.join("", objects));
        world.settle();
    }

    private void delete(String kind, String name) {
        world.play("delete: [{kind: " + kind + ", name: " + name + "}]");
        world.settle();
    }

    private static String claim(String name, String storageClass) {
        return """
                - apiVersion: v1
                  kind: PersistentVolumeClaim
                  metadata: {name: %s}
                  spec: {storageClassName: %s, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
                """.formatted(name, storageClass);
    }

    /** A pod of the same name as its claim. */
    private static String pod(String claim, String node) {
        return """
                - apiVersion: v1
                  kind: Pod
                  metadata: {name: %s}
                  spec:
                    nodeSelector: %s
                    containers: [{name: c, image: i, volumeMounts: [{name: v, mountPath: /v}]}]
                    volumes: [{name: v, persistentVolumeClaim: {claimName: %s}}]
                """.formatted(claim, node.equals(NO_NODE) ? "{}" : "{kubernetes.io/hostname: " + node + "}", claim);
    }

    private Path running(String pod) {
        assertThat(world.explain("pod/" + pod)).as(world.explainWaiting()).contains("is Running");
        return world.pathOf(pod, "v");
    }

    /** The world's own directory. */
    private static Path base(Path seen) {
        Path at = seen;
        while (!at.getFileName().toString().startsWith("mooring-world-")) {
            at = at.getParent();
        }
        return at;
    }

    private static List<Path> in(Path directory) throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.toList();
        }
    }

    private static List<String> mountsBelow(Path directory) throws IOException {
        return Files.readAllLines(Path.of("/proc/self/mountinfo")).stream()
                .filter(line -> line.contains(" " + directory + "/"))
                .toList();
    }

    @Test
    void aPodSeesADirectoryThatGoesWithItsClaim() throws IOException {
        apply(claim("data", "standard"), pod("data", NO_NODE));
        Path seen = running("data");
        Files.writeString(seen.resolve("greeting"), "hello");
        Path made = in(base(seen).resolve("hostpath/v")).get(0);
        assertThat(made.resolve("greeting")).hasContent("hello");

        delete("Pod", "data");
        assertThat(seen).doesNotExist();
        assertThat(made.resolve("greeting")).hasContent("hello");

        delete("PersistentVolumeClaim", "data");
        assertThat(made).doesNotExist();
    }

    @Test
    void nothingIsLeftOfAWorldThatEndsInTheMiddle() throws IOException {
        apply(claim("data", "standard"), pod("data", NO_NODE), claim("more", "drawer"), pod("more", NO_NODE));
        Path base = base(running("data"));
        Files.writeString(running("more").resolve("greeting"), "hello");
        assertThat(mountsBelow(base)).isNotEmpty();
        world.fail(driver(HOST_PATH).unpublish(), always());
        world.close();
        assertThat(base).doesNotExist();
        assertThat(mountsBelow(base)).isEmpty();
        assertThat(drawer.deleted).hasSize(1);
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("mooring-back-end"));
        world = MooringWorld.builder().nodes(0).start();
    }

    @Test
    void aMachineThatDiesLosesItsMountsAndKeepsItsFiles() throws IOException {
        apply(claim("one", "standard"), pod("one", "node-1"), claim("two", "standard"), pod("two", "node-2"));
        Path one = running("one");
        Path two = running("two");
        Files.writeString(one.resolve("whose"), "one");
        Files.writeString(two.resolve("whose"), "two");

        world.stopNode("node-1");
        assertThat(one.resolve("whose")).doesNotExist();
        assertThat(two.resolve("whose")).hasContent("two");

        world.startNode("node-1");
        world.advance(Duration.ofMinutes(1));
        assertThat(running("one").resolve("whose")).hasContent("one");
    }

    @Test
    void faultsStrikeRealCallsToo() throws IOException {
        world.fail(storageClass("standard").publish(), always());
        world.strike(storageClass("standard").provision(), "uncertain-applied", once());
        apply(claim("data", "standard"), pod("data", NO_NODE));
        world.advance(Duration.ofMinutes(1));
        assertThat(world.explain("pod/data")).contains("is Pending", "declared fault");
        assertThatThrownBy(() -> world.pathOf("data", "v"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is not mounted now")
                .hasMessageContaining("declared fault");

        world.endFaults();
        world.advance(Duration.ofMinutes(3));
        Path seen = running("data");
        assertThat(in(base(seen).resolve("hostpath/v"))).hasSize(1);

        world.hang(driver(HOST_PATH).unpublish(), once());
        delete("Pod", "data");
        assertThat(seen).exists();
        world.advance(Duration.ofMinutes(10));
        assertThat(seen).doesNotExist();
    }

    @Test
    void anAgentThatCrashesAfterAMountFindsItAgain() throws IOException {
        world.strike(storageClass("drawer").publish().onNode("node-1"), "crash-after", once());
        apply(claim("data", "drawer"), pod("data", "node-1"));
        world.advance(Duration.ofMinutes(3));
        assertThat(drawer.publishes).hasValue(2);
        Path seen = running("data");
        assertThat(mountsBelow(base(seen)))
                .filteredOn(line -> line.contains(" " + seen + " "))
                .hasSize(1);
    }

    @Test
    void aLocalVolumeIsADirectoryOfTheTest(@TempDir Path disk) throws IOException {
        Files.writeString(disk.resolve("greeting"), "hello");
        apply("""
                - apiVersion: storage.k8s.io/v1
                  kind: StorageClass
                  metadata: {name: disks}
                  provisioner: kubernetes.io/no-provisioner
                  volumeBindingMode: WaitForFirstConsumer
                - apiVersion: v1
                  kind: PersistentVolume
                  metadata: {name: disk}
                  spec:
                    capacity: {storage: 1Gi}
                    accessModes: [ReadWriteOnce]
                    storageClassName: disks
                    persistentVolumeReclaimPolicy: Retain
                    local: {path: %s}
                    nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [
                      {key: kubernetes.io/hostname, operator: In, values: [node-2]}]}]}}
                """.formatted(disk), claim("data", "disks"), pod("data", NO_NODE));
        Path seen = running("data");
        assertThat(seen.resolve("greeting")).hasContent("hello");
        assertThat(seen.toString()).contains("/node-2/");
        Files.writeString(seen.resolve("answer"), "hello, too");
        world.close();
        assertThat(disk.resolve("answer")).hasContent("hello, too");
        assertThat(disk.resolve("greeting")).hasContent("hello");
        world = MooringWorld.builder().nodes(0).start();
    }

    @Test
    void aPluginOfAThirdPartyIsCalledAsInProduction() throws IOException {
        apply(claim("data", "drawer"), pod("data", "node-2"));
        Path seen = running("data");
        Files.writeString(seen.resolve("greeting"), "hello");
        assertThat(drawer.attached).containsExactly("node-2");
        delete("Pod", "data");
        delete("PersistentVolumeClaim", "data");
        assertThat(seen).doesNotExist();
        assertThat(drawer.attached).isEmpty();
        assertThat(drawer.deleted).hasSize(1);
    }

    @Test
    void aPluginThatThrowsIsNamedAndTriedAgain() {
        drawer.defect = Optional.of(new IllegalStateException("the drawer is stuck"));
        apply(claim("data", "drawer"), pod("data", NO_NODE));
        assertThat(world.explain("pod/data")).contains("is Pending", "the drawer is stuck");
        drawer.defect = Optional.empty();
        world.advance(Duration.ofMinutes(3));
        assertThat(running("data")).isEmptyDirectory();
    }

    @Test
    void aSimulatedVolumeHasNoDirectory() {
        apply(claim("data", "simulated"), pod("data", NO_NODE));
        assertThat(world.explain("pod/data")).contains("is Running");
        assertThatThrownBy(() -> world.pathOf("data", "v")).hasMessageContaining("volume v of pod data is simulated");
    }

    @Test
    void whatCannotBeIsRefusedByName() {
        assertThatThrownBy(() -> world.strike(driver(HOST_PATH).operation("mkfs"), "refused", once()))
                .hasMessage("'mkfs' is a step of simulated storage, and volumes of " + HOST_PATH
                        + " are real: let stage or publish go wrong");
        assertThatThrownBy(() ->
                        MooringWorld.builder().plugins("example.com/shelf").start())
                .hasMessage("there is no plugin on the class path 'example.com/shelf'; there are: " + HOST_PATH + ", "
                        + LOCAL);
        assertThatThrownBy(() -> MooringWorld.builder()
                        .plugins(HOST_PATH, LOCAL)
                        .storageClasses("standard=" + LOCAL)
                        .start())
                .hasMessage("there is no plugin '" + LOCAL + "' that makes volumes; there are: " + HOST_PATH
                        + ", mooring.dev/sim, mooring.dev/sim-disk");
        assertThatThrownBy(() -> MooringWorld.builder()
                        .plugins(HOST_PATH)
                        .scenario(Path.of("begins.yaml"))
                        .start())
                .hasMessageContaining("the storage of a scenario is simulated");
        assertThatThrownBy(() -> world.pathOf("web", "v")).hasMessage("there is no pod 'web'; there are: none");
    }
}
