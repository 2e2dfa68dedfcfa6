// SPDX-License-Identifier: Apache-2.0
/** What surrounds the control plane in a simulation: back-ends, faults of calls and writes, nodes and their agents. */
@NullMarked
package dev.mooring.simulation.world;

import org.jspecify.annotations.NullMarked;
