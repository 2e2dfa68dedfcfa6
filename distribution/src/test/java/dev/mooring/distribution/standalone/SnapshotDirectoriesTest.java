// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.storage.spi.host.HostFeature;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code mooring standalone}, as it is without any setting, makes snapshots of the directories of claims, and claims from them. */
@Tag("long")
class SnapshotDirectoriesTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    @BeforeEach
    void thisMachineMakesDirectories() {
        Optional<LinuxHost> here = LinuxHost.ofThisMachine(LinuxHostLayout.below(Path.of("/nowhere")));
        assumeTrue(here.isPresent(), "needs Linux on x86_64 or aarch64");
        for (HostFeature feature : List.of(HostFeature.ROOT, HostFeature.RESOLVE_RULES)) {
            assumeTrue(
                    here.orElseThrow().capabilities().has(feature),
                    () -> feature + ": "
                            + here.orElseThrow()
                                    .capabilities()
                                    .whyMissing(feature)
                                    .orElse(""));
        }
    }

    private static final String CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";
    private static final String GROUP = "/apis/snapshot.storage.k8s.io/v1";
    private static final String SNAPSHOTS = GROUP + "/namespaces/default/volumesnapshots";
    private static final String CONTENTS = GROUP + "/volumesnapshotcontents";

    private ProgramClient client;
    private Path made;

    @Test
    void aSnapshotIsTakenRestoredKeptAndFoundAgain() throws Exception {
        Path data = directory.resolve("data");
        try (ServerProcess server = ServerProcess.start(data, directory.resolve("log"))) {
            assertThat(server.isServing()).isTrue();
            client = new ProgramClient(data.resolve("kubeconfig"));
            made = data.toRealPath().resolve("hostpath");
            client.json(
                    "POST",
                    "/apis/storage.k8s.io/v1/storageclasses",
                    "{\"metadata\":{\"name\":\"directories\"},\"provisioner\":\"kubernetes.io/host-path\"}");
            claim("data", "");
            Files.writeString(volume("data").resolve("file"), "monday");
            snapshotClass("deleted", "Delete");
            snapshotClass("retained", "Retain");
            snapshot("monday", "deleted", "\"persistentVolumeClaimName\":\"data\"");
            snapshot("kept", "retained", "\"persistentVolumeClaimName\":\"data\"");
            Files.writeString(volume("data").resolve("file"), "tuesday");

            claim("restored", from("monday"));
            assertThat(volume("restored").resolve("file")).hasContent("monday");
            assertThat(snapshots()).hasSize(2);

            delete(SNAPSHOTS + "/monday");
            assertThat(snapshots()).hasSize(1);
            String content = client.get(SNAPSHOTS + "/kept").text("status", "boundVolumeSnapshotContentName");
            String handle = client.get(CONTENTS + "/" + content).text("status", "snapshotHandle");
            delete(SNAPSHOTS + "/kept");
            delete(CLAIMS + "/data");
            delete(CONTENTS + "/" + content);
            assertThat(snapshots()).as("what is retained").hasSize(1);

            existing(handle);
            snapshot("found", "deleted", "\"volumeSnapshotContentName\":\"by-hand\"");
            claim("again", from("found"));
            assertThat(volume("again").resolve("file")).hasContent("monday");
            delete(SNAPSHOTS + "/found");
            assertThat(snapshots()).isEmpty();
            assertThat(volume("again").resolve("file")).hasContent("monday");
        }
    }

    private static String from(String snapshot) {
        return ",\"dataSource\":{\"apiGroup\":\"snapshot.storage.k8s.io\",\"kind\":\"VolumeSnapshot\",\"name\":\""
                + snapshot + "\"}";
    }

    private void claim(String name, String source) throws Exception {
        client.json("POST", CLAIMS, """
                {"metadata":{"name":"%s"},"spec":{"storageClassName":"directories","accessModes":["ReadWriteOnce"],
                 "resources":{"requests":{"storage":"1Mi"}}%s}}""".formatted(name, source));
        while (!client.get(CLAIMS + "/" + name).text("status", "phase").equals("Bound")) {
            Thread.sleep(50);
        }
    }

    private Path volume(String claim) throws Exception {
        return made.resolve("v").resolve(client.get(CLAIMS + "/" + claim).text("spec", "volumeName"));
    }

    private List<Path> snapshots() throws Exception {
        try (Stream<Path> all = Files.list(made.resolve("s/v"))) {
            return all.toList();
        }
    }

    private void snapshotClass(String name, String policy) throws Exception {
        client.json("POST", GROUP + "/volumesnapshotclasses", """
                {"apiVersion":"snapshot.storage.k8s.io/v1","kind":"VolumeSnapshotClass","metadata":{"name":"%s"},
                 "driver":"kubernetes.io/host-path","deletionPolicy":"%s"}""".formatted(name, policy));
    }

    private void snapshot(String name, String snapshotClass, String source) throws Exception {
        client.json("POST", SNAPSHOTS, """
                {"apiVersion":"snapshot.storage.k8s.io/v1","kind":"VolumeSnapshot","metadata":{"name":"%s"},
                 "spec":{"volumeSnapshotClassName":"%s","source":{%s}}}""".formatted(name, snapshotClass, source));
        while (!client.get(SNAPSHOTS + "/" + name)
                .body()
                .at("status", "readyToUse")
                .equals(Optional.of(true))) {
            Thread.sleep(50);
        }
    }

    private void existing(String handle) throws Exception {
        client.json("POST", CONTENTS, """
                {"apiVersion":"snapshot.storage.k8s.io/v1","kind":"VolumeSnapshotContent","metadata":{"name":"by-hand"},
                 "spec":{"driver":"kubernetes.io/host-path","deletionPolicy":"Delete","source":{"snapshotHandle":"%s"},
                 "volumeSnapshotRef":{"namespace":"default","name":"found"}}}""".formatted(handle));
    }

    private void delete(String path) throws Exception {
        client.json("DELETE", path, "");
        while (client.get(path).status() != 404) {
            Thread.sleep(50);
        }
    }
}
