// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.kernel;

import com.sun.jna.LastErrorException;
import dev.mooring.host.linux.kernel.Architecture.Call;
import java.util.function.LongSupplier;

/**
 * Calls that make something, without the umask: what is made has its mode from the first moment, also for readers that come after a crash.
 * The umask belongs to the process; only a thread that has parted from it may have another umask for a while. Nothing here relies on the
 * working directory, from which such a thread parts, too.
 */
final class Umask {
    private static final long CLONE_FS = 0x200;

    private final Kernel kernel;

    Umask(Kernel kernel) {
        this.kernel = kernel;
    }

    /** Makes a call; with the process's umask where the thread may not part from it. */
    long without(LongSupplier call) {
        // each time: a thread that this one has started since shares its umask
        if (!parted()) {
            return call.getAsLong();
        }
        int before = kernel.umask(0);
        try {
            return call.getAsLong();
        } finally {
            kernel.umask(before);
        }
    }

    private boolean parted() {
        try {
            Libc.syscall(kernel.number(Call.UNSHARE), CLONE_FS, 0L, 0, 0, 0);
            return true;
        } catch (LastErrorException forbidden) {
            return false;
        }
    }
}
