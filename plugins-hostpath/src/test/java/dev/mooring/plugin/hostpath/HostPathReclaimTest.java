// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.HostPathSource;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.VolumeTemplate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostPathReclaimTest {
    private HostPathNode node;
    private Path directory;
    private Path ledger;
    private Path trash;

    @BeforeEach
    void setUp() {
        node = new HostPathNode();
        directory = node.root.resolve("v/pvc-1");
        ledger = node.root.resolve("r/pvc-1.json");
        trash = node.root.resolve("t/pvc-1");
    }

    @AfterEach
    void tearDown() throws IOException {
        if (node != null) {
            node.close();
        }
    }

    private String delete(VolumeSpec volume) {
        return HostPathNode.answer(node.plugin.delete(node.context(), volume));
    }

    private String recycle(Path path) {
        return HostPathNode.answer(node.plugin.recycle(
                node.context(), HostPathNode.volume("pv", HostPathNode.source(path.toString(), ""))));
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    @DisplayName("H7 provisioning makes the directory, the ledger entry and the affinity")
    void h07_provisions() throws IOException {
        VolumeTemplate made = HostPathNode.value(node.provision(HostPathNode.request("pvc-1", Map.of())));

        assertThat(HostPathSource.of(made.source())).contains(new HostPathSource(directory.toString(), "Directory"));
        assertThat(made.nodeAffinity().orElseThrow().matches(Map.of("kubernetes.io/hostname", "node-1")))
                .isTrue();
        assertThat(mode(directory)).isEqualTo("rwxrwxrwx");
        assertThat(mode(ledger)).isEqualTo("rw-------");
        assertThat(Files.readString(ledger))
                .contains("READY")
                .contains("claim-uid")
                .contains("node-uid-1");
    }

    @Test
    @DisplayName("H7 with a gid the directory is the group's, otherwise as the class says")
    void h07_setsModeAndGroup() throws IOException {
        HostPathNode.value(node.provision(HostPathNode.request("pvc-1", Map.of("gid", "4711"))));
        HostPathNode.value(node.provision(HostPathNode.request("pvc-2", Map.of("mode", "0750"))));

        assertThat(mode(directory)).isEqualTo("rwxrwx---");
        assertThat(Files.getAttribute(directory, "unix:gid")).isEqualTo(4711);
        assertThat(mode(node.root.resolve("v/pvc-2"))).isEqualTo("rwxr-x---");
    }

    @Test
    void provisioningAgainIsTheSameVolume() throws IOException {
        VolumeTemplate first = HostPathNode.value(node.provision(HostPathNode.request("pvc-1", Map.of())));
        Files.writeString(directory.resolve("data"), "x");

        assertThat(HostPathNode.value(node.provision(HostPathNode.request("pvc-1", Map.of()))))
                .isEqualTo(first);
        assertThat(directory.resolve("data")).exists();
    }

    @Test
    @DisplayName("H7 another node than the chosen one does not provision")
    void h07_provisionsOnlyOnItsNode() {
        node.becomes(new NodeRef("node-2", "node-uid-2"));

        assertThat(HostPathNode.answer(node.provision(HostPathNode.request("pvc-1", Map.of()))))
                .isEqualTo("INVALID");
        assertThat(directory).doesNotExist();
    }

    @Test
    @DisplayName("H7 a root that others can write or that is a link is refused")
    void h07_distrustsItsRoot() throws IOException {
        Files.setPosixFilePermissions(node.root, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThat(HostPathNode.answer(node.provision(HostPathNode.request("pvc-1", Map.of()))))
                .isEqualTo("DENIED");

        Files.delete(node.root);
        Files.createSymbolicLink(node.root, node.directory("elsewhere"));
        assertThat(HostPathNode.answer(node.provision(HostPathNode.request("pvc-1", Map.of()))))
                .isEqualTo("INCOMPATIBLE");

        Files.delete(node.root);
        assertThat(HostPathNode.answer(node.provision(HostPathNode.request("pvc-1", Map.of()))))
                .isEqualTo("NOT_FOUND");
    }

    @Test
    @DisplayName("H8 deleting removes directory, content and entry, and may be repeated")
    void h08_deletesWhatItMade() throws IOException {
        VolumeSpec volume = node.provisioned("pvc-1");
        Path precious = node.file("precious", "x");
        Files.createSymbolicLink(directory.resolve("link"), precious);
        Files.createDirectories(directory.resolve("a/b/c"));

        assertThat(delete(volume)).isEqualTo("done");
        assertThat(delete(volume)).isEqualTo("done");

        assertThat(directory).doesNotExist();
        assertThat(trash).doesNotExist();
        assertThat(ledger).doesNotExist();
        assertThat(precious).exists();
    }

    @ParameterizedTest(name = "H8 {0}")
    @ValueSource(strings = {"/data/tmp/x", "/tmp/hostpath_pv/x", "/etc", "/"})
    @DisplayName("H9 a volume that was written by hand is not deleted")
    void h09_refusesStaticVolumes(String path) {
        assertThat(delete(HostPathNode.volume("pvc-1", HostPathNode.source(path, ""))))
                .isEqualTo("DENIED");
    }

    @Test
    @DisplayName("H9 a path below the root without an entry, or with another's entry, is not deleted")
    void h09_refusesWithoutProof() throws IOException {
        VolumeSpec volume = node.provisioned("pvc-1");
        Files.createDirectory(node.root.resolve("v/pvc-2"));

        assertThat(delete(HostPathNode.volume(
                        "pvc-2",
                        HostPathNode.source(node.root.resolve("v/pvc-2").toString(), ""))))
                .isEqualTo("DENIED");
        assertThat(delete(HostPathNode.volume("pvc-2", volume.source()))).isEqualTo("DENIED");
        assertThat(delete(HostPathNode.volume(
                        "v", HostPathNode.source(node.root.resolve("v").toString(), ""))))
                .isEqualTo("DENIED");
        assertThat(directory).exists();
        assertThat(node.root.resolve("v/pvc-2")).exists();
    }

    @Test
    @DisplayName("H8 a directory that was replaced by another one is not deleted")
    void h08_refusesReplacedDirectories() throws IOException {
        VolumeSpec volume = node.provisioned("pvc-1");
        Files.move(directory, node.base.resolve("original"));
        Files.createDirectory(directory);
        Files.writeString(directory.resolve("data"), "x");

        assertThat(delete(volume)).isEqualTo("CORRUPT");
        assertThat(directory.resolve("data")).exists();
    }

    @Test
    @DisplayName("H8 a directory that was replaced by a link or covered by a mount is not deleted")
    void h08_refusesLinksAndMounts() throws IOException {
        VolumeSpec volume = node.provisioned("pvc-1");
        Files.delete(directory);
        Path other = node.file("other/data", "x").getParent();
        Files.createSymbolicLink(directory, other);
        assertThat(delete(volume)).isEqualTo("INCOMPATIBLE");

        Files.delete(directory);
        Files.createDirectory(directory);
        HostPathNode.tool("mount", "--bind", other.toString(), directory.toString());
        assertThat(delete(volume)).isEqualTo("IN_USE");
        assertThat(other.resolve("data")).exists();
    }

    @Test
    @DisplayName("H8 another node's directory and an unreadable entry are not deleted")
    void h08_refusesOtherNodesAndDamage() throws IOException {
        VolumeSpec volume = node.provisioned("pvc-1");
        node.becomes(new NodeRef("node-1", "node-uid-new"));
        assertThat(delete(volume)).isEqualTo("DENIED");

        node.becomes(HostPathNode.HERE);
        Files.writeString(ledger, "{\"state\":\"REA");
        assertThat(delete(volume)).isEqualTo("CORRUPT");
        assertThat(directory).exists();
    }

    @Test
    @DisplayName("H8 a volume that a pod still has is not deleted")
    void h08_refusesWhileInUse() throws IOException {
        VolumeSpec volume = node.provisioned("pvc-1");
        HostPathNode.value(node.publish(volume, false));

        assertThat(delete(volume)).isEqualTo("IN_USE");
        assertThat(directory).exists();
    }

    @Test
    @DisplayName("H11 a crash while provisioning: the next attempt goes on")
    void h11_continuesProvisioning() throws IOException {
        ProvisionRequest request = HostPathNode.request("pvc-1", Map.of("gid", "4711"));
        HostPathNode.value(node.provision(request));
        String ready = Files.readString(ledger);
        String creating = ready.replace("READY", "CREATING").replaceAll(",\"identity\":\"[^\"]*\"", "");

        // after the entry was written
        Files.writeString(ledger, creating);
        Files.delete(directory);
        HostPathNode.value(node.provision(request));
        // after the directory was made, before its mode was set
        Files.writeString(ledger, creating);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        HostPathNode.value(node.provision(request));
        assertThat(mode(directory)).isEqualTo("rwxrwx---");

        // a program wrote into it before it was ready: it is unknown whose the data is
        Files.writeString(ledger, creating);
        Files.writeString(directory.resolve("data"), "x");
        assertThat(node.provision(request).isDone()).isFalse();
        assertThat(directory.resolve("data")).exists();
    }

    @Test
    @DisplayName("H11 a crash while deleting: the next attempt goes on")
    void h11_continuesDeleting() throws IOException {
        // after the move, before the entry says so
        VolumeSpec volume = node.provisioned("pvc-1");
        Files.writeString(directory.resolve("data"), "x");
        Files.move(directory, trash);
        assertThat(delete(volume)).isEqualTo("done");
        assertThat(trash).doesNotExist();
        assertThat(ledger).doesNotExist();

        // in the middle of emptying
        node.provisioned("pvc-1");
        Files.writeString(directory.resolve("data"), "x");
        Files.move(directory, trash);
        Files.writeString(ledger, Files.readString(ledger).replace("READY", "TRASHED"));
        assertThat(HostPathNode.answer(node.provision(HostPathNode.request("pvc-1", Map.of()))))
                .isEqualTo("IN_USE");
        assertThat(delete(volume)).isEqualTo("done");
        assertThat(trash).doesNotExist();

        // before the entry was removed
        node.provisioned("pvc-1");
        Files.writeString(ledger, Files.readString(ledger).replace("READY", "TRASHED"));
        Files.delete(directory);
        assertThat(delete(volume)).isEqualTo("done");
        assertThat(ledger).doesNotExist();
    }

    /** Space is free again only when the directory is empty. */
    @Test
    void aVolumeOnAFullDiskIsDeletedAtOnce() throws IOException {
        VolumeSpec volume = node.provisioned("pvc-1");
        Files.writeString(directory.resolve("data"), "x");
        FaultyHost full = new FaultyHost(
                node.host,
                call -> call.equals("PinnedPath.writeFile")
                        ? Optional.of(Outcome.refused(Refusal.EXHAUSTED, "no space left"))
                        : Optional.empty());

        assertThat(HostPathNode.answer(node.plugin.delete(node.context(full.services()), volume)))
                .isEqualTo("done");

        assertThat(directory).doesNotExist();
        assertThat(trash).doesNotExist();
        assertThat(ledger).doesNotExist();
    }

    /** Runs a call again and again, ended before its n-th action on the host, then once undisturbed. */
    private int crashingEverywhere(Consumer<OperationContext> call, Runnable after) {
        for (int last = 0; ; last++) {
            int end = last;
            AtomicInteger actions = new AtomicInteger();
            FaultyHost host = new FaultyHost(node.host, name -> {
                if (actions.getAndIncrement() == end) {
                    throw new FaultyHost.Crash();
                }
                return Optional.empty();
            });
            try {
                call.accept(node.context(host.services()));
                return last;
            } catch (FaultyHost.Crash crash) {
                call.accept(node.context());
                after.run();
            }
        }
    }

    @Test
    @DisplayName(
            "H11 a crash before any action of provisioning and deleting: repeated, both end as if nothing had happened")
    void h11_survivesACrashAtEveryStep() {
        ProvisionRequest request = HostPathNode.request("pvc-1", Map.of("gid", "4711"));
        VolumeTemplate plan = HostPathNode.value(node.plugin.plan(request));
        VolumeSpec volume = HostPathNode.volume("pvc-1", HostPathNode.source(directory.toString(), "Directory"));

        int making =
                crashingEverywhere(context -> HostPathNode.value(node.plugin.provision(context, request, plan)), () -> {
                    assertThat(directory).isEmptyDirectory();
                    assertThat(ledger).content().contains("READY");
                    assertThat(delete(volume)).isEqualTo("done");
                });
        assertThat(delete(volume)).isEqualTo("done");
        int deleting = crashingEverywhere(
                context -> {
                    if (Files.notExists(directory) && Files.notExists(trash) && Files.notExists(ledger)) {
                        HostPathNode.value(node.plugin.provision(node.context(), request, plan));
                        node.file("state/hostpath/v/pvc-1/a/data", "x");
                    }
                    HostPathNode.value(node.plugin.delete(context, volume));
                },
                () -> {
                    assertThat(directory).doesNotExist();
                    assertThat(trash).doesNotExist();
                    assertThat(ledger).doesNotExist();
                });

        assertThat(making).isGreaterThan(8);
        assertThat(deleting).isGreaterThan(8);
    }

    @Test
    @DisplayName("H10 recycling empties the directory and keeps it")
    void h10_recycles() throws IOException {
        Path data = node.file("data/a/b", "x").getParent().getParent();
        Path precious = node.file("precious", "x");
        Files.createSymbolicLink(data.resolve("link"), precious);

        assertThat(recycle(data)).isEqualTo("done");

        assertThat(data).isEmptyDirectory();
        assertThat(precious).exists();
    }

    @ParameterizedTest(name = "H10 {0} is never emptied")
    @ValueSource(
            strings = {
                "/",
                "/etc",
                "/etc/x",
                "/usr/local",
                "/var",
                "/var/lib",
                "/home",
                "/tmp",
                "/proc",
                "/dev/shm",
                "/root",
                "/mnt"
            })
    void h10_neverEmptiesTheSystem(String path) {
        // on a host that can touch nothing, so that a mistake in the rule costs no more than this test
        VolumeSpec volume = HostPathNode.volume("pv", HostPathNode.source(path, ""));

        assertThat(HostPathNode.answer(node.plugin.recycle(node.harmlessContext(), volume)))
                .isEqualTo("DENIED");
    }

    @Test
    @DisplayName("H10 neither the host's directories nor what contains them is emptied")
    void h10_neverEmptiesTheHost() {
        assertThat(recycle(node.root)).isEqualTo("DENIED");
        assertThat(recycle(node.root.resolve("r"))).isEqualTo("DENIED");
        assertThat(recycle(node.base)).isEqualTo("DENIED");
        assertThat(node.root).exists();
    }

    @Test
    @DisplayName("H10 no directory with a mount in it, that is mounted elsewhere, or that is reached by a link")
    void h10_refusesWhatIsUsed() throws IOException {
        Path data = node.file("data/file", "x").getParent();
        Path link = Files.createSymbolicLink(node.base.resolve("link"), data);
        assertThat(recycle(link)).isEqualTo("INCOMPATIBLE");

        Path inner = node.directory("data/inner");
        HostPathNode.tool("mount", "-t", "tmpfs", "inner", inner.toString());
        assertThat(recycle(data)).isEqualTo("IN_USE");
        HostPathNode.tool("umount", inner.toString());

        HostPathNode.value(node.publish(inner, "Directory", false));
        assertThat(recycle(data)).isEqualTo("IN_USE");
        assertThat(data.resolve("file")).exists();
    }

    @Test
    @DisplayName("H10 a path that is absent or no directory is refused")
    void h10_refusesWhatIsNoDirectory() {
        Path file = node.file("data/file", "x");

        assertThat(recycle(file)).isEqualTo("INCOMPATIBLE");
        assertThat(recycle(node.base.resolve("absent"))).isEqualTo("NOT_FOUND");
        assertThat(file).exists();
    }
}
