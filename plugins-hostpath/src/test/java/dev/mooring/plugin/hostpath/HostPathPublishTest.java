// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PublishRequest;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostPathPublishTest {
    private static final int ATTACK_ROUNDS = 500;
    private static final List<String> KINDS = List.of("absent", "file", "directory", "socket", "character", "block");

    private HostPathNode node;

    @BeforeEach
    void setUp() {
        node = new HostPathNode();
    }

    @AfterEach
    void tearDown() throws IOException {
        if (node != null) {
            node.close();
        }
    }

    /** What each type finds acceptable, besides what it makes. */
    static Stream<Arguments> matrix() {
        return Stream.of(PathType.values())
                .flatMap(type -> KINDS.stream()
                        .flatMap(kind ->
                                Stream.of(arguments(type.text(), kind, false), arguments(type.text(), kind, true))));
    }

    private static String expected(String type, String kind) {
        boolean good = switch (type) {
            case "" -> !kind.equals("absent");
            case "DirectoryOrCreate" -> kind.equals("directory") || kind.equals("absent");
            case "Directory" -> kind.equals("directory");
            case "FileOrCreate" -> kind.equals("file") || kind.equals("absent");
            case "File" -> kind.equals("file");
            case "Socket" -> kind.equals("socket");
            case "CharDevice" -> kind.equals("character");
            default -> kind.equals("block");
        };
        return good ? "done" : kind.equals("absent") ? "NOT_FOUND" : "INCOMPATIBLE";
    }

    private Path make(String kind) throws IOException {
        Path path = node.base.resolve("object");
        switch (kind) {
            case "file" -> Files.writeString(path, "x");
            case "directory" -> Files.createDirectory(path);
            case "socket" -> {
                try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
                    socket.bind(UnixDomainSocketAddress.of(path));
                }
            }
            case "character" -> HostPathNode.tool("mknod", path.toString(), "c", "1", "3");
            case "block" -> HostPathNode.tool("mknod", path.toString(), "b", "7", "250");
            default -> assertThat(path).doesNotExist();
        }
        return path;
    }

    @ParameterizedTest(name = "H1 type ''{0}'' finds {1}, by a link: {2}")
    @MethodSource("matrix")
    void h01_checksTypes(String type, String kind, boolean byLink) throws IOException {
        Path object = make(kind);
        Path path = byLink ? Files.createSymbolicLink(node.base.resolve("link"), object) : object;

        Outcome<PluginState> outcome = node.publish(path, type, false);

        boolean dangling = byLink && kind.equals("absent");
        boolean creating = type.endsWith("OrCreate");
        assertThat(HostPathNode.answer(outcome))
                .isEqualTo(dangling && creating ? "INCOMPATIBLE" : dangling ? "NOT_FOUND" : expected(type, kind));
        assertThat(node.mounts()).hasSize(outcome.isDone() ? 1 : 0);
        if (outcome.isDone()) {
            assertThat(HostPathNode.answer(node.unpublish(path, outcome.result().orElseThrow())))
                    .isEqualTo("done");
            assertThat(Files.exists(object)).isTrue();
        }
        assertThat(node.target()).doesNotExist();
    }

    @Test
    @DisplayName("H1 what cannot be looked at is never taken for absent, so nothing is made")
    void h01_neverTakesDenialForAbsence() {
        Path path = node.base.resolve("object");
        FaultyHost blind = new FaultyHost(
                node.host,
                call -> call.equals("HostFiles.open")
                        ? Optional.of(Outcome.deferred("permission denied"))
                        : Optional.empty());

        for (String type : List.of("", "DirectoryOrCreate", "FileOrCreate", "Directory")) {
            assertThat(HostPathNode.answer(
                            node.plugin.publish(node.context(blind.services()), request(node, path, type, false))))
                    .isEqualTo("deferred");
        }
        assertThat(path).doesNotExist();
    }

    private static PublishRequest request(HostPathNode node, Path path, String type, boolean readOnly) {
        return new PublishRequest(
                HostPathNode.volume("vol", HostPathNode.source(path.toString(), type)),
                HostPathNode.POD,
                node.target(),
                Optional.empty(),
                readOnly,
                PublishRequest.Occasion.INITIAL);
    }

    @Test
    @DisplayName("H2 an attacker who swaps a link never gets another inode shown than was checked")
    void h02_survivesSwappingAttackers() throws Exception {
        Path good = node.directory("good");
        Files.writeString(good.resolve("mark"), "good");
        Path secret = node.file("secret", "secret");
        Path attacked = node.base.resolve("attacked");
        Files.createSymbolicLink(attacked, good);
        AtomicBoolean stop = new AtomicBoolean();
        Thread attacker = new Thread(() -> swap(attacked, good, secret, stop));
        attacker.start();
        int shown = 0;
        try {
            for (int round = 0; round < ATTACK_ROUNDS; round++) {
                Outcome<PluginState> outcome = node.publish(attacked, "Directory", false);
                if (outcome.isDone()) {
                    shown++;
                    assertThat(node.target().resolve("mark"))
                            .as("round " + round)
                            .hasContent("good");
                    HostPathNode.value(node.unpublish(attacked, outcome.result().orElseThrow()));
                } else {
                    assertThat(HostPathNode.answer(outcome)).isIn("INCOMPATIBLE", "NOT_FOUND");
                    assertThat(node.mounts()).isEmpty();
                }
            }
        } finally {
            stop.set(true);
            attacker.join();
        }
        assertThat(shown).isPositive();
        assertThat(secret).hasContent("secret");
    }

    private static void swap(Path attacked, Path good, Path secret, AtomicBoolean stop) {
        Path next = attacked.resolveSibling("next");
        boolean turn = false;
        while (!stop.get()) {
            try {
                Files.createSymbolicLink(next, turn ? good : secret);
                Files.move(next, attacked, StandardCopyOption.ATOMIC_MOVE);
                turn = !turn;
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Test
    @DisplayName("H3 what an OrCreate type makes has mode 0755 or 0644, and stays")
    void h03_makesWithExactModes() throws IOException {
        Path directory = node.base.resolve("new/deep/directory");
        PluginState state = HostPathNode.value(node.publish(directory, "DirectoryOrCreate", false));
        HostPathNode.value(node.unpublish(directory, state));
        Path file = node.base.resolve("new/file");
        HostPathNode.value(node.unpublish(file, HostPathNode.value(node.publish(file, "FileOrCreate", false))));

        assertThat(mode(directory)).isEqualTo("rwxr-xr-x");
        assertThat(mode(directory.getParent())).isEqualTo("rwxr-xr-x");
        assertThat(mode(file)).isEqualTo("rw-r--r--");
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    @DisplayName("H4 relative paths and '..' are refused at publish too")
    void h04_refusesPathsAtPublishToo() {
        assertThat(HostPathNode.answer(node.publish(Path.of("relative"), "", false)))
                .isEqualTo("INVALID");
        assertThat(HostPathNode.answer(node.publish(Path.of("/tmp/../etc"), "", false)))
                .isEqualTo("INVALID");
    }

    @Test
    @DisplayName("H5 a pinned tree follows later mounts, and taking it away unmounts nothing on the host")
    void h05_followsTheHostAndLeavesItsMounts() throws IOException {
        Path shared = node.directory("shared");
        HostPathNode.tool("mount", "-t", "tmpfs", "host", shared.toString());
        HostPathNode.tool("mount", "--make-shared", shared.toString());
        Path late = Files.createDirectories(shared.resolve("late"));
        PluginState state = HostPathNode.value(node.publish(shared, "Directory", false));

        HostPathNode.tool("mount", "-t", "tmpfs", "late", late.toString());
        Files.writeString(late.resolve("inside"), "x");
        assertThat(node.target().resolve("late/inside")).exists();
        HostPathNode.value(node.unpublish(shared, state));

        assertThat(late.resolve("inside")).exists();
        assertThat(node.mounts()).hasSize(2);
        assertThat(node.target()).doesNotExist();
    }

    @Test
    @DisplayName("H6 with a Bidirectional container the path itself is used after the check, and nothing is mounted")
    void h06_leavesThePathToBidirectionalPods() throws IOException {
        Path path = node.file("data/file", "x").getParent();
        PublishRequest request = request(node, path, "Directory", false).withBidirectional(true);

        PluginState state = HostPathNode.value(node.plugin.publish(node.context(), request));
        assertThat(node.mounts()).isEmpty();
        assertThat(node.target()).doesNotExist();
        assertThat(HostPathNode.value(node.plugin.publish(node.context(), request)))
                .isEqualTo(state);
        HostPathNode.value(node.unpublish(path, state));
        HostPathNode.value(node.unpublish(path, PluginState.NONE));
        assertThat(path.resolve("file")).exists();

        // checked as any other
        assertThat(HostPathNode.answer(node.plugin.publish(
                        node.context(), request(node, path, "File", false).withBidirectional(true))))
                .isEqualTo("INCOMPATIBLE");
        assertThat(HostPathNode.answer(node.plugin.publish(
                        node.context(),
                        request(node, Path.of("/proc/sys"), "", false).withBidirectional(true))))
                .isEqualTo("DENIED");
        // nothing here could make it read-only
        assertThat(HostPathNode.answer(node.plugin.publish(
                        node.context(), request(node, path, "Directory", true).withBidirectional(true))))
                .isEqualTo("INCOMPATIBLE");
    }

    @Test
    @DisplayName("H6 what is pinned for the pod stays so")
    void h06_doesNotLeaveWhatIsPinned() {
        Path path = node.directory("data");
        HostPathNode.value(node.publish(path, "", false));

        assertThat(HostPathNode.answer(node.plugin.publish(
                        node.context(), request(node, path, "", false).withBidirectional(true))))
                .isEqualTo("INCOMPATIBLE");
    }

    @Test
    void readOnlyHoldsForMountsBelowToo() throws IOException {
        Path below = node.directory("tree/below");
        HostPathNode.tool("mount", "-t", "tmpfs", "below", below.toString());
        HostPathNode.value(node.publish(node.base.resolve("tree"), "Directory", true));

        assertThatThrownBy(() -> Files.writeString(node.target().resolve("x"), "x"))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining("Read-only");
        assertThatThrownBy(() -> Files.writeString(node.target().resolve("below/x"), "x"))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining("Read-only");
        Files.writeString(below.resolve("host-can"), "x");
    }

    @Test
    void publishingAgainIsTheSameMount() throws IOException {
        Path path = node.directory("data");
        PluginState first = HostPathNode.value(node.publish(path, "", false));
        PluginState second = HostPathNode.value(node.publish(path, "", false));

        assertThat(second).isEqualTo(first);
        assertThat(node.mounts()).hasSize(1);
        assertThat(HostPathNode.answer(node.publish(path, "", true))).isEqualTo("INCOMPATIBLE");
    }

    @Test
    void anUnpublishWhoseRecordWasLostFindsItsMount() throws IOException {
        Path path = node.file("data/file", "x").getParent();
        HostPathNode.value(node.publish(path, "", false));

        HostPathNode.value(node.unpublish(path, PluginState.NONE));
        HostPathNode.value(node.unpublish(path, PluginState.NONE));

        assertThat(node.target()).doesNotExist();
        assertThat(path.resolve("file")).exists();
    }

    @Test
    void anUnpublishWhoseRecordWasLostLeavesForeignMountsAlone() throws IOException {
        Path path = node.directory("data");
        node.directory("pods/target");
        HostPathNode.tool("mount", "-t", "tmpfs", "foreign", node.target().toString());

        assertThat(HostPathNode.answer(node.unpublish(path, PluginState.NONE))).isEqualTo("IN_USE");
        assertThat(node.mounts()).hasSize(1);
    }

    @Test
    void anUnpublishOfARenamedPathWorks() throws IOException {
        Path path = node.directory("data");
        PluginState state = HostPathNode.value(node.publish(path, "", false));
        Files.move(path, node.base.resolve("moved"));

        HostPathNode.value(node.unpublish(path, state));
        assertThat(node.target()).doesNotExist();
        assertThat(node.base.resolve("moved")).exists();
    }

    /** The kernel gives the number of a mount that has gone to the next one. */
    @Test
    void anUnpublishLeavesAloneWhatTookTheNumberOfItsMount() throws IOException {
        PluginState state = HostPathNode.value(node.publish(node.directory("data"), "", false));
        HostPathNode.tool("umount", node.target().toString());
        HostPathNode.tool(
                "mount",
                "--bind",
                node.directory("foreign").toString(),
                node.target().toString());
        int number = node.mounts().get(0).id();
        PluginState same =
                new PluginState(state.schema(), state.content().replaceFirst("^\\d+", Integer.toString(number)));

        assertThat(HostPathNode.answer(node.unpublish(node.base.resolve("data"), same)))
                .isEqualTo("IN_USE");
        assertThat(node.mounts()).hasSize(1);
    }

    /** What is recognised by what it shows is recognised also where the way to the pod's directory goes by a link. */
    @Test
    void anUnpublishOfARenamedPathWorksBelowALink() throws IOException {
        Path path = node.directory("data");
        PluginState state = HostPathNode.value(node.publish(path, "", false));
        Files.move(path, node.base.resolve("moved with a blank"));
        Path link = Files.createSymbolicLink(
                node.base.resolve("link"), node.target().getParent());

        HostPathNode.value(node.unpublishAt(link.resolve(node.target().getFileName()), path, state));
        assertThat(node.target()).doesNotExist();
    }

    @Test
    @DisplayName("H12 what is denied is denied by the resolved path, and only for writing")
    void h12_deniesByTheResolvedPath() throws IOException {
        node.file("state/records/key", "x");
        Path innocent = Files.createSymbolicLink(node.base.resolve("innocent"), node.base.resolve("state"));
        Path kernel = Files.createSymbolicLink(node.base.resolve("kernel"), Path.of("/proc/sys"));

        assertThat(HostPathNode.answer(node.publish(innocent.resolve("records"), "", false)))
                .isEqualTo("DENIED");
        assertThat(HostPathNode.answer(node.publish(innocent.resolve("records/key"), "File", false)))
                .isEqualTo("DENIED");
        assertThat(HostPathNode.answer(node.publish(innocent.resolve("made"), "DirectoryOrCreate", false)))
                .isEqualTo("DENIED");
        assertThat(node.base.resolve("state/made")).doesNotExist();
        assertThat(HostPathNode.answer(node.publish(kernel, "", false))).isEqualTo("DENIED");
        assertThat(HostPathNode.answer(node.publish(kernel, "", true))).isEqualTo("done");
    }

    @Test
    @DisplayName(
            "H12 the operator's lists hold for the resolved path, for reading too, and for what is above a denied path")
    void h12_obeysTheOperatorsLists() throws IOException {
        Path good = node.directory("open/good");
        Path bad = node.directory("open/bad/deep");
        Path link = Files.createSymbolicLink(good.resolve("link"), bad);
        node.set(Map.of(
                "allow", node.base.resolve("open").toString(),
                "deny", node.base.resolve("open/bad").toString()));

        assertThat(HostPathNode.answer(node.publish(link, "", true))).isEqualTo("DENIED");
        assertThat(HostPathNode.answer(node.publish(bad, "", true))).isEqualTo("DENIED");
        assertThat(HostPathNode.answer(node.publish(node.base.resolve("open"), "", true)))
                .isEqualTo("DENIED");
        assertThat(HostPathNode.answer(node.publish(node.directory("elsewhere"), "", true)))
                .isEqualTo("DENIED");
        assertThat(HostPathNode.answer(node.publish(bad.resolve("new"), "DirectoryOrCreate", false)))
                .isEqualTo("DENIED");
        assertThat(bad.resolve("new")).doesNotExist();
        assertThat(node.mounts()).isEmpty();
        assertThat(HostPathNode.answer(node.publish(good, "", false))).isEqualTo("done");
    }

    @Test
    @DisplayName("H12 what is above the host's own state is shown with it, unless the operator denies that")
    void h12_showsWhatIsAboveItsOwnStateUnlessDenied() {
        Path state = node.directory("state");

        PluginState shown = HostPathNode.value(node.publish(node.base, "", false));
        HostPathNode.value(node.unpublish(node.base, shown));
        node.set(Map.of("deny", state.toString()));
        assertThat(HostPathNode.answer(node.publish(node.base, "", false))).isEqualTo("DENIED");
        assertThat(HostPathNode.answer(node.publish(node.base, "", true))).isEqualTo("DENIED");
        assertThat(HostPathNode.answer(node.publish(node.directory("data"), "", false)))
                .isEqualTo("done");
    }

    @Test
    @DisplayName("H12 what was made for a claim is shown whatever the lists say")
    void h12_showsProvisionedVolumes() {
        node.set(Map.of("allow", "/srv"));

        assertThat(HostPathNode.answer(node.publish(node.provisioned("pvc-1"), false)))
                .isEqualTo("done");
    }

    @Test
    @DisplayName("H2 links are refused if the operator says so")
    void h02_refusesLinksIfAsked() throws IOException {
        Path good = node.directory("good");
        Path link = Files.createSymbolicLink(node.base.resolve("link"), good);
        node.set(Map.of("links", "refuse"));

        assertThat(HostPathNode.answer(node.publish(link, "", false))).isEqualTo("INCOMPATIBLE");
        assertThat(HostPathNode.answer(node.publish(link.resolve("new"), "DirectoryOrCreate", false)))
                .isEqualTo("INCOMPATIBLE");
        assertThat(good.resolve("new")).doesNotExist();
        assertThat(HostPathNode.answer(node.publish(good, "", false))).isEqualTo("done");
    }

    @ParameterizedTest
    @ValueSource(strings = {"r", "v", "t", "r/pvc-1.json"})
    @DisplayName("H12 the plugin's own records are denied")
    void h12_deniesItsOwnRecords(String part) {
        node.provisioned("pvc-1");

        assertThat(HostPathNode.answer(node.publish(node.root.resolve(part), "", false)))
                .isEqualTo("DENIED");
    }

    @Test
    void anUnreadableStateIsNotGuessed() {
        Path path = node.directory("data");

        assertThat(HostPathNode.answer(node.unpublish(path, new PluginState(1, "garbage"))))
                .isEqualTo("CORRUPT");
        assertThat(HostPathNode.answer(node.unpublish(path, new PluginState(9, "1 8:1 /x"))))
                .isEqualTo("CORRUPT");
        assertThat(HostPathNode.answer(node.unpublish(path, new PluginState(4, "1 8:1 no-identity /x"))))
                .isEqualTo("CORRUPT");
    }
}
