// SPDX-License-Identifier: Apache-2.0
/** A {@link dev.mooring.storage.store.ClusterStore} over a real API server. */
@NullMarked
package dev.mooring.kubernetes;

import org.jspecify.annotations.NullMarked;
