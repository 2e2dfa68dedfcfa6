// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.kernel;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Error numbers, which are the same on both machines. */
public final class Errno {
    public static final int EPERM = 1;
    public static final int ENOENT = 2;
    static final int ESRCH = 3;
    static final int EINTR = 4;
    public static final int EIO = 5;
    public static final int ENXIO = 6;
    static final int EAGAIN = 11;
    static final int ENOMEM = 12;
    public static final int EACCES = 13;
    public static final int ENOTBLK = 15;
    public static final int EBUSY = 16;
    public static final int EEXIST = 17;
    public static final int EXDEV = 18;
    public static final int ENODEV = 19;
    public static final int ENOTDIR = 20;
    public static final int EISDIR = 21;
    public static final int EINVAL = 22;
    static final int ENFILE = 23;
    static final int EMFILE = 24;
    public static final int ENOTTY = 25;
    static final int ENOSPC = 28;
    static final int ETXTBSY = 26;
    public static final int EROFS = 30;
    static final int ENAMETOOLONG = 36;
    static final int ENOSYS = 38;
    public static final int ENOTEMPTY = 39;
    public static final int ELOOP = 40;
    public static final int EOVERFLOW = 75;
    static final int EOPNOTSUPP = 95;
    static final int ENOTCONN = 107;
    static final int ETIMEDOUT = 110;
    static final int EHOSTDOWN = 112;
    static final int ESTALE = 116;
    public static final int EUCLEAN = 117;
    static final int EDQUOT = 122;
    static final int ENOMEDIUM = 123;

    /** Asked for at once: without a descriptor no class can be loaded any more that tells it. */
    private static final Optional<String> OPEN_FILES =
            KernelLimits.openFiles().stream().mapToObj(Long::toString).findFirst();

    private static final Map<Integer, String> TEXTS = Map.ofEntries(
            Map.entry(EPERM, "operation not permitted"),
            Map.entry(ENOENT, "no such file or directory"),
            Map.entry(ENOTTY, "not known to this file system"),
            Map.entry(EOPNOTSUPP, "not supported here"),
            Map.entry(EIO, "input/output error"),
            Map.entry(ENXIO, "no such device"),
            Map.entry(ENODEV, "no such device"),
            Map.entry(EACCES, "permission denied"),
            Map.entry(ENOTBLK, "not a block device"),
            Map.entry(EBUSY, "in use"),
            Map.entry(EEXIST, "exists already"),
            Map.entry(EXDEV, "leads to another mount"),
            Map.entry(ENOTDIR, "not a directory"),
            Map.entry(EISDIR, "is a directory"),
            Map.entry(EINVAL, "invalid argument"),
            Map.entry(EAGAIN, "not now: a limit of this user or of the machine may be reached"),
            Map.entry(ENOMEM, "out of memory"),
            Map.entry(EOVERFLOW, "a limit of the kernel is reached"),
            Map.entry(ENOTCONN, "not connected"),
            Map.entry(ETIMEDOUT, "timed out"),
            Map.entry(EHOSTDOWN, "the host is down"),
            Map.entry(ENOMEDIUM, "there is no medium"),
            Map.entry(ENOSPC, "no space left"),
            Map.entry(EROFS, "read-only file system"),
            Map.entry(ENAMETOOLONG, "name too long"),
            Map.entry(ENOSYS, "not known to this kernel"),
            Map.entry(ENOTEMPTY, "directory not empty"),
            Map.entry(ELOOP, "leads through a symbolic link, or through too many"),
            Map.entry(ESTALE, "stale file handle"),
            Map.entry(EUCLEAN, "the structure needs cleaning"),
            Map.entry(EDQUOT, "quota exceeded"));

    /** What these numbers mean when they come from a call about mounts. */
    private static final String NO_RIGHT_TO_MOUNT =
            "operation not permitted: mounting takes root with CAP_SYS_ADMIN, and no locked mount may be in the way";

    private static final Set<String> MOUNT_CALLS =
            Set.of("mount", "move_mount", "open_tree", "mount_setattr", "umount");

    private Errno() {}

    /**
     * What a number means.
     *
     * @param what the system call that failed, and what it was about
     */
    static String text(String what, int errno) {
        String call = what.split(" ", 2)[0];
        boolean mounts = MOUNT_CALLS.contains(call);
        return switch (errno) {
            case EMFILE ->
                "this process has as many files open as it may"
                        + shown(OPEN_FILES)
                        + ": raise its limit (ulimit -n, or LimitNOFILE= of the systemd unit)";
            case ENFILE ->
                "the machine has as many files open as it may" + shown(KernelLimits.files())
                        + ": raise fs.file-max (sysctl -w, /proc/sys/fs/file-max)";
            case ENOSPC -> mounts ? fullTable() : usual(errno);
            case EPERM -> mounts ? NO_RIGHT_TO_MOUNT : usual(errno);
            default -> usual(errno);
        };
    }

    private static String fullTable() {
        return "the mount table is full" + shown(KernelLimits.mounts())
                + ": unmount what is not needed, or raise fs.mount-max (sysctl -w, /proc/sys/fs/mount-max)";
    }

    private static String shown(Optional<String> limit) {
        return limit.map(value -> " (" + value + ")").orElse("");
    }

    private static String usual(int errno) {
        return TEXTS.getOrDefault(errno, "error " + errno);
    }
}
