// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.option;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Locale;

/** What this machine and this process are called, unless the configuration names them. */
public final class HostName {
    private HostName() {}

    /** The machine's name as a node's name may be; {@code here} if that is not possible. */
    public static String ofThisMachine() throws IOException {
        String name = Files.readString(Path.of("/proc/sys/kernel/hostname"))
                .strip()
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9.-]", "-");
        return name.matches("[a-z0-9].*[a-z0-9]|[a-z0-9]") ? name : "here";
    }

    /** Names a process: the machine's name for people, and a number, since a process that starts again is another process. */
    public static String ofThisProcess() {
        String host;
        try {
            host = ofThisMachine();
        } catch (IOException e) {
            host = "controller";
        }
        return host + "_" + ProcessHandle.current().pid() + "_" + Long.toHexString(new SecureRandom().nextLong());
    }
}
