// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi.host;

import org.apiguardian.api.API;

/**
 * What was copied of a tree.
 *
 * @param files how many files and links, also those that an earlier attempt had copied
 * @param directories how many directories below the root
 * @param leftOut how many sockets, pipes and device nodes, which are not copied
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CopiedTree(long files, long directories, long leftOut) {}
