// SPDX-License-Identifier: Apache-2.0
/**
 * Binds claims to volumes: {@link dev.mooring.binder.Binder} makes the controllers that an embedder hands to a runtime.
 */
@NullMarked
package dev.mooring.binder;

import org.jspecify.annotations.NullMarked;
