// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi.host;

import org.apiguardian.api.API;

/**
 * What was looked at while a tree was given to a group.
 *
 * @param changed how many files, directories and links had to be changed
 * @param unchanged how many were right already
 * @param mounts how many mount points were left alone
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record OwnedTree(long changed, long unchanged, long mounts) {}
