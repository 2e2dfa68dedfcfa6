// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.host;

import java.nio.file.Path;

/**
 * A file as it is seen through a mount.
 *
 * @param node the file
 * @param mountId the number of the mount
 * @param path the path on which it was found, without links
 */
record MemoryPlace(MemoryNode node, int mountId, Path path) {}
