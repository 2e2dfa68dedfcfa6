// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** The name of this machine as a node, unless the configuration names another. */
final class HostName {
    private HostName() {}

    static String ofThisMachine() throws IOException {
        String name = Files.readString(Path.of("/proc/sys/kernel/hostname"))
                .strip()
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9.-]", "-");
        return name.matches("[a-z0-9].*[a-z0-9]|[a-z0-9]") ? name : "here";
    }
}
