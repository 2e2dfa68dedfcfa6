// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.storage.spi.OperationContext;
import java.nio.file.Path;
import java.util.Optional;

/** Which boot of the machine it is: mounts do not outlive one. */
final class Boot {
    private static final Path ID = Path.of("/proc/sys/kernel/random/boot_id");

    private Boot() {}

    /** The identity of the current boot; empty if the host does not tell. */
    static Optional<String> current(OperationContext context) {
        return context.host().sysfs().read(ID).result().flatMap(text -> text);
    }
}
