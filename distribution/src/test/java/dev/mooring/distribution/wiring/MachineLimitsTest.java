// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.host.linux.KernelRelease;
import dev.mooring.storage.spi.host.HostCapabilities;
import dev.mooring.storage.spi.host.HostFeature;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
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
                        "the mount calls of Linux 5.12 do not work here: EPERM: nothing can be bound into a pod's directory");
    }

    @Test
    void anOldKernelIsRefusedWithItsReleaseAndWhatStillRuns() {
        assertThatThrownBy(() -> MachineLimits.requireKernel(Optional.of(new KernelRelease("5.10.0-28-amd64"))))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "this machine runs Linux 5.10.0-28-amd64, and a node needs Linux 5.12 or later: on an older kernel a volume cannot be"
                                + " made read-only before a pod sees it. controller, play and explain run on any kernel");
    }

    @Test
    void aNewerKernelAndAnotherSystemAreNotRefused() throws IOException {
        MachineLimits.requireKernel(Optional.of(new KernelRelease("5.12.0")));
        MachineLimits.requireKernel(Optional.empty());
    }

    @Test
    void onlySeLinuxIsNotMissed() {
        assertThat(MachineLimits.of(HostCapabilities.nothing("no"))).hasSize(HostFeature.values().length - 1);
        assertThat(MachineLimits.of(new HostCapabilities(Map.of(HostFeature.SELINUX, "no"))))
                .isEmpty();
    }
}
