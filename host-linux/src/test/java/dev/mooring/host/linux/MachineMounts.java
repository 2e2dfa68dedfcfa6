// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import dev.mooring.host.linux.kernel.BoundedCalls;
import dev.mooring.host.linux.support.Machine;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.HostCapabilities;
import dev.mooring.storage.spi.host.HostFeature;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The mounts of a machine, beside those of its host. */
final class MachineMounts {
    private MachineMounts() {}

    /** Followed by nobody yet. */
    static LinuxMounts ofTheirOwn(Machine machine) {
        return of(machine, machine.host.capabilities(), false);
    }

    /** As they are on a kernel without the mount calls of Linux 5.12. */
    static LinuxMounts ofAnOldKernel(Machine machine) {
        Map<HostFeature, String> missing = new EnumMap<>(HostFeature.class);
        missing.putAll(machine.host.capabilities().missing());
        missing.put(HostFeature.ATOMIC_BIND, "left out by the test");
        return of(machine, new HostCapabilities(missing), true);
    }

    private static LinuxMounts of(Machine machine, HostCapabilities capabilities, boolean twice) {
        MountTableReader reader =
                new MountTableReader(() -> Files.readAllBytes(Path.of("/proc/self/mountinfo")), twice);
        return new LinuxMounts(
                machine.kernel,
                capabilities,
                machine.host.processes(),
                reader,
                machine.layout,
                new KeptParts(machine.kernel, () -> Outcome.done(List.of(machine.layout.state()))),
                new BoundedCalls());
    }
}
