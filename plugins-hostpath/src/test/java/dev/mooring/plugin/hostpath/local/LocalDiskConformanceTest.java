// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath.local;

import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.testkit.host.Machine;
import org.junit.jupiter.api.Tag;

/** The same contract for file systems on disks, which grow only where their process may resize them. */
@Tag("guest")
@Tag("kit")
class LocalDiskConformanceTest extends LocalKernelConformanceTest {
    @Override
    public VolumeSource existing(Machine machine, int number) {
        return disks.disk(machine, "disk-" + number, size().longValue());
    }

    @Override
    public Quantity size() {
        return Quantity.parse("32Mi");
    }

    /** To check and mount a file system takes a while; the end-to-end tests stop the agent at every boundary. */
    @Override
    public int points() {
        return 2;
    }
}
