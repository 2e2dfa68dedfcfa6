// SPDX-License-Identifier: Apache-2.0
/**
 * A {@link dev.mooring.storage.store.ClusterStore} with the API server's rules. {@link dev.mooring.clusterstore.ApiStore} has the rules,
 * over a small {@link dev.mooring.clusterstore.DocumentEngine} that keeps whole documents; {@link
 * dev.mooring.clusterstore.MemoryClusterStore} is one in memory. A write goes through {@code Writes}: identity, defaults, admission,
 * validation, commit.
 */
@NullMarked
package dev.mooring.clusterstore;

import org.jspecify.annotations.NullMarked;
