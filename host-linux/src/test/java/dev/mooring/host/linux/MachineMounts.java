// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import dev.mooring.host.linux.kernel.BoundedCalls;
import dev.mooring.host.linux.support.KernelMachine;
import dev.mooring.storage.spi.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The mounts of a machine, beside those of its host. */
final class MachineMounts {
    private MachineMounts() {}

    /** No listener follows them yet. */
    static LinuxMounts ofTheirOwn(KernelMachine machine) {
        MountTableReader reader = new MountTableReader(() -> Files.readAllBytes(Path.of("/proc/self/mountinfo")));
        return new LinuxMounts(
                machine.kernel,
                machine.host.capabilities(),
                machine.host.processes(),
                reader,
                machine.layout,
                new KeptParts(machine.kernel, () -> Outcome.done(List.of(machine.layout.state()))),
                new BoundedCalls());
    }
}
