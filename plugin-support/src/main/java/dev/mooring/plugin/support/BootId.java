// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.support;

import dev.mooring.storage.spi.host.HostServices;
import java.nio.file.Path;
import java.util.Optional;
import org.apiguardian.api.API;

/** Names the running boot of the machine: mounts, sessions and processes of another boot are gone. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class BootId {
    private static final Path FILE = Path.of("/proc/sys/kernel/random/boot_id");

    private BootId() {}

    /** The name of the running boot; empty where the host does not show it. */
    public static Optional<String> current(HostServices host) {
        return host.sysfs().read(FILE).result().flatMap(text -> text);
    }
}
