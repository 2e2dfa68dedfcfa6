// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi.host;

import org.apiguardian.api.API;

/**
 * What was removed from a tree.
 *
 * @param files how many files, links, sockets, pipes and device nodes
 * @param directories how many directories
 * @param kept how many names were kept by rule
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record EmptiedTree(long files, long directories, int kept) {}
