// SPDX-License-Identifier: Apache-2.0
/**
 * Keeps what is used from being deleted: a controller each for claims, volumes and attributes classes puts a finalizer on them, and takes
 * it away when they are not in use any more, which a live read confirms.
 *
 * <p>Not exported.
 */
@NullMarked
package dev.mooring.binder.protection;

import org.jspecify.annotations.NullMarked;
