// SPDX-License-Identifier: Apache-2.0
/**
 * Which node storage is on, or shall be made on: {@link dev.mooring.binder.placement.NodeChoice} chooses among the nodes that there are,
 * {@link dev.mooring.binder.placement.Topologies} says which ones a class allows.
 *
 * <p>Not exported. Pure functions of the caches and of classes.
 */
@NullMarked
package dev.mooring.binder.placement;

import org.jspecify.annotations.NullMarked;
