// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.VolumeTemplate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A directory that holds what another volume holds, on the real kernel. */
@Tag("long")
class CopiedVolumeTest {
    private static final int MORE_THAN_ALL_ACTIONS = 200;

    private HostPathNode node;
    private VolumeSpec source;

    @BeforeEach
    void makesASource() throws IOException {
        node = new HostPathNode();
        source = node.provisioned("pvc-source");
        Files.createDirectories(volume("pvc-source").resolve("a/b"));
        Files.writeString(volume("pvc-source").resolve("a/b/file"), "content");
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

    private Outcome<VolumeTemplate> copy(OperationContext context, VolumeSpec original) {
        ProvisionRequest request = HostPathNode.request("pvc-copy", Map.of());
        return node.plugin.plan(request).then(plan -> node.plugin.cloneVolume(context, request, plan, original));
    }

    private static List<Path> in(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    @Test
    void theCopyHoldsWhatTheSourceHoldsAndIsAnotherDirectory() throws IOException {
        VolumeTemplate made = HostPathNode.value(copy(node.context(), source));

        assertThat(made.source())
                .isEqualTo(HostPathNode.source(volume("pvc-copy").toString(), "Directory"));
        assertThat(volume("pvc-copy").resolve("a/b/file")).hasContent("content");
        Files.writeString(volume("pvc-copy").resolve("a/b/file"), "other");
        assertThat(volume("pvc-source").resolve("a/b/file")).hasContent("content");
        assertThat(in(node.root.resolve("t"))).isEmpty();
        assertThat(HostPathNode.value(copy(node.context(), source))).isEqualTo(made);
        assertThat(volume("pvc-copy").resolve("a/b/file")).hasContent("other");
    }

    @Test
    void afterACrashBeforeAnyActionTheNextCallFinishes() throws IOException {
        int crashes = 0;
        for (int action = 0; action < MORE_THAN_ALL_ACTIONS; action++) {
            boolean crashed = copyCrashingBefore(action);
            crashes += crashed ? 1 : 0;
            assertThat(HostPathNode.answer(copy(node.context(), source)))
                    .as("after a crash before action %s", action)
                    .isEqualTo("done");
            assertThat(volume("pvc-copy").resolve("a/b/file")).hasContent("content");
            deletesAll();
        }
        assertThat(crashes).isGreaterThan(15).isLessThan(MORE_THAN_ALL_ACTIONS);
    }

    @Test
    void whatACrashHasLeftIsDeletedWithItsVolume() throws IOException {
        for (int action = 0; copyCrashingBefore(action); action++) {
            deletesAll();
        }
    }

    private boolean copyCrashingBefore(int action) {
        try {
            HostPathNode.value(copy(
                    node.context(
                            FaultyHost.crashingBefore(node.services(), action).services()),
                    source));
            return false;
        } catch (FaultyHost.Crash crash) {
            return true;
        }
    }

    private void deletesAll() throws IOException {
        VolumeSpec copy = HostPathNode.volume(
                "pvc-copy", HostPathNode.source(volume("pvc-copy").toString(), "Directory"));
        assertThat(HostPathNode.answer(node.plugin.delete(node.context(), copy)))
                .isEqualTo("done");
        assertThat(in(node.root.resolve("v"))).containsExactly(volume("pvc-source"));
        assertThat(in(node.root.resolve("t"))).isEmpty();
        assertThat(in(node.root.resolve("r"))).hasSize(1);
    }

    @Test
    void onlyWhatWasMadeHereIsCopied() throws IOException {
        node.file("elsewhere/file", "secret");
        VolumeSpec elsewhere = HostPathNode.volume(
                "pvc-source", HostPathNode.source(node.base.resolve("elsewhere").toString(), "Directory"));
        assertThat(HostPathNode.answer(copy(node.context(), elsewhere))).isEqualTo("NOT_FOUND");
        VolumeSpec unknown = HostPathNode.volume(
                "unknown", HostPathNode.source(volume("unknown").toString(), "Directory"));
        assertThat(HostPathNode.answer(copy(node.context(), unknown))).isEqualTo("NOT_FOUND");
        node.becomes(new NodeRef("node-1", "another-uid"));
        assertThat(HostPathNode.answer(copy(node.context(), source))).isEqualTo("NOT_FOUND");
        assertThat(in(node.root.resolve("t"))).isEmpty();
        assertThat(in(node.root.resolve("r"))).hasSize(1);
    }
}
