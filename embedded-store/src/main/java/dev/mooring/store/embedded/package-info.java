// SPDX-License-Identifier: Apache-2.0
/**
 * What a single machine keeps on its disk, in SQLite files: {@link dev.mooring.store.embedded.EmbeddedClusterStore} has the objects of a
 * cluster, {@link dev.mooring.store.embedded.EmbeddedRecordLog} is the node's memory of what it has mounted.
 *
 * <p>SQLite survives the loss of power at any instant, says so when a file is damaged, and can be looked at with any of its tools.
 */
@NullMarked
package dev.mooring.store.embedded;

import org.jspecify.annotations.NullMarked;
