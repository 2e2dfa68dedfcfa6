// SPDX-License-Identifier: Apache-2.0
/** Shows a simulated world to the invariants that are set upon it, with the truth of what is attached and mounted beside it. */
@NullMarked
package dev.mooring.simulation.guard;

import org.jspecify.annotations.NullMarked;
