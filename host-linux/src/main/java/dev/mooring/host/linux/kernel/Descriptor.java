// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.kernel;

/** An open file descriptor that is closed exactly once. For one thread at a time. */
public final class Descriptor implements AutoCloseable {
    private final Kernel kernel;
    private final int number;
    private boolean open = true;

    Descriptor(Kernel kernel, int number) {
        this.kernel = kernel;
        this.number = number;
    }

    public int number() {
        if (!open) {
            throw new IllegalStateException("this path has been closed");
        }
        return number;
    }

    /** A path that leads to the open file itself, whatever its name is by now; for the calls that take no descriptor. */
    public String link() {
        return "/proc/self/fd/" + number();
    }

    @Override
    public void close() {
        if (open) {
            open = false;
            kernel.close(number);
        }
    }
}
