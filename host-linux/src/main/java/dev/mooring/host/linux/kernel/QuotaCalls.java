// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.kernel;

import com.sun.jna.LastErrorException;
import dev.mooring.host.linux.kernel.Architecture.Call;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The kernel's calls for project quotas, which ext4 and XFS answer alike. A file system is named by a directory in it
 * ({@code quotactl_fd}, Linux 5.14). Thread-safe.
 */
public final class QuotaCalls {
    private static final long GET_ATTRIBUTES = 0x801c581fL;
    private static final long SET_ATTRIBUTES = 0x401c5820L;
    private static final int ATTRIBUTES_BYTES = 28;
    private static final int FLAGS = 0;
    private static final int PROJECT = 12;
    private static final int INHERIT = 0x200;

    private static final int OF_PROJECTS = 2;
    private static final long GET_QUOTA = 0x800007L << 8 | OF_PROJECTS;
    private static final long SET_QUOTA = 0x800008L << 8 | OF_PROJECTS;
    private static final long GET_STATE = ((long) 'X' << 8 | 5) << 8 | OF_PROJECTS;
    private static final int QUOTA_BYTES = 72;
    private static final int HARD_LIMIT = 0;
    private static final int USED_BYTES = 16;
    private static final int USED_FILES = 40;
    private static final int VALID = 64;
    private static final int SPACE_LIMITS = 1;
    private static final int STATE_BYTES = 128;
    private static final int STATE_FLAGS = 2;
    private static final int ENFORCED = 1 << 5;
    private static final int BLOCK = 1024;

    private final Kernel kernel;

    public QuotaCalls(Kernel kernel) {
        this.kernel = kernel;
    }

    /**
     * What belongs to a project.
     *
     * @param limit in bytes; 0 for none
     * @param bytes how much it holds
     * @param files how many files
     */
    public record Usage(long limit, long bytes, long files) {
        public boolean isUnused() {
            return limit == 0 && bytes == 0 && files == 0;
        }
    }

    /** Whether a call failed because the kernel, the file system or its mount has no such quotas. */
    public static boolean isMissing(KernelException e) {
        return switch (e.errno()) {
            case Errno.ENOSYS, Errno.ENOTTY, Errno.EOPNOTSUPP, Errno.ESRCH, Errno.EINVAL -> true;
            default -> false;
        };
    }

    public int project(Descriptor directory) throws KernelException {
        return fields(attributes(directory)).getInt(PROJECT);
    }

    /** What is made in the directory from now on belongs to the project too. */
    public void setProject(Descriptor directory, int project) throws KernelException {
        byte[] attributes = attributes(directory);
        ByteBuffer fields = fields(attributes);
        fields.putInt(FLAGS, fields.getInt(FLAGS) | INHERIT).putInt(PROJECT, project);
        control(directory, SET_ATTRIBUTES, attributes, "FS_IOC_FSSETXATTR");
    }

    private byte[] attributes(Descriptor directory) throws KernelException {
        byte[] attributes = new byte[ATTRIBUTES_BYTES];
        control(directory, GET_ATTRIBUTES, attributes, "FS_IOC_FSGETXATTR");
        return attributes;
    }

    private static ByteBuffer fields(byte[] struct) {
        return ByteBuffer.wrap(struct).order(ByteOrder.nativeOrder());
    }

    private void control(Descriptor directory, long request, byte[] argument, String name) throws KernelException {
        try {
            Libc.syscall(kernel.number(Call.IOCTL), directory.number(), request, argument, 0, 0);
        } catch (LastErrorException e) {
            throw Kernel.failed(e, "ioctl", Kernel.name(name));
        }
    }

    /** Whether what is too much is refused and not only counted. */
    public boolean enforced(Descriptor directory) throws KernelException {
        byte[] state = new byte[STATE_BYTES];
        quota(directory, GET_STATE, 0, state);
        return (fields(state).getShort(STATE_FLAGS) & ENFORCED) != 0;
    }

    public Usage usage(Descriptor directory, int project) throws KernelException {
        byte[] quota = new byte[QUOTA_BYTES];
        try {
            quota(directory, GET_QUOTA, project, quota);
        } catch (KernelException e) {
            if (e.is(Errno.ENOENT)) {
                return new Usage(0, 0, 0);
            }
            throw e;
        }
        ByteBuffer fields = fields(quota);
        return new Usage(fields.getLong(HARD_LIMIT) * BLOCK, fields.getLong(USED_BYTES), fields.getLong(USED_FILES));
    }

    /** Sets the limit, rounded up to blocks of 1024 bytes; 0 takes it away. */
    public void setLimit(Descriptor directory, int project, long bytes) throws KernelException {
        byte[] quota = new byte[QUOTA_BYTES];
        fields(quota)
                .putLong(HARD_LIMIT, bytes / BLOCK + (bytes % BLOCK == 0 ? 0 : 1))
                .putInt(VALID, SPACE_LIMITS);
        quota(directory, SET_QUOTA, project, quota);
    }

    private void quota(Descriptor directory, long command, int project, byte[] argument) throws KernelException {
        try {
            Libc.syscall(Architecture.QUOTACTL_FD, directory.number(), command, (long) project, argument, 0);
        } catch (LastErrorException e) {
            throw Kernel.failed(e, "quotactl", Kernel.name("of projects"));
        }
    }
}
