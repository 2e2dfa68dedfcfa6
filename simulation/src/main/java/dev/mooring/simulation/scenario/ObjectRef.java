// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.ObjectKey;

/**
 * An object that a scenario names.
 *
 * @param kind its kind
 * @param key its namespace and name
 */
record ObjectRef(Kind<?> kind, ObjectKey key) {
    @Override
    public String toString() {
        return kind.name() + " " + key;
    }
}
