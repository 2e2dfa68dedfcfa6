// SPDX-License-Identifier: Apache-2.0
/**
 * The port to the world: everything the controllers read from and write to a cluster goes through a {@link
 * dev.mooring.storage.store.ClusterStore}. An implementation keeps whole documents, so that what the model does not know
 * survives every write; callers see typed values and typed outcomes.
 */
@NullMarked
package dev.mooring.storage.store;

import org.jspecify.annotations.NullMarked;
