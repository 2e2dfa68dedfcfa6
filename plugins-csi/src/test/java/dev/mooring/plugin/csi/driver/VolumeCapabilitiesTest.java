// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.v1.VolumeCapability;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kubernetes' access modes and volume modes in CSI's words (semantics/csi §6.3). */
class VolumeCapabilitiesTest {
    private static List<AccessMode> modes(String words) {
        return words == null
                ? List.of()
                : Arrays.stream(words.split(" ")).map(AccessMode::valueOf).toList();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                                                     | SINGLE_NODE_WRITER      | SINGLE_NODE_MULTI_WRITER
                    READ_WRITE_ONCE                  | SINGLE_NODE_WRITER      | SINGLE_NODE_MULTI_WRITER
                    READ_WRITE_ONCE_POD              | SINGLE_NODE_WRITER      | SINGLE_NODE_SINGLE_WRITER
                    READ_ONLY_MANY                   | MULTI_NODE_READER_ONLY  | MULTI_NODE_READER_ONLY
                    READ_WRITE_MANY                  | MULTI_NODE_MULTI_WRITER | MULTI_NODE_MULTI_WRITER
                    READ_WRITE_MANY READ_WRITE_ONCE  | MULTI_NODE_MULTI_WRITER | MULTI_NODE_MULTI_WRITER
                    READ_ONLY_MANY READ_WRITE_MANY   | MULTI_NODE_MULTI_WRITER | MULTI_NODE_MULTI_WRITER
                    READ_WRITE_ONCE READ_WRITE_ONCE  | SINGLE_NODE_WRITER      | SINGLE_NODE_MULTI_WRITER
                    """)
    void theModesBecomeOneOfCsi(
            String modes, VolumeCapability.AccessMode.Mode usual, VolumeCapability.AccessMode.Mode multiWriter) {
        assertThat(VolumeCapabilities.mode(modes(modes), false).result()).contains(usual);
        assertThat(VolumeCapabilities.mode(modes(modes), true).result()).contains(multiWriter);
    }

    @ParameterizedTest
    @CsvSource({
        "READ_ONLY_MANY READ_WRITE_ONCE",
        "READ_WRITE_ONCE_POD READ_WRITE_ONCE",
        "READ_WRITE_ONCE_POD READ_WRITE_MANY",
        "UNKNOWN"
    })
    void modesThatCsiCannotSayAreRefused(String modes) {
        assertThat(VolumeCapabilities.mode(modes(modes), false).isRefused(Refusal.INVALID))
                .isTrue();
    }

    @Test
    void aBlockDeviceHasNeitherFileSystemNorOptionsNorGroup() {
        Outcome<VolumeCapability> capability = VolumeCapabilities.of(
                modes("READ_WRITE_ONCE"), false, VolumeMode.BLOCK, "xfs", List.of("noatime"), OptionalInt.of(7));

        assertThat(capability.result().orElseThrow().hasBlock()).isTrue();
        assertThat(capability.result().orElseThrow().hasMount()).isFalse();
    }

    @Test
    void aFileSystemHasItsTypeItsOptionsAndItsGroup() {
        VolumeCapability.MountVolume mount = VolumeCapabilities.of(
                        modes("READ_WRITE_ONCE"),
                        false,
                        VolumeMode.FILESYSTEM,
                        "xfs",
                        List.of("noatime"),
                        OptionalInt.of(7))
                .result()
                .orElseThrow()
                .getMount();

        assertThat(mount.getFsType()).isEqualTo("xfs");
        assertThat(mount.getMountFlagsList()).containsExactly("noatime");
        assertThat(mount.getVolumeMountGroup()).isEqualTo("7");
    }
}
