// SPDX-License-Identifier: Apache-2.0
/**
 * Makes the claims of pods' ephemeral volumes: {@link dev.mooring.binder.ephemeral.EphemeralClaims} decides when, and {@code
 * EphemeralTemplate} what the claim is like.
 *
 * <p>Not exported.
 */
@NullMarked
package dev.mooring.binder.ephemeral;

import org.jspecify.annotations.NullMarked;
