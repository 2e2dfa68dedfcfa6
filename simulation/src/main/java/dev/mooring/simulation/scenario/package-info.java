// SPDX-License-Identifier: Apache-2.0
/** Scenario files: reading them strictly, playing them in a simulated world, checking and showing what came of it. */
@NullMarked
package dev.mooring.simulation.scenario;

import org.jspecify.annotations.NullMarked;
