// SPDX-License-Identifier: Apache-2.0
/**
 * Random worlds: a whole control plane in virtual time, users and faults that a seed decides, and a witness that knows what is really
 * attached and mounted and compares it with the safety invariants of semantics/attach-and-mount §7.7 at every call.
 */
@NullMarked
package dev.mooring.simulation.random;

import org.jspecify.annotations.NullMarked;
