// SPDX-License-Identifier: Apache-2.0
/**
 * The scheduler's side of volume binding (semantics/binder §2.2, §3.6 to §3.9): which nodes a pod's volumes allow, which volumes it would
 * get there, and the way from a choice to bound claims.
 *
 * <p>{@link dev.mooring.binder.scheduling.VolumeScheduling} is for schedulers that embed us;
 * {@link dev.mooring.binder.scheduling.VolumeScheduling#scheduler} makes the small scheduler of clusters that have no other.
 */
@NullMarked
package dev.mooring.binder.scheduling;

import org.jspecify.annotations.NullMarked;
