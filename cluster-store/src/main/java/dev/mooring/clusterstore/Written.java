// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore;

import dev.mooring.storage.store.Revision;
import java.util.Optional;

/**
 * What a write did.
 *
 * @param object the object as it is now, or its last state if it is gone
 * @param removed whether it is gone
 * @param revision the revision that the write made; empty if it changed nothing
 */
record Written(StoredDocument object, boolean removed, Optional<Revision> revision) {
    static Written nothing(StoredDocument current) {
        return new Written(current, false, Optional.empty());
    }
}
