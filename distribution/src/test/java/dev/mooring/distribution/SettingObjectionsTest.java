// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.distribution.config.Pair;
import dev.mooring.distribution.plugin.Plugins;
import dev.mooring.storage.spi.StoragePlugin;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SettingObjectionsTest {
    private final List<String> loads = new ArrayList<>();
    private final SettingObjections objections = new SettingObjections(this::load);

    private static Pair restrict(String value) {
        return new Pair("kubernetes.io/nfs", 1, "restrict", value, 2);
    }

    private List<StoragePlugin> load() {
        loads.add("load");
        return Plugins.found().plugins();
    }

    @Test
    void pluginsAreLoadedOnceForAllSettings() {
        assertThat(objections.apply(List.of(restrict("true")))).isEmpty();
        assertThat(objections.apply(List.of(restrict("perhaps"), new Pair("absent.example.com", 3, "x", "1", 4))))
                .hasSize(2);
        assertThat(loads).hasSize(1);
    }

    @Test
    void nothingIsLoadedWhereNothingIsSet() {
        assertThat(objections.apply(List.of())).isEmpty();
        assertThat(loads).isEmpty();
    }

    /** Another value of the setting would not help. */
    @Test
    void whatFailsInLoadingIsNoObjectionToASetting() {
        SettingObjections broken = new SettingObjections(() -> {
            throw new IllegalArgumentException("the plugins cannot be listed");
        });
        assertThatThrownBy(() -> broken.apply(List.of(restrict("true")))).hasMessage("the plugins cannot be listed");
    }
}
