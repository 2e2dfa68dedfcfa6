// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi.host;

import org.apiguardian.api.API;

/** Something that a kernel or the rights of a process allow or not. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum HostFeature {
    /** Files of every owner can be read, made and removed. */
    ROOT,
    /** Paths are resolved under rules: beneath a directory, without links, without crossing a mount (Linux 5.6). */
    RESOLVE_RULES,
    /** The kernel says on which mount a file is (Linux 5.8). */
    MOUNT_IDENTITY,
    /** The kernel prepares a mount out of sight and then attaches it (Linux 5.12). Without it nothing is bound. */
    ATOMIC_BIND,
    /** Tools run in a process group of their own, so that all of it can be ended. */
    PROCESS_GROUPS,
    /** An unmount that waits for a dead server can be given up without a thread that stays. */
    KILLABLE_UNMOUNT,
    /** The kernel labels files by SELinux. */
    SELINUX
}
