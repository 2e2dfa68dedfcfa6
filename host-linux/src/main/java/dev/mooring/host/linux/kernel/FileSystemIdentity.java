// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.kernel;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Which file system a directory is in. {@code f_fsid} of statfs(2) is made of the file system's UUID by ext4 and btrfs, but of the
 * device's number by XFS, which another boot gives to another disk: XFS is asked for its UUID.
 */
public final class FileSystemIdentity {
    private static final int TYPE = 0;
    private static final int ID = 56;
    private static final long XFS = 0x58465342;
    /** {@code XFS_IOC_FSGEOMETRY_V1}: {@code _IOR('X', 100, struct xfs_fsop_geom_v1)}. */
    private static final long GEOMETRY = 0x80705864L;

    private static final int GEOMETRY_BYTES = 112;
    private static final int UUID = 64;
    private static final int UUID_BYTES = 16;

    private FileSystemIdentity() {}

    /**
     * In hexadecimal digits.
     *
     * @param file may be held as a path only
     * @param directory whether it is one: nothing else is opened, which might do something or wait
     */
    public static String of(Kernel kernel, Descriptor file, boolean directory) throws KernelException {
        ByteBuffer statistics = kernel.fileSystem(file);
        return directory && statistics.getLong(TYPE) == XFS
                ? uuid(kernel, file)
                : Long.toHexString(statistics.getLong(ID));
    }

    private static String uuid(Kernel kernel, Descriptor held) throws KernelException {
        byte[] geometry = new byte[GEOMETRY_BYTES];
        // ioctl(2) does not take a path
        try (Descriptor readable = kernel.openDirectory(held)) {
            new DeviceCalls(kernel).control(readable, GEOMETRY, geometry, "XFS_IOC_FSGEOMETRY_V1");
        }
        return HexFormat.of().formatHex(Arrays.copyOfRange(geometry, UUID, UUID + UUID_BYTES));
    }
}
