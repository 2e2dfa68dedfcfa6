// SPDX-License-Identifier: Apache-2.0
/**
 * Scenario files: {@code ScenarioParser} reads them strictly, {@code ScenarioRunner} plays them in a simulated world and checks what they
 * expect, {@code TextReport} and {@code JsonReport} show the result.
 */
@NullMarked
package dev.mooring.simulation.scenario;

import org.jspecify.annotations.NullMarked;
