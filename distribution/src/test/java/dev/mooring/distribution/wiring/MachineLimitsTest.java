// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.spi.host.HostCapabilities;
import dev.mooring.storage.spi.host.HostFeature;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MachineLimitsTest {
    @Test
    void aMachineThatHasAllIsNotSpokenOf() {
        assertThat(MachineLimits.of(new HostCapabilities(Map.of()))).isEmpty();
    }

    @Test
    void itIsSaidWhatIsMissingAndWhatIsDoneWithoutIt() {
        assertThat(MachineLimits.of(new HostCapabilities(Map.of(
                        HostFeature.RESOLVE_RULES, "openat2 does not work here: ENOSYS",
                        HostFeature.ATOMIC_BIND, "the mount calls of Linux 5.12 do not work here: EPERM"))))
                .containsExactly(
                        "openat2 does not work here: ENOSYS: sub-paths of volumes are refused",
                        "the mount calls of Linux 5.12 do not work here: EPERM: mounts are prepared in a hidden directory instead");
    }

    @Test
    void onlySeLinuxIsMissedByNobody() {
        assertThat(MachineLimits.of(HostCapabilities.nothing("no"))).hasSize(HostFeature.values().length - 1);
        assertThat(MachineLimits.of(new HostCapabilities(Map.of(HostFeature.SELINUX, "no"))))
                .isEmpty();
    }
}
