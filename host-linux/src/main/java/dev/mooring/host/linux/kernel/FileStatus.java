// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.kernel;

import dev.mooring.storage.spi.host.FileKind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What {@code statx(2)} tells; its layout is the same on all machines.
 *
 * @param mode type and permission bits
 * @param specialMajor of a device file: the major number of the device
 * @param specialMinor of a device file: its minor number
 * @param mountId 0 if the kernel does not say it
 */
public record FileStatus(
        int mode,
        int owner,
        int group,
        long inode,
        long size,
        int specialMajor,
        int specialMinor,
        int deviceMajor,
        int deviceMinor,
        int mountId) {
    static final int BYTES = 256;

    static FileStatus read(byte[] statx) {
        ByteBuffer buffer = ByteBuffer.wrap(statx).order(ByteOrder.nativeOrder());
        return new FileStatus(
                buffer.getShort(28) & 0xffff,
                buffer.getInt(20),
                buffer.getInt(24),
                buffer.getLong(32),
                buffer.getLong(40),
                buffer.getInt(128),
                buffer.getInt(132),
                buffer.getInt(136),
                buffer.getInt(140),
                (int) buffer.getLong(144));
    }

    public boolean isDirectory() {
        return (mode & 0170000) == 0040000;
    }

    public int permissions() {
        return mode & 07777;
    }

    public String device() {
        return deviceMajor + ":" + deviceMinor;
    }

    /** Of a device file: which device it is. */
    public String special() {
        return specialMajor + ":" + specialMinor;
    }

    public boolean sameFileAs(FileStatus other) {
        return inode == other.inode && deviceMajor == other.deviceMajor && deviceMinor == other.deviceMinor;
    }

    public FileKind kind() {
        return switch (mode & 0170000) {
            case 0040000 -> FileKind.DIRECTORY;
            case 0120000 -> FileKind.LINK;
            case 0140000 -> FileKind.SOCKET;
            case 0010000 -> FileKind.FIFO;
            case 0020000 -> FileKind.CHARACTER_DEVICE;
            case 0060000 -> FileKind.BLOCK_DEVICE;
            default -> FileKind.FILE;
        };
    }
}
