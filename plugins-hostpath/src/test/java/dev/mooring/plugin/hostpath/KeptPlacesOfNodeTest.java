// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.VolumeSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What another process of Mooring keeps on this machine is neither shown nor emptied, and a made directory is one volume's. */
class KeptPlacesOfNodeTest {
    private static final PodRef STRANGER = new PodRef("other", "pod", "pod-uid-2");

    private HostPathNode node;
    private Path data;
    private Path key;

    @BeforeEach
    void setUp() {
        node = new HostPathNode();
        data = node.base.resolve("server/data");
        key = node.file("server/data/access/token", "x");
        HostPathNode.value(node.places.keep("mooring standalone", Map.of(data, "objects, records and keys")));
    }

    @AfterEach
    void tearDown() throws IOException {
        if (node != null) {
            node.places.close();
            node.close();
        }
    }

    private static VolumeSpec inline(Path path, String type) {
        return VolumeSpec.inline("data", "other", HostPathNode.source(path.toString(), type));
    }

    private Outcome<PluginState> publish(VolumeSpec volume, boolean readOnly, boolean bidirectional) {
        return node.plugin.publish(
                node.context(),
                new PublishRequest(
                                volume,
                                STRANGER,
                                node.target(),
                                Optional.empty(),
                                readOnly,
                                PublishRequest.Occasion.INITIAL)
                        .withBidirectional(bidirectional));
    }

    private void refused(Path path) {
        for (boolean readOnly : List.of(true, false)) {
            assertThat(publish(inline(path, ""), readOnly, false).message())
                    .as("%s inline, read-only %s", path, readOnly)
                    .contains("hostPath.path of the pod's volume data: ")
                    .contains("of mooring standalone (process "
                            + ProcessHandle.current().pid() + ")")
                    .contains("Choose another path");
            assertThat(publish(HostPathNode.volume("pv", HostPathNode.source(path.toString(), "")), readOnly, false)
                            .message())
                    .as("%s of a PersistentVolume", path)
                    .contains("spec.hostPath.path of PersistentVolume pv: ");
        }
        assertThat(HostPathNode.answer(publish(inline(path, ""), false, true))).isEqualTo("DENIED");
        assertThat(node.mounts()).noneMatch(mount -> mount.mountPoint().equals(node.target()));
    }

    private String recycle(Path path) {
        return HostPathNode.answer(node.plugin.recycle(
                node.context(), HostPathNode.volume("pv", HostPathNode.source(path.toString(), ""))));
    }

    @Test
    void noVolumeShowsAPlaceOrWhatLiesInIt() {
        refused(data);
        refused(data.resolve("access"));
        refused(key);
    }

    @Test
    void noVolumeShowsItThroughALink() throws IOException {
        Path link = Files.createSymbolicLink(node.base.resolve("link"), data.resolve("access"));
        Path second = Files.createSymbolicLink(node.directory("deep").resolve("second"), Path.of("../link"));

        refused(link);
        refused(link.resolve("token"));
        refused(second.resolve("token"));
    }

    @Test
    void noVolumeShowsItThroughABindMountOfItOrOfAPart() {
        Path whole = node.directory("whole");
        Path part = node.directory("part");
        HostPathNode.tool("mount", "--bind", data.toString(), whole.toString());
        HostPathNode.tool("mount", "--bind", data.resolve("access").toString(), part.toString());

        refused(whole);
        refused(part);
        refused(part.resolve("token"));
    }

    @Test
    void nothingIsMadeInAPlaceOrInstead() {
        Path later = node.base.resolve("server/later");
        HostPathNode.value(node.places.keep("mooring standalone", Map.of(later, "backups")));

        for (Path path : List.of(data.resolve("new/deep"), later, later.resolve("deep"))) {
            assertThat(HostPathNode.answer(publish(inline(path, "DirectoryOrCreate"), false, false)))
                    .as(path.toString())
                    .isEqualTo("DENIED");
        }
        assertThat(HostPathNode.answer(publish(inline(later, "FileOrCreate"), false, false)))
                .isEqualTo("DENIED");
        assertThat(data.resolve("new")).doesNotExist();
        assertThat(later).doesNotExist();
        assertThat(HostPathNode.answer(
                        publish(inline(later.resolveSibling("other"), "DirectoryOrCreate"), false, false)))
                .isEqualTo("done");
    }

    @Test
    void whatContainsAPlaceIsShownButNotGivenAsItIs() {
        Path above = node.base.resolve("server");

        assertThat(HostPathNode.answer(publish(inline(above, ""), false, true))).isEqualTo("DENIED");
        assertThat(HostPathNode.answer(publish(inline(above, ""), false, false)))
                .isEqualTo("done");
    }

    @Test
    void noPlaceAndNothingInOrAboveItIsRecycled() throws IOException {
        Path link = Files.createSymbolicLink(node.base.resolve("link"), data);

        for (Path path : List.of(data, data.resolve("access"), data.getParent(), node.base)) {
            assertThat(recycle(path)).as(path.toString()).isEqualTo("DENIED");
        }
        assertThat(recycle(link)).isEqualTo("INCOMPATIBLE");

        Path bound = node.directory("bound");
        HostPathNode.tool("mount", "--bind", data.resolve("access").toString(), bound.toString());
        for (Path path : List.of(data, data.resolve("access"), bound)) {
            assertThat(recycle(path)).as(path.toString()).isNotEqualTo("done");
        }
        assertThat(key).exists();
    }

    @Test
    void theMountsOfPodsAreShownButNotRecycled() {
        Path pods = node.file("server/data/kubelet/pods/uid/file", "x").getParent();
        HostPathNode.value(
                node.places.keepVisible("mooring standalone", Map.of(data.resolve("kubelet"), "the volumes of pods")));

        assertThat(recycle(pods)).isEqualTo("DENIED");
        assertThat(pods.resolve("file")).exists();
        assertThat(HostPathNode.answer(publish(inline(pods, ""), true, false))).isEqualTo("done");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/proc/self",
                "/proc/self/environ",
                "/proc/self/root",
                "/proc/self/root/srv",
                "/proc/self/cwd",
                "/proc/thread-self",
                "/proc/thread-self/root",
                "/proc/self/fd",
                "/proc/self/ns/mnt",
                "/dev/fd",
                "/dev/fd/0",
                "/dev/stdin",
                "/proc/PID/root/etc",
                "/proc/PID/maps",
                "/proc/mounts",
            })
    void noVolumeLeadsThroughThisProcess(String path) {
        Path real = Path.of(
                path.replace("PID", Long.toString(ProcessHandle.current().pid())));
        Outcome<PluginState> outcome = publish(inline(real, ""), true, false);

        assertThat(HostPathNode.answer(outcome)).isEqualTo("DENIED");
        assertThat(outcome.message()).contains("is of Mooring's own process");
        assertThat(recycle(real)).isEqualTo("DENIED");
    }

    @Test
    void noVolumeShowsThisProcessThroughAnotherMountOfProc() {
        Path proc = node.directory("proc");
        HostPathNode.tool("mount", "-t", "proc", "proc", proc.toString());

        for (String path : List.of(
                "self/environ",
                "self/fd",
                "thread-self",
                ProcessHandle.current().pid() + "/maps")) {
            assertThat(publish(inline(proc.resolve(path), ""), true, false).message())
                    .as(path)
                    .contains("is of Mooring's own process");
        }
    }

    @Test
    void noLinkLeadsThroughThisProcess() throws IOException {
        Path link = Files.createSymbolicLink(node.base.resolve("link"), Path.of("/proc/self/root"));

        assertThat(publish(inline(link.resolve("etc"), ""), true, false).message())
                .contains("is of Mooring's own process");
    }

    @Test
    void theFilesOfTheKernelAndOfOtherProcessesAreShownAsBefore() {
        assertThat(HostPathNode.answer(publish(inline(Path.of("/proc"), ""), true, false)))
                .isEqualTo("done");
    }

    // ---- directories that were made for claims ----

    private static VolumeSpec named(String name, String uid, VolumeSpec volume) {
        return new VolumeSpec(
                name,
                uid,
                volume.source(),
                List.of(),
                VolumeMode.FILESYSTEM,
                Quantity.parse("1Gi"),
                List.of(),
                Map.of());
    }

    @Test
    void aDirectoryThatWasMadeIsShownForTheVeryVolumeAlone() {
        node.set(Map.of("allow", "/srv"));
        VolumeSpec volume = node.provisioned("pvc-1");
        Path path = node.root.resolve("v/pvc-1");

        assertThat(publish(inline(path, ""), false, false).message())
                .contains("hostPath.path of the pod's volume data: ")
                .contains(path + " was made for another PersistentVolume")
                .contains("kubernetes.io/host-path:allow");
        assertThat(HostPathNode.answer(publish(inline(path, ""), true, false))).isEqualTo("DENIED");
        assertThat(HostPathNode.answer(publish(inline(path.resolve("sub"), "DirectoryOrCreate"), false, false)))
                .isEqualTo("DENIED");
        assertThat(HostPathNode.answer(publish(named("mine", "uid-2", volume), false, false)))
                .isEqualTo("DENIED");
        assertThat(HostPathNode.answer(publish(volume, false, false))).isEqualTo("done");
    }

    @Test
    void withoutListsTooItIsTheVolumesAlone() throws IOException {
        VolumeSpec volume = node.provisioned("pvc-1");
        Path path = node.root.resolve("v/pvc-1");
        Path link = Files.createSymbolicLink(node.base.resolve("link"), path);
        Path bound = node.directory("bound");
        HostPathNode.tool("mount", "--bind", path.toString(), bound.toString());

        for (Path way : List.of(path, link, bound)) {
            assertThat(HostPathNode.answer(publish(inline(way, ""), true, false)))
                    .as(way.toString())
                    .isEqualTo("DENIED");
        }
        assertThat(HostPathNode.answer(publish(volume, false, false))).isEqualTo("done");
    }

    @Test
    void aLaterVolumeOfTheSameNameIsAnother() {
        VolumeSpec volume = node.provisioned("pvc-1");
        VolumeSpec later = named("pvc-1", "uid-2", volume);
        PluginState state = HostPathNode.value(publish(volume, false, false));
        HostPathNode.value(node.unpublish(node.root.resolve("v/pvc-1"), state));

        assertThat(HostPathNode.answer(publish(later, false, false))).isEqualTo("DENIED");
        assertThat(HostPathNode.answer(node.plugin.recycle(node.context(), later)))
                .isEqualTo("DENIED");
        assertThat(HostPathNode.answer(node.plugin.delete(node.context(), later)))
                .isEqualTo("DENIED");
        assertThat(HostPathNode.answer(publish(volume, false, false))).isEqualTo("done");
    }

    @Test
    void theOperatorMayGiveItAwayByName() {
        node.provisioned("pvc-1");
        node.provisioned("pvc-2");
        node.set(Map.of("allow", "/srv," + node.root.resolve("v/pvc-1")));

        assertThat(HostPathNode.answer(publish(inline(node.root.resolve("v/pvc-2"), ""), false, false)))
                .isEqualTo("DENIED");
        assertThat(HostPathNode.answer(publish(inline(node.root.resolve("v/pvc-1"), ""), false, false)))
                .isEqualTo("done");
        node.set(Map.of("allow", node.base.toString()));
        assertThat(HostPathNode.answer(publish(inline(node.root.resolve("v/pvc-2"), ""), true, false)))
                .isEqualTo("DENIED");
    }

    @Test
    void onlyTheVeryVolumeRecyclesItsDirectory() throws IOException {
        VolumeSpec volume = node.provisioned("pvc-1");
        Path file = Files.writeString(node.root.resolve("v/pvc-1/file"), "x");

        assertThat(recycle(file.getParent())).isEqualTo("DENIED");
        assertThat(file).exists();
        assertThat(HostPathNode.answer(node.plugin.recycle(node.context(), volume)))
                .isEqualTo("done");
        assertThat(file).doesNotExist();
    }
}
