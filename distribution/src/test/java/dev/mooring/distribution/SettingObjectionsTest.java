// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.storage.spi.StoragePlugin;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SettingObjectionsTest {
    private final List<String> loads = new ArrayList<>();
    private final SettingObjections objections = new SettingObjections(this::load);

    private List<StoragePlugin> load() {
        loads.add("load");
        return Plugins.found().plugins();
    }

    @Test
    void pluginsAreLoadedOnceForAllSettings() {
        assertThat(objections.apply("kubernetes.io/nfs:restrict=true")).isEmpty();
        assertThat(objections.apply("kubernetes.io/nfs:restrict=perhaps\nnobody.example.com:x=1"))
                .hasSize(2);
        assertThat(loads).hasSize(1);
    }

    @Test
    void nothingIsLoadedWhereNothingIsSet() {
        assertThat(objections.apply("")).isEmpty();
        assertThat(loads).isEmpty();
    }

    /** Nobody could help it by another value. */
    @Test
    void whatFailsInLoadingIsNoObjectionToASetting() {
        SettingObjections broken = new SettingObjections(() -> {
            throw new IllegalArgumentException("the plugins cannot be listed");
        });
        assertThatThrownBy(() -> broken.apply("kubernetes.io/nfs:restrict=true"))
                .hasMessage("the plugins cannot be listed");
    }
}
