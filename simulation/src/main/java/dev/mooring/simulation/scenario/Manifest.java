// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import dev.mooring.storage.document.Document;

/**
 * A whole object of a scenario.
 *
 * @param place where it stands
 * @param ref its kind and name; an empty name is generated
 * @param document the object, with its namespace filled in
 */
record Manifest(ScenarioPlace place, ObjectRef ref, Document document) {}
