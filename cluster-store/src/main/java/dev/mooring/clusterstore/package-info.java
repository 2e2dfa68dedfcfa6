// SPDX-License-Identifier: Apache-2.0
/** A {@link dev.mooring.storage.store.ClusterStore} with the API server's rules over a small engine that keeps whole documents. */
@NullMarked
package dev.mooring.clusterstore;

import org.jspecify.annotations.NullMarked;
