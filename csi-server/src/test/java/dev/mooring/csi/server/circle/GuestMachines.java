// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server.circle;

import dev.mooring.csi.server.GuestServices;
import dev.mooring.host.linux.KeptPlaces;
import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.testkit.host.Machine;
import java.nio.file.Path;
import java.util.List;

/** Machines of a guest's kernel, each in a directory of its own. */
final class GuestMachines {
    private GuestMachines() {}

    /**
     * A machine of this kernel; elsewhere than in a guest the test is skipped.
     *
     * @param end what is done before its directory is removed
     */
    static Machine machine(Runnable end) {
        GuestServices.need();
        Machine real = Machine.inTemporaryDirectory(GuestMachines::host);
        return new Machine(real.directory(), real.host(), () -> {
            // A test that failed may have left mounts.
            List<MountEntry> mounts =
                    real.host().mounts().table().result().orElseThrow().below(real.directory());
            for (int i = mounts.size() - 1; i >= 0; i--) {
                GuestServices.tool("umount", "-l", mounts.get(i).mountPoint().toString());
            }
            end.run();
            real.close();
        });
    }

    private static LinuxHost host(Path directory) {
        return LinuxHost.ofThisMachine(new LinuxHostLayout(
                        directory.resolve("state"),
                        directory.resolve("orphans"),
                        KeptPlaces.in(directory.resolve("places"))))
                .orElseThrow();
    }
}
