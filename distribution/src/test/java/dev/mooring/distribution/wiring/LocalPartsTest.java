// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.host.HostServices;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

/** Settings of plugins reach the plugins, and none is silently lost. */
class LocalPartsTest {
    private static LocalParts parts() {
        return LocalParts.of(
                new MemoryClusterStore(
                        StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new Random(1)))),
                HostServices.none(),
                List.of(hostPath()),
                "here",
                Path.of("/var/lib/mooring"));
    }

    private static StoragePlugin hostPath() {
        return ServiceLoader.load(StoragePlugin.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(plugin -> plugin.describe().sourceTypes().contains("hostPath"))
                .findFirst()
                .orElseThrow();
    }

    private static String name() {
        return hostPath().describe().name().value();
    }

    @Test
    void aPluginWithoutSettingsStaysAsItIs() {
        LocalParts parts = parts();
        assertThat(parts.withSettings(Map.of()).plugins()).isEqualTo(parts.plugins());
    }

    @Test
    void aSettingThatAPluginDoesNotKnowIsToldByName() {
        assertThatThrownBy(() -> parts().withSettings(Map.of(name(), Map.of("no-such-setting", "x"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no-such-setting");
    }

    @Test
    void settingsOfAPluginThatIsNotThereAreToldByName() {
        assertThatThrownBy(() -> parts().withSettings(Map.of("example.com/absent", Map.of())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("example.com/absent");
    }
}
