// SPDX-License-Identifier: Apache-2.0
/**
 * What a node writes down before and after it acts, so that a crash at any point leaves no unknown mount
 * (semantics/attach-and-mount §7.3).
 *
 * <p>The rule is {@code INTENT → call → DONE} and {@code UNDO → call → GONE}: an entry is durable before the call that it announces is
 * made. Appending is an effect like any other, a {@link dev.mooring.runtime.record.RecordCall}, so that the interpreter of effects can
 * let a process die between any two of them.
 */
@NullMarked
package dev.mooring.runtime.record;

import org.jspecify.annotations.NullMarked;
