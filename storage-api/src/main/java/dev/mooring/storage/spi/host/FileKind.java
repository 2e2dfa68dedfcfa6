// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi.host;

import org.apiguardian.api.API;

/** The kind of a file. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum FileKind {
    /** A directory. */
    DIRECTORY,
    /** A regular file. */
    FILE,
    /** A symbolic link. */
    LINK,
    /** A socket. */
    SOCKET,
    /** A named pipe. */
    FIFO,
    /** A character device. */
    CHARACTER_DEVICE,
    /** A block device. */
    BLOCK_DEVICE
}
