// SPDX-License-Identifier: Apache-2.0
/**
 * What surrounds the control plane in a simulation. {@link dev.mooring.simulation.world.SimulatedCluster} holds it all together: the store,
 * back-ends ({@link dev.mooring.simulation.world.SimulatedBackends}), machines with their agents, users, and the declared faults of calls
 * and writes. {@link dev.mooring.simulation.world.Trace} records what happens.
 */
@NullMarked
package dev.mooring.simulation.world;

import org.jspecify.annotations.NullMarked;
