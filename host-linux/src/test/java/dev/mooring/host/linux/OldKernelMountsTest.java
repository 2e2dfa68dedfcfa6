// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.host.linux.support.Machine;
import dev.mooring.storage.spi.host.BindOptions;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.Mounts;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Everything that is true of mounts is true without the mount calls of Linux 5.12, too. */
class OldKernelMountsTest extends LinuxMountsTest {
    @Override
    Machine machine() {
        return new Machine(HostFeature.ROOT, HostFeature.MOUNT_IDENTITY);
    }

    @Override
    Mounts mountsOf(Machine here) {
        return MachineMounts.ofAnOldKernel(here);
    }

    @Test
    void whatTheOriginalForbidsStaysForbidden() {
        MountEntry original = new MountEntry(
                1,
                0,
                "0:1",
                "/",
                false,
                Path.of("/x"),
                List.of("rw", "nosuid", "nodev", "relatime"),
                OptionalLong.empty(),
                OptionalLong.empty(),
                "tmpfs",
                "x",
                List.of());

        assertThat(OldCloning.flags(original, BindOptions.PLAIN)).isEqualTo(2 | 4 | 1 << 21);
        assertThat(OldCloning.flags(original, BindOptions.PLAIN.readOnly(true))).isEqualTo(1 | 2 | 4 | 1 << 21);
    }
}
