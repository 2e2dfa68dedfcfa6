// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.kernel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What {@code /proc} tells of an open file, on kernels that do not tell it themselves. */
final class DescriptorInfo {
    private static final String MOUNT = "mnt_id:";

    private DescriptorInfo() {}

    /** The number of the mount through which a file was opened; 0 if it is not told. */
    static int mountIdOf(int descriptor) {
        try {
            return mountId(Files.readString(Path.of("/proc/self/fdinfo", Integer.toString(descriptor))));
        } catch (IOException notTold) {
            return 0;
        }
    }

    static int mountId(String text) {
        return text.lines()
                .filter(line -> line.startsWith(MOUNT))
                .map(line -> line.substring(MOUNT.length()).strip())
                .filter(number -> number.matches("\\d{1,9}"))
                .mapToInt(Integer::parseInt)
                .findFirst()
                .orElse(0);
    }
}
