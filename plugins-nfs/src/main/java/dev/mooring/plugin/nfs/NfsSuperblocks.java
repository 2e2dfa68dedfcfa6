// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.MountEntry;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** File systems of which the kernel has not let go although no mount shows them any more. */
final class NfsSuperblocks {
    private static final Path VOLUMES = Path.of("/proc/fs/nfsfs/volumes");

    private final OperationContext context;

    NfsSuperblocks(OperationContext context) {
        this.context = context;
    }

    /** Done if a file system is neither mounted nor known to the kernel's NFS client; else uncertain. */
    Outcome<Nothing> gone(NfsSuperblock sought) {
        return context.host().mounts().table().then(table -> {
            List<MountEntry> numbered = table.entries().stream()
                    .filter(entry -> entry.device().equals(sought.device()))
                    .toList();
            if (numbered.stream().anyMatch(sought::mayBe)) {
                return draining(sought, "it is mounted at another place");
            }
            // the number was given out when everything had been written back
            return numbered.isEmpty() ? released(sought) : Outcome.done();
        });
    }

    private Outcome<Nothing> released(NfsSuperblock sought) {
        Outcome<Optional<String>> read = context.host().sysfs().read(VOLUMES);
        return read.isDone() ? listed(read.orThrow(), sought) : draining(sought, read.message());
    }

    private static Outcome<Nothing> listed(Optional<String> volumes, NfsSuperblock sought) {
        boolean known = volumes.orElse("").lines().anyMatch(sought::mayBe);
        return known ? draining(sought, "the kernel still holds it") : Outcome.done();
    }

    private static Outcome<Nothing> draining(NfsSuperblock sought, String why) {
        return Outcome.uncertain("draining: file system " + sought.device() + " may still be written to: " + why);
    }
}
