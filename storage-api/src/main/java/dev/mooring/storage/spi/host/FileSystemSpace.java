// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi.host;

import org.apiguardian.api.API;

/**
 * How full a file system is.
 *
 * @param capacityBytes size in bytes
 * @param usedBytes used bytes
 * @param availableBytes bytes that an ordinary user can still write
 * @param inodes number of inodes; 0 where it counts none
 * @param freeInodes inodes not used
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record FileSystemSpace(long capacityBytes, long usedBytes, long availableBytes, long inodes, long freeInodes) {}
