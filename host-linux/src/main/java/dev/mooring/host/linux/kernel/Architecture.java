// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.kernel;

import java.util.Locale;
import java.util.Optional;

/** System call numbers and the open flags that differ between machines. Calls since 424 have one number everywhere. */
public enum Architecture {
    X86_64(0x10000, 0x20000, 0x4000),
    AARCH64(0x4000, 0x8000, 0x10000);

    /** A call with its number on x86_64 and on aarch64. */
    public enum Call {
        OPENAT(257, 56),
        CLOSE(3, 57),
        MKDIRAT(258, 34),
        UNLINKAT(263, 35),
        RENAMEAT2(316, 276),
        UMOUNT2(166, 39),
        STATX(332, 291),
        FSTATFS(138, 44),
        GETDENTS64(217, 61),
        FSYNC(74, 82),
        FCHMODAT(268, 53),
        FCHOWNAT(260, 54),
        READLINKAT(267, 78),
        READ(0, 63),
        WRITE(1, 64),
        KILL(62, 129),
        GETEUID(107, 175),
        UMASK(95, 166),
        UNSHARE(272, 97),
        SYMLINKAT(266, 36),
        LSEEK(8, 62),
        MOUNT(165, 40),
        IOCTL(16, 29),
        PREAD64(17, 67),
        PPOLL(271, 73),
        EVENTFD2(290, 19),
        FTRUNCATE(77, 46),
        SYNCFS(306, 267),
        COPY_FILE_RANGE(326, 285);

        private final int onX86;
        private final int onArm;

        Call(int onX86, int onArm) {
            this.onX86 = onX86;
            this.onArm = onArm;
        }
    }

    static final int OPEN_TREE = 428;
    static final int MOVE_MOUNT = 429;
    static final int OPENAT2 = 437;
    static final int MOUNT_SETATTR = 442;
    static final int QUOTACTL_FD = 443;
    static final int STATMOUNT = 457;
    static final int LISTMOUNT = 458;

    public final int directoryFlag;
    public final int noFollowFlag;
    final int directFlag;

    Architecture(int directoryFlag, int noFollowFlag, int directFlag) {
        this.directoryFlag = directoryFlag;
        this.noFollowFlag = noFollowFlag;
        this.directFlag = directFlag;
    }

    public int number(Call call) {
        return this == X86_64 ? call.onX86 : call.onArm;
    }

    /** The machine's, if it is a Linux of which the numbers are known. */
    public static Optional<Architecture> ofThisMachine() {
        if (!System.getProperty("os.name", "").equals("Linux")) {
            return Optional.empty();
        }
        return switch (System.getProperty("os.arch", "").toLowerCase(Locale.ROOT)) {
            case "amd64", "x86_64" -> Optional.of(X86_64);
            case "aarch64", "arm64" -> Optional.of(AARCH64);
            default -> Optional.empty();
        };
    }
}
