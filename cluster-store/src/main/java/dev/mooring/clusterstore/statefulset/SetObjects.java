// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.statefulset;

import dev.mooring.storage.document.Document;
import java.util.List;
import java.util.Map;

/**
 * A set and the objects of its namespace that it may have to do with.
 *
 * @param set the set
 * @param pods those that are named like pods of the set, with any owner or none
 * @param claims those of the namespace, by name; not copied, as only those are looked up whose ordinals a plan comes to
 * @param revisions those that are named like revisions of the set, with any owner or none
 */
record SetObjects(Document set, List<Document> pods, Map<String, Document> claims, List<Document> revisions) {
    SetObjects {
        pods = List.copyOf(pods);
        revisions = List.copyOf(revisions);
    }
}
