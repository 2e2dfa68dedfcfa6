// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.spi.Capability;
import java.util.List;
import org.junit.jupiter.api.Test;

class CapabilitiesTest {
    @Test
    void eachCapabilityOfThePluginInterfaceIsListedOnce() {
        assertThat(Capabilities.ALL)
                .containsExactlyInAnyOrderElementsOf(List.of(Capability.class.getPermittedSubclasses()).stream()
                        .<Class<? extends Capability>>map(type -> type.asSubclass(Capability.class))
                        .toList());
    }
}
