// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import static dev.mooring.plugin.nfs.Calls.answer;
import static dev.mooring.plugin.nfs.Calls.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.storage.model.NfsSource;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.VolumeSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Publishing against the kernel's own NFS server. */
@Tag("guest")
class KernelPublishTest {
    @ParameterizedTest
    @ValueSource(strings = {"vers=3,nolock", "vers=4.0", "vers=4.1", "nfsvers=4.2", ""})
    void n02_everyVersionIsPublishedWrittenAndUnpublished(String options) throws IOException {
        try (NfsNode guest = new NfsNode()) {
            Path export = guest.exported("n02");
            VolumeSpec volume = NfsNode.volume(export, options.isEmpty() ? new String[0] : options.split(","));
            PluginState state = value(guest.publish(volume, "t"));
            assertThat(guest.mounts())
                    .singleElement()
                    .satisfies(entry -> assertThat(entry.source()).isEqualTo(NfsNode.SERVER + ":" + export));
            Files.writeString(guest.target("t").resolve("file"), "content");
            assertThat(export.resolve("file")).hasContent("content");

            value(guest.unpublish(volume, "t", state));
            assertThat(guest.mounts()).isEmpty();
            assertThat(guest.target("t")).doesNotExist();
            assertThat(export.resolve("file")).hasContent("content");
            value(guest.unpublish(volume, "t", state));
        }
    }

    /** Mount tables write a blank as {@code \\040}: a name that looks like that is another one. */
    @ParameterizedTest
    @CsvSource({
        "'with a blank', vers=4.2",
        "'with a blank', 'vers=3,nolock'",
        "'like\\040a blank', vers=4.2",
        "'like\\040a blank', 'vers=3,nolock'",
        "'-o exec', vers=4.2"
    })
    void n02_aPathWithABlankOrWhatLooksLikeOneIsOnePath(String name, String options) throws IOException {
        try (NfsNode guest = new NfsNode()) {
            Path export = NfsNode.directory(guest.exported("n02").resolve(name));
            VolumeSpec volume = NfsNode.volume(export, options.split(","));
            PluginState state = value(guest.publish(volume, "t"));
            assertThat(guest.mounts())
                    .singleElement()
                    .satisfies(entry -> assertThat(entry.source()).isEqualTo(NfsNode.SERVER + ":" + export));
            assertThat(value(guest.publish(volume, "t"))).isEqualTo(state);
            Files.writeString(guest.target("t").resolve("file"), "content");
            assertThat(export.resolve("file")).hasContent("content");

            value(guest.unpublish(volume, "t", state));
            assertThat(guest.mounts()).isEmpty();
            assertThat(guest.target("t")).doesNotExist();
            assertThat(export.resolve("file")).hasContent("content");
        }
    }

    @Test
    void n03_aSecondPublishIsDoneAndAnotherExportInThePlaceIsRefused() {
        try (NfsNode guest = new NfsNode()) {
            VolumeSpec volume = NfsNode.volume(guest.exported("one"), "vers=4.2");
            PluginState first = value(guest.publish(volume, "t"));
            assertThat(value(guest.publish(volume, "t"))).isEqualTo(first);
            assertThat(guest.mounts()).hasSize(1);
            VolumeSpec other = NfsNode.volume(guest.exported("other"), "vers=4.2");
            assertThat(answer(guest.publish(other, "t"))).isEqualTo("IN_USE");
            assertThat(answer(guest.unpublish(other, "t", PluginState.NONE))).isEqualTo("IN_USE");
            assertThat(guest.mounts()).hasSize(1);
            value(guest.unpublish(volume, "t", PluginState.NONE));
            assertThat(guest.mounts()).isEmpty();
        }
    }

    @Test
    void n05_whatTheServerDoesNotGiveIsRefusedOrDeferred() {
        try (NfsNode guest = new NfsNode()) {
            Path missing = NfsNode.EXPORT.resolve("not-there");
            assertThat(answer(guest.publish(NfsNode.volume(missing, "vers=4.2"), "t")))
                    .isEqualTo("NOT_FOUND");
            assertThat(answer(guest.publish(NfsNode.volume(missing, "vers=3", "nolock"), "t")))
                    .isIn("NOT_FOUND", "DENIED");
            // over version 3 the path is the server's own, and this one is not exported
            assertThat(answer(guest.publish(NfsNode.volume(Path.of("/etc"), "vers=3", "nolock"), "t")))
                    .isEqualTo("DENIED");
            guest.stop();
            try {
                assertThat(answer(guest.publish(NfsNode.volume(guest.exported("n05"), "vers=4.2"), "t")))
                        .isEqualTo("deferred");
            } finally {
                guest.start();
            }
            assertThat(guest.mounts()).isEmpty();
            assertThat(guest.target("t")).doesNotExist();
        }
    }

    @Test
    void n15_aReadOnlyVolumeOrClaimRefusesWrites() {
        try (NfsNode guest = new NfsNode()) {
            Path export = guest.exported("n15");
            value(guest.publish(NfsNode.volume(export, "vers=4.2"), "claim", true));
            NfsSource readOnly = new NfsSource(NfsNode.SERVER, export.toString(), true);
            value(guest.publish(Calls.volume(readOnly.toSource(), "vers=4.2"), "volume"));
            for (String target : new String[] {"claim", "volume"}) {
                Path file = guest.target(target).resolve("file");
                assertThatThrownBy(() -> Files.writeString(file, "x"))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("Read-only");
            }
        }
    }
}
