// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import static dev.mooring.plugin.nfs.Calls.answer;
import static dev.mooring.plugin.nfs.Calls.value;
import static dev.mooring.plugin.nfs.Calls.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.VolumeSpec;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** An exclusive volume is held until the kernel has let its mount go. */
class ExclusiveVolumeTest extends PublishedShare {
    @Test
    void n12_anExclusiveVolumeIsHeldUntilTheKernelHasLetGo() {
        VolumeSpec exclusive = Calls.withModes(volume, AccessMode.READ_WRITE_ONCE_POD);
        PluginState state = value(publish(exclusive));
        host.dead.add("server");
        host.abortHelps = false;
        assertThat(answer(unpublish(state))).isEqualTo("uncertain");
        assertThat(host.table).isEmpty();
        assertThat(host.target("t")).doesNotExist();
        assertThat(unpublish(state).message()).contains("draining");
        host.draining.clear();
        value(unpublish(state));
    }

    @Test
    void n12_aNumberThatWasGivenToAFileSystemOfAnotherTypeHoldsNothing() {
        PluginState state = drainingState();
        String device = host.draining.iterator().next();
        host.table.add(numbered(device, "tmpfs", "tmpfs", "rw"));
        // the kernel takes its record away a moment after it has let go of the number
        value(unpublish(state));
        host.draining.clear();
        value(unpublish(state));
    }

    @Test
    void n12_aNumberThatWasGivenToAMountOfAnotherServerHoldsNothing() {
        PluginState state = drainingState();
        String device = host.draining.iterator().next();
        host.draining.clear();
        host.table.add(numbered(device, "nfs4", "other:/a", "rw,vers=4.2,addr=other"));
        value(unpublish(state));
    }

    @Test
    void n12_aNumberOfAMountOfTheSameServerStillHolds() {
        PluginState state = drainingState();
        String device = host.draining.iterator().next();
        host.draining.clear();
        host.table.add(numbered(device, "nfs4", "server:/b", "rw,vers=4.2,addr=server"));
        assertThat(unpublish(state).message()).contains("draining").contains("another place");
        host.table.clear();
        value(unpublish(state));
    }

    @Test
    void n12_afterAnotherBootNothingDrains() {
        PluginState state = value(publish(Calls.withAnnotations(volume, Map.of("mooring.dev/exclusive", "true"))));
        host.dead.add("server");
        host.abortHelps = false;
        assertThat(answer(unpublish(state))).isEqualTo("uncertain");
        host.boot = "boot-2";
        value(unpublish(state));
    }
}
