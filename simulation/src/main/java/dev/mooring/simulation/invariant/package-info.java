// SPDX-License-Identifier: Apache-2.0
/**
 * What must hold in a simulated world: {@link dev.mooring.simulation.invariant.Invariant}s look at every write, every call and every
 * state, and know what is really attached and mounted. Those of Mooring are the safety invariants of semantics/binder §7.1 and
 * semantics/attach-and-mount §7.7; others may be added.
 */
@NullMarked
package dev.mooring.simulation.invariant;

import org.jspecify.annotations.NullMarked;
