// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.kernel;

import com.sun.jna.LastErrorException;
import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import dev.mooring.host.linux.kernel.Architecture.Call;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** System calls on open block devices. Any of them may wait for the device. Thread-safe. */
public final class DeviceCalls {
    private static final long BLKROSET = 0x125d;
    private static final long BLKGETSIZE64 = 0x80081272L;
    private static final long BLKFLSBUF = 0x1261;
    private static final int ALIGNMENT = 4096;

    private final Kernel kernel;

    public DeviceCalls(Kernel kernel) {
        this.kernel = kernel;
    }

    public Descriptor open(byte[] path, int flags) throws KernelException {
        return kernel.open(Kernel.CURRENT_DIRECTORY, path, flags | Kernel.O_NONBLOCK, 0);
    }

    /** Writes out what is held for the device and forgets it. */
    public void flush(Descriptor device) throws KernelException {
        kernel.flush(device);
        control(device, BLKFLSBUF, 0, "BLKFLSBUF");
    }

    public void setReadOnly(Descriptor device, boolean readOnly) throws KernelException {
        byte[] wanted = ByteBuffer.allocate(Integer.BYTES)
                .order(ByteOrder.nativeOrder())
                .putInt(readOnly ? 1 : 0)
                .array();
        control(device, BLKROSET, wanted, "BLKROSET");
    }

    public long size(Descriptor device) throws KernelException {
        byte[] size = new byte[Long.BYTES];
        control(device, BLKGETSIZE64, size, "BLKGETSIZE64");
        return ByteBuffer.wrap(size).order(ByteOrder.nativeOrder()).getLong();
    }

    public long control(Descriptor device, long request, long argument, String name) throws KernelException {
        try {
            return Libc.syscall(kernel.number(Call.IOCTL), device.number(), request, argument, 0, 0);
        } catch (LastErrorException e) {
            throw Kernel.failed(e, "ioctl", Kernel.name(name));
        }
    }

    public void control(Descriptor device, long request, byte[] argument, String name) throws KernelException {
        try {
            Libc.syscall(kernel.number(Call.IOCTL), device.number(), request, argument, 0, 0);
        } catch (LastErrorException e) {
            throw Kernel.failed(e, "ioctl", Kernel.name(name));
        }
    }

    /**
     * Reads from the medium itself, past the kernel's cache.
     *
     * @param device opened with {@code O_DIRECT}
     * @param offset a multiple of 4096
     * @param length a multiple of 4096
     * @return what was read; fewer bytes than asked for at the end of the device
     */
    public byte[] readDirect(Descriptor device, long offset, int length) throws KernelException {
        try (Memory memory = new Memory(length + (long) ALIGNMENT)) {
            Pointer aligned = memory.align(ALIGNMENT);
            int count = (int) Libc.syscall(
                    kernel.number(Call.PREAD64), device.number(), Pointer.nativeValue(aligned), length, offset, 0);
            return aligned.getByteArray(0, count);
        } catch (LastErrorException e) {
            throw Kernel.failed(e, "read", Kernel.name("at " + offset));
        }
    }
}
