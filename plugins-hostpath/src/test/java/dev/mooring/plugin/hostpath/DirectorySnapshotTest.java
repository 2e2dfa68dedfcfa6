// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.SnapshotFacts;
import dev.mooring.storage.spi.SnapshotRef;
import dev.mooring.storage.spi.SnapshotRequest;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.VolumeTemplate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Snapshots of directories, and directories made from them, on the real kernel. */
@Tag("long")
class DirectorySnapshotTest {
    private static final String NAME = "snapshot-1";
    private static final String FILE = "a/b/file";

    private HostPathNode node;
    private VolumeSpec source;

    @BeforeEach
    void makesASource() throws IOException {
        node = new HostPathNode();
        source = node.provisioned("pvc-source");
        Files.createDirectories(volume("pvc-source").resolve("a/b"));
        Files.writeString(volume("pvc-source").resolve(FILE), "content");
    }

    @AfterEach
    void cleans() throws IOException {
        if (node != null) {
            node.close();
        }
    }

    private Path volume(String name) {
        return node.root.resolve("v").resolve(name);
    }

    private Path snapshot() {
        return node.root.resolve("s/v").resolve(NAME);
    }

    private static SnapshotRequest request(String name) {
        return new SnapshotRequest(name, ObjectKey.of("ns", "monday"), "snapcontent-1", Map.of());
    }

    private static SnapshotRef ref(String handle) {
        return new SnapshotRef("snapcontent-1", handle, Map.of());
    }

    private Outcome<SnapshotFacts> take(OperationContext context) {
        return node.plugin.createSnapshot(context, request(NAME), source);
    }

    private Outcome<VolumeTemplate> restore(OperationContext context, String handle) {
        ProvisionRequest request = HostPathNode.request("pvc-restored", Map.of());
        return node.plugin.plan(request).then(plan -> node.plugin.restore(context, request, plan, ref(handle)));
    }

    private static List<Path> in(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    @Test
    void aSnapshotHoldsWhatTheVolumeHeld() throws IOException {
        SnapshotFacts taken = HostPathNode.value(take(node.context()));

        assertThat(taken.handle()).isEqualTo("node-1/" + NAME);
        assertThat(taken.ready()).isTrue();
        assertThat(taken.bytes()).isEqualTo(source.capacity().longValue());
        Files.writeString(volume("pvc-source").resolve(FILE), "later");
        assertThat(HostPathNode.value(take(node.context()))).isEqualTo(taken);
        assertThat(snapshot().resolve(FILE)).hasContent("content");
        assertThat(HostPathNode.value(node.plugin.findSnapshot(node.context(), ref(taken.handle()))))
                .contains(taken);
    }

    @Test
    void aVolumeIsMadeFromASnapshotWhenItsVolumeHasGone() throws IOException {
        SnapshotFacts taken = HostPathNode.value(take(node.context()));
        assertThat(HostPathNode.answer(node.plugin.delete(node.context(), source)))
                .isEqualTo("done");

        VolumeTemplate made = HostPathNode.value(restore(node.context(), taken.handle()));

        assertThat(made.source())
                .isEqualTo(HostPathNode.source(volume("pvc-restored").toString(), "Directory"));
        assertThat(volume("pvc-restored").resolve(FILE)).hasContent("content");
        Files.writeString(volume("pvc-restored").resolve(FILE), "other");
        assertThat(snapshot().resolve(FILE)).hasContent("content");
        for (int i = 0; i < 2; i++) {
            assertThat(HostPathNode.answer(node.plugin.deleteSnapshot(node.context(), ref(taken.handle()))))
                    .isEqualTo("done");
        }
        assertThat(HostPathNode.value(restore(node.context(), taken.handle()))).isEqualTo(made);
        assertThat(volume("pvc-restored").resolve(FILE)).hasContent("other");
        assertThat(HostPathNode.value(node.plugin.findSnapshot(node.context(), ref(taken.handle()))))
                .isEmpty();
        isGone();
    }

    private void isGone() throws IOException {
        for (String part : List.of("v", "t", "r")) {
            assertThat(in(node.root.resolve("s").resolve(part))).as(part).isEmpty();
        }
    }

    @Test
    void aLinkOutOfTheVolumeIsKeptAndNotFollowed() throws IOException {
        node.file("elsewhere/file", "secret");
        Path elsewhere = node.base.resolve("elsewhere");
        Files.createSymbolicLink(volume("pvc-source").resolve("out"), elsewhere);

        HostPathNode.value(take(node.context()));

        assertThat(Files.readSymbolicLink(snapshot().resolve("out"))).isEqualTo(elsewhere);
        assertThat(HostPathNode.answer(node.plugin.deleteSnapshot(node.context(), ref("node-1/" + NAME))))
                .isEqualTo("done");
        assertThat(elsewhere.resolve("file")).hasContent("secret");
    }

    @Test
    void afterACrashBeforeAnyActionTheNextCallFinishes() throws IOException {
        int before = -1;
        int crashes = 0;
        for (int action = 0; crashes > before; action++) {
            before = crashes;
            int number = action;
            crashes += crashes(action, this::take) ? 1 : 0;
            SnapshotFacts taken = HostPathNode.value(take(node.context()));
            assertThat(snapshot().resolve(FILE)).as("action %s", number).hasContent("content");
            crashes += crashes(action, context -> restore(context, taken.handle())) ? 1 : 0;
            HostPathNode.value(restore(node.context(), taken.handle()));
            assertThat(volume("pvc-restored").resolve(FILE)).hasContent("content");
            crashes += crashes(action, context -> node.plugin.deleteSnapshot(context, ref(taken.handle()))) ? 1 : 0;
            assertThat(HostPathNode.answer(node.plugin.deleteSnapshot(node.context(), ref(taken.handle()))))
                    .isEqualTo("done");
            isGone();
            assertThat(HostPathNode.answer(node.plugin.delete(
                            node.context(),
                            HostPathNode.volume(
                                    "pvc-restored",
                                    HostPathNode.source(volume("pvc-restored").toString(), "Directory")))))
                    .isEqualTo("done");
        }
        assertThat(crashes).isGreaterThan(45);
    }

    @Test
    void whatACrashHasLeftIsDeleted() throws IOException {
        for (int action = 0; crashes(action, this::take); action++) {
            assertThat(HostPathNode.answer(node.plugin.deleteSnapshot(node.context(), ref("node-1/" + NAME))))
                    .isEqualTo("done");
            isGone();
        }
    }

    private interface Call {
        Outcome<?> make(OperationContext context);
    }

    private boolean crashes(int action, Call call) {
        try {
            HostPathNode.value(call.make(node.context(
                    FaultyHost.crashingBefore(node.services(), action).services())));
            return false;
        } catch (FaultyHost.Crash crash) {
            return true;
        }
    }

    @Test
    void anotherVolumeOfTheSameSnapshotIsRefused() throws IOException {
        HostPathNode.value(take(node.context()));
        VolumeSpec other = node.provisioned("pvc-other");

        assertThat(HostPathNode.answer(node.plugin.createSnapshot(node.context(), request(NAME), other)))
                .isEqualTo("INCOMPATIBLE");
    }

    @Test
    void anotherNodeTakesNoSnapshotForOneThatHasGone() {
        String handle = HostPathNode.value(take(node.context())).handle();
        node.becomes(new NodeRef("node-2", "another-uid"));

        assertThat(HostPathNode.answer(node.plugin.deleteSnapshot(node.context(), ref(handle))))
                .isEqualTo("DENIED");
        assertThat(HostPathNode.answer(node.plugin.findSnapshot(node.context(), ref(handle))))
                .isEqualTo("NOT_FOUND");
        assertThat(HostPathNode.answer(restore(node.context(), handle))).isEqualTo("NOT_FOUND");
        node.becomes(new NodeRef("node-1", "another-uid"));
        assertThat(HostPathNode.answer(node.plugin.deleteSnapshot(node.context(), ref(handle))))
                .isEqualTo("DENIED");
    }

    @Test
    void whatCanBeNoSnapshotIsNone() throws IOException {
        for (String handle : List.of("", "snapshot-1", "node-1/..", "node-1/", "/snapshot-1", "node-1/A b")) {
            assertThat(HostPathNode.answer(restore(node.context(), handle))).isEqualTo("NOT_FOUND");
            assertThat(HostPathNode.value(node.plugin.findSnapshot(node.context(), ref(handle))))
                    .isEqualTo(Optional.empty());
            assertThat(HostPathNode.answer(node.plugin.deleteSnapshot(node.context(), ref(handle))))
                    .isEqualTo("done");
        }
        VolumeSpec unknown = HostPathNode.volume(
                "unknown", HostPathNode.source(volume("unknown").toString(), "Directory"));
        assertThat(HostPathNode.answer(node.plugin.createSnapshot(node.context(), request(NAME), unknown)))
                .isEqualTo("NOT_FOUND");
        isGone();
    }

    @Test
    void parametersAndNamesAreChecked() {
        SnapshotRequest odd =
                new SnapshotRequest(NAME, ObjectKey.of("ns", "monday"), "snapcontent-1", Map.of("colour", "red"));
        assertThat(HostPathNode.answer(node.plugin.planSnapshot(odd))).isEqualTo("INVALID");
        assertThat(HostPathNode.answer(node.plugin.planSnapshot(request("a/b"))))
                .isEqualTo("INVALID");
        assertThat(HostPathNode.value(node.plugin.planSnapshot(request(NAME)))).isEmpty();
    }
}
