// SPDX-License-Identifier: Apache-2.0
/**
 * Random worlds: a whole control plane in virtual time, users and faults that a seed decides, and invariants that look at every step.
 * {@link dev.mooring.simulation.random.Simulation} plays many and shrinks what fails to a scenario file; {@link
 * dev.mooring.simulation.random.RandomWorld} plays one. Invariants and acts of one's own are added by {@link
 * dev.mooring.simulation.random.WorldOptions}.
 */
@NullMarked
package dev.mooring.simulation.random;

import org.jspecify.annotations.NullMarked;
