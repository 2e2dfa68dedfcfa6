// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import java.nio.file.Path;
import java.util.Optional;

/** File systems of which the kernel has not let go although no mount shows them any more. */
final class Superblocks {
    private static final Path VOLUMES = Path.of("/proc/fs/nfsfs/volumes");
    /** Version, server, port, device, file system, cache. */
    private static final int DEVICE_COLUMN = 3;

    private final OperationContext context;

    Superblocks(OperationContext context) {
        this.context = context;
    }

    /** Done if a file system is neither mounted nor known to the kernel's NFS client; else uncertain. */
    Outcome<Nothing> gone(String device) {
        return context.host().mounts().table().then(table -> {
            boolean mounted =
                    table.entries().stream().anyMatch(entry -> entry.device().equals(device));
            return mounted
                    ? draining(device, "it is mounted at another place")
                    : context.host()
                            .sysfs()
                            .read(VOLUMES)
                            .match(
                                    done -> listed(done.value(), device),
                                    refused -> draining(device, refused.why()),
                                    uncertain -> draining(device, uncertain.why()),
                                    deferred -> draining(device, deferred.why()),
                                    elsewhere -> draining(device, elsewhere.why()));
        });
    }

    private static Outcome<Nothing> listed(Optional<String> volumes, String device) {
        boolean known = volumes.orElse("")
                .lines()
                .map(line -> line.trim().split("\\s+"))
                .anyMatch(columns -> columns.length > DEVICE_COLUMN && columns[DEVICE_COLUMN].equals(device));
        return known ? draining(device, "the kernel still holds it") : Outcome.done();
    }

    private static Outcome<Nothing> draining(String device, String why) {
        return Outcome.uncertain("draining: file system " + device + " may still be written to: " + why);
    }
}
