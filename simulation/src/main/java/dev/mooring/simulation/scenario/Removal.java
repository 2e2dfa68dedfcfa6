// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

/**
 * A deletion by a user.
 *
 * @param place where it stands
 * @param ref the object
 * @param force whether it goes at once, whatever its node does
 */
record Removal(ScenarioPlace place, ObjectRef ref, boolean force) {}
