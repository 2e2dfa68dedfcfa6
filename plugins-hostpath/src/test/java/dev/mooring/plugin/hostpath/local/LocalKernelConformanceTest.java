// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath.local;

import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.testkit.host.Machine;
import java.util.Optional;
import org.junit.jupiter.api.Tag;

/** The same contract on this machine's kernel: directories, and raw devices that are loop devices. */
@Tag("long")
class LocalKernelConformanceTest extends LocalConformanceTest {
    final LoopDisks disks = new LoopDisks();

    @Override
    public Machine machine() {
        return disks.machine();
    }

    @Override
    public Optional<VolumeSource> existingDevice(Machine machine, int number) {
        return Optional.of(disks.disk(machine, "raw-" + number, size().longValue()));
    }

    @Override
    public void grow(Machine machine, VolumeSource source, Quantity size) {
        disks.grow(source, size.longValue());
    }
}
