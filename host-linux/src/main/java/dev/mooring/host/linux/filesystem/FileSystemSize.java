// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.filesystem;

import dev.mooring.host.linux.kernel.BoundedCalls;
import dev.mooring.host.linux.kernel.Descriptor;
import dev.mooring.host.linux.kernel.DeviceCalls;
import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.MountEntry;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

/**
 * How large a mounted file system is, with its own tables. The numbers of {@code statfs} leave those out for ext file systems, of which the
 * superblock is read as the kernel has it; XFS is asked.
 */
public final class FileSystemSize implements Growing.SizeReader {
    private static final long XFS_GEOMETRY = 0x80705864L;
    private static final int XFS_GEOMETRY_BYTES = 112;
    private static final int SUPERBLOCK = 1024;
    private static final int EXT_MAGIC = 0xef53;
    private static final int EXT_64BIT = 0x80;

    private final Kernel kernel;
    private final DeviceCalls devices;
    private final BoundedCalls bounded;

    public FileSystemSize(Kernel kernel, BoundedCalls bounded) {
        this.kernel = kernel;
        this.devices = new DeviceCalls(kernel);
        this.bounded = bounded;
    }

    @Override
    public Outcome<Long> size(OperationContext context, BlockDevice device, MountEntry mounted) {
        return bounded.call(context, "device " + device.name(), "the reading of the size of " + mounted, () -> {
            if (FileSystemTools.isExt(mounted.fsType())) {
                return ofExt(device);
            }
            return mounted.fsType().equals("xfs") ? ofXfs(mounted.mountPoint()) : ofAny(mounted.mountPoint());
        });
    }

    private Outcome<Long> ofExt(BlockDevice device) throws KernelException {
        byte[] content = new byte[2 * SUPERBLOCK];
        try (Descriptor opened = devices.open(Kernel.name(device.path()), Kernel.O_RDONLY)) {
            int count = kernel.read(opened, content);
            return count == content.length
                    ? extSize(ByteBuffer.wrap(content, SUPERBLOCK, SUPERBLOCK).slice())
                    : Outcome.deferred(device.path() + " gave only " + count + " bytes");
        }
    }

    /** Fields of {@code struct ext4_super_block}. */
    static Outcome<Long> extSize(ByteBuffer superblock) {
        ByteBuffer fields = superblock.order(ByteOrder.LITTLE_ENDIAN);
        if (Short.toUnsignedInt(fields.getShort(0x38)) != EXT_MAGIC) {
            return Outcome.refused(Refusal.CORRUPT, "the superblock is not where it has to be");
        }
        boolean wide = (fields.getInt(0x60) & EXT_64BIT) != 0;
        long blocks = Integer.toUnsignedLong(fields.getInt(0x4))
                | (wide ? Integer.toUnsignedLong(fields.getInt(0x150)) << 32 : 0);
        return Outcome.done(blocks << (10 + fields.getInt(0x18)));
    }

    private Outcome<Long> ofXfs(Path mountPoint) throws KernelException {
        byte[] geometry = new byte[XFS_GEOMETRY_BYTES];
        try (Descriptor opened = devices.open(Kernel.name(mountPoint), Kernel.O_RDONLY)) {
            devices.control(opened, XFS_GEOMETRY, geometry, "XFS_IOC_FSGEOMETRY_V1");
        }
        ByteBuffer fields = ByteBuffer.wrap(geometry).order(ByteOrder.nativeOrder());
        return Outcome.done(Integer.toUnsignedLong(fields.getInt(0)) * fields.getLong(32));
    }

    private Outcome<Long> ofAny(Path mountPoint) throws KernelException {
        try (Descriptor opened = devices.open(Kernel.name(mountPoint), Kernel.O_RDONLY)) {
            ByteBuffer fields = kernel.fileSystem(opened);
            return Outcome.done(fields.getLong(8) * fields.getLong(16));
        }
    }
}
