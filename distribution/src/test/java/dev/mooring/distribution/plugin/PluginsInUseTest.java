// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.distribution.plugin.PluginsInUse.NeededPluginUnusable;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeSpec;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.PluginName;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** When a directory that cannot be used keeps the program from starting. */
class PluginsInUseTest {
    private static final Path DIRECTORY = Path.of("plugins", "broken");

    private static InstalledPlugins with(PluginDescriptor... claims) {
        return new InstalledPlugins(
                List.of(), List.of(new UnusableDirectory(DIRECTORY, PluginRule.UNIQUE, "a reason", List.of(claims))));
    }

    private static PluginDescriptor claims(String name, String... sources) {
        return PluginDescriptor.of(new PluginName(name), List.of(sources), Place.CONTROLLER);
    }

    private static List<PersistentVolume> volume(String type, Map<String, ?> source) {
        return List.of(PersistentVolume.of(
                "pv", PersistentVolumeSpec.EMPTY.withSource(Optional.of(new VolumeSource(type, Document.of(source))))));
    }

    private static final List<PersistentVolume> DISK = volume("disk", Map.of());
    private static final List<PersistentVolume> CSI =
            volume("csi", Map.of("driver", "disks.example.org", "volumeHandle", "1"));

    @Test
    void aClaimedSourceInUseStopsWithVolumeDirectoryAndRule() {
        for (boolean onlyThese : List.of(true, false)) {
            PluginsInUse inUse = new PluginsInUse(with(claims("example.org/disk", "disk")), onlyThese);
            assertThatThrownBy(() -> inUse.requireFor(DISK))
                    .isInstanceOf(NeededPluginUnusable.class)
                    .hasMessageContainingAll("volume pv", DIRECTORY.toString(), "UNIQUE", "a reason", "is claimed by");
        }
    }

    @Test
    void aClaimedDriverInUseStops() {
        PluginsInUse inUse = new PluginsInUse(with(claims("disks.example.org")), false);
        assertThatThrownBy(() -> inUse.requireFor(CSI)).isInstanceOf(NeededPluginUnusable.class);
        assertThatCode(() -> inUse.requireFor(DISK)).doesNotThrowAnyException();
    }

    @Test
    void whatItClaimsButNoObjectUsesStopsNothing() {
        PluginsInUse inUse = new PluginsInUse(with(claims("example.org/other", "other")), true);
        assertThatCode(() -> inUse.requireFor(DISK)).doesNotThrowAnyException();
        assertThatCode(() -> inUse.requireFor(List.of())).doesNotThrowAnyException();
    }

    @Test
    void oneThatSaysNothingStopsWhereNoOtherProgramServes() {
        assertThatThrownBy(() -> new PluginsInUse(with(), true).requireFor(CSI))
                .isInstanceOf(NeededPluginUnusable.class)
                .hasMessageContaining("may need");
        assertThatCode(() -> new PluginsInUse(with(), false).requireFor(CSI)).doesNotThrowAnyException();
    }

    @Test
    void whatIsMountedNeedsItsPluginToo() {
        for (boolean onlyThese : List.of(true, false)) {
            PluginsInUse inUse = new PluginsInUse(with(), onlyThese);
            assertThatThrownBy(() -> inUse.requireFor(Stream.of(new PluginName("disks.example.org"))))
                    .isInstanceOf(NeededPluginUnusable.class)
                    .hasMessageContaining("disks.example.org");
            assertThatCode(() -> inUse.requireFor(Stream.of(new PluginName("kubernetes.io/empty-dir"))))
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void withoutSuchDirectoriesNothingIsAsked() {
        assertThat(new PluginsInUse(InstalledPlugins.of(List.of()), true).areOfInterest())
                .isFalse();
        assertThat(new PluginsInUse(with(), true).areOfInterest()).isTrue();
    }
}
