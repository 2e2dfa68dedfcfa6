// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.world;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.BlockDevices;
import dev.mooring.storage.spi.host.FileSystems;
import dev.mooring.storage.spi.host.Mounts;
import dev.mooring.storage.spi.host.ProcessRunner;
import java.util.function.Function;

/** Makes what a machine does with file systems, upon what a world shows of devices, mounts and tools. */
@FunctionalInterface
public interface Devices {
    /**
     * What works for one call.
     *
     * @param devices the machine's devices
     * @param mounts its mounts
     * @param tools its tools
     * @param heads the first bytes of a device, as they are on the medium
     * @return never null
     */
    FileSystems fileSystems(
            BlockDevices devices, Mounts mounts, ProcessRunner tools, Function<BlockDevice, Outcome<byte[]>> heads);
}
