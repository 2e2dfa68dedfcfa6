// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.testkit.bench.Bench;
import dev.mooring.testkit.bench.TestMachines;
import dev.mooring.testkit.host.Machine;
import dev.mooring.testkit.subject.PluginSubject;
import org.junit.jupiter.api.Test;

class GrowthTest {
    /** What is known of the changes of one call must not be taken for those of another. */
    @Test
    void growingARawDeviceIsAnotherCallThanGrowingAFileSystem() {
        TestMachines machines = new TestMachines(new Subject());

        machines.supervised("naming calls", supervisor -> {
            Bench bench = machines.take(false, supervisor);
            assertThat(Growth.onNode(bench.life(1, VolumeMode.BLOCK)).operation())
                    .isNotEqualTo(
                            Growth.onNode(bench.life(1, VolumeMode.FILESYSTEM)).operation());
        });
    }

    /** The author's. */
    private static final class Subject implements PluginSubject {
        @Override
        public StoragePlugin plugin(Machine machine) {
            return new BoxPlugin(machine.directory(), BoxPlugin.Mistake.NONE);
        }
    }
}
