// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.kernel;

import com.sun.jna.LastErrorException;
import dev.mooring.host.linux.kernel.Architecture.Call;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;

/**
 * The kernel's word that the mount table has changed: a descriptor of the table that becomes urgent with the first change after it was
 * opened or last asked. For one thread at a time, except {@link #stop}.
 */
public final class MountEvents implements AutoCloseable {
    private static final byte[] TABLE = Kernel.name("/proc/self/mountinfo");
    private static final short POLLIN = 1;
    private static final short POLLPRI = 2;
    private static final short POLLERR = 8;
    private static final int ENTRY = 8;

    private final Kernel kernel;
    private final Descriptor table;
    private final Descriptor stop;

    public MountEvents(Kernel kernel) throws KernelException {
        this.kernel = kernel;
        this.table = kernel.open(Kernel.CURRENT_DIRECTORY, TABLE, Kernel.O_RDONLY, 0);
        try {
            this.stop = new Descriptor(
                    kernel, (int) Libc.syscall(kernel.number(Call.EVENTFD2), 0, Kernel.O_CLOEXEC, 0L, 0, 0));
        } catch (LastErrorException e) {
            table.close();
            throw Kernel.failed(e, "eventfd", new byte[0]);
        }
    }

    /** Whether it has changed since the last question. Does not wait, and does not read the table. */
    public boolean changed() throws KernelException {
        return poll(0) != 0;
    }

    /** Waits, without limit, for a change; false if {@link #stop} was called. */
    public boolean await() throws KernelException {
        while (true) {
            int urgent = poll(-1);
            if ((urgent & 2) != 0) {
                return false;
            }
            if (urgent != 0) {
                return true;
            }
        }
    }

    /**
     * Waits for a time, whatever changes.
     *
     * @return false if {@link #stop} was called
     */
    public boolean rest(Duration time) throws KernelException {
        byte[] entry = new byte[ENTRY];
        ByteBuffer fields = ByteBuffer.wrap(entry).order(ByteOrder.nativeOrder());
        fields.putInt(0, stop.number()).putShort(4, POLLIN);
        byte[] limit = new byte[2 * Long.BYTES];
        ByteBuffer.wrap(limit)
                .order(ByteOrder.nativeOrder())
                .putLong(time.toSeconds())
                .putLong(time.toNanosPart());
        try {
            Libc.syscall(kernel.number(Call.PPOLL), entry, 1, limit, 0, 0);
        } catch (LastErrorException e) {
            if (e.getErrorCode() != Errno.EINTR) {
                throw Kernel.failed(e, "poll", new byte[0]);
            }
        }
        return (fields.getShort(6) & POLLIN) == 0;
    }

    /** Ends the waiting. */
    public void stop() {
        try {
            kernel.writeAll(stop, new byte[] {1, 1, 1, 1, 1, 1, 1, 1});
        } catch (KernelException full) {
            // it is signalled already
        }
    }

    /** Bit 0: the table has changed; bit 1: told to stop. */
    private int poll(int timeout) throws KernelException {
        byte[] entries = new byte[2 * ENTRY];
        ByteBuffer fields = ByteBuffer.wrap(entries).order(ByteOrder.nativeOrder());
        fields.putInt(0, table.number()).putShort(4, POLLPRI);
        fields.putInt(ENTRY, stop.number()).putShort(ENTRY + 4, POLLIN);
        try {
            if (timeout == 0) {
                byte[] none = new byte[16];
                Libc.syscall(kernel.number(Call.PPOLL), entries, 2, none, 0, 0);
            } else {
                Libc.syscall(kernel.number(Call.PPOLL), entries, 2L, 0, 0, 0);
            }
        } catch (LastErrorException e) {
            if (e.getErrorCode() == Errno.EINTR) {
                return 0;
            }
            throw Kernel.failed(e, "poll", new byte[0]);
        }
        boolean changed = (fields.getShort(6) & (POLLPRI | POLLERR)) != 0;
        boolean stopped = (fields.getShort(ENTRY + 6) & POLLIN) != 0;
        return (changed ? 1 : 0) | (stopped ? 2 : 0);
    }

    @Override
    public void close() {
        table.close();
        stop.close();
    }
}
