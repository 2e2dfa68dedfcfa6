// SPDX-License-Identifier: Apache-2.0
/**
 * Binds claims to volumes: {@link dev.mooring.binder.Binder} makes the controllers that an embedder hands to a runtime.
 *
 * <p>To read how it works, begin with {@code binder.control}: {@code UnboundClaim} decides which volume a claim gets, {@code Binding} which
 * write comes next. {@code binder.index} finds the volume.
 */
@NullMarked
package dev.mooring.binder;

import org.jspecify.annotations.NullMarked;
