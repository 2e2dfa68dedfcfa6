// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.Binder;
import dev.mooring.binder.BinderOptions;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.plugin.PluginRegistry;
import org.junit.jupiter.api.Test;

/** The binder and its companions, by the names under which metrics and messages show them. */
class ControllersTest {
    @Test
    void theBinderComesFirstAndEachHasItsName() {
        assertThat(new Binder(BinderOptions.DEFAULT, PluginRegistry.EMPTY).controllers())
                .extracting(Controller::name)
                .containsExactly(
                        "binder",
                        "pvc-protection",
                        "clone-protection",
                        "pv-protection",
                        "vac-protection",
                        "expansion",
                        "volume-modification",
                        "ephemeral");
    }
}
