// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import dev.mooring.storage.document.Document;

/**
 * A merge patch by a user.
 *
 * @param place where it stands
 * @param ref the object
 * @param status whether it goes to the status sub-resource
 * @param merge the patch; null removes a key
 */
record Patch(ScenarioPlace place, ObjectRef ref, boolean status, Document merge) {}
