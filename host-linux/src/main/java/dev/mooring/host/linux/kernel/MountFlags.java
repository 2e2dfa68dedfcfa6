// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.kernel;

/** The flags of {@code mount(2)} and {@code umount2(2)}, with the kernel's numbers. */
public final class MountFlags {
    public static final long READ_ONLY = 1;
    public static final long NO_SETUID = 2;
    public static final long NO_DEVICES = 4;
    public static final long NO_EXECUTION = 8;
    public static final long REMOUNT = 1 << 5;
    public static final long BIND = 1 << 12;
    public static final long MOVE = 1 << 13;
    public static final long RECURSIVE = 1 << 14;
    public static final long UNBINDABLE = 1 << 17;
    public static final long PRIVATE = 1 << 18;
    public static final long SLAVE = 1 << 19;
    public static final long SHARED = 1 << 20;

    /** Of an unmount: also while it is in use, and with all that is mounted below. */
    public static final int DETACH = 2;
    /** Of an unmount: a link at the end is not followed. */
    public static final int NO_FOLLOW = 8;

    private MountFlags() {}
}
