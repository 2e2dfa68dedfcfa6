// SPDX-License-Identifier: Apache-2.0
/**
 * What a controller knows of the cluster: one {@link dev.mooring.runtime.cache.ObjectCache} per kind, fed by list and watch and by
 * the answers to own writes.
 */
@NullMarked
package dev.mooring.runtime.cache;

import org.jspecify.annotations.NullMarked;
