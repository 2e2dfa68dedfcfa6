// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.storage.spi.Outcome;
import java.io.IOException;

/** Reads the kernel's mount table as text. One reading is consistent since Linux 5.8 (semantics/plugins §1.2). Thread-safe. */
final class MountTableReader {
    /** Reads the file once. */
    @FunctionalInterface
    interface File {
        byte[] read() throws IOException;
    }

    private final File file;

    MountTableReader(File file) {
        this.file = file;
    }

    Outcome<String> read() {
        try {
            return Outcome.done(new String(file.read(), Kernel.PATHS));
        } catch (IOException e) {
            return Outcome.uncertain("the mount table cannot be read: " + e.getMessage());
        }
    }
}
