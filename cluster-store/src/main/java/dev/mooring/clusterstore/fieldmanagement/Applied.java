// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.fieldmanagement;

import dev.mooring.storage.document.Document;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * What comes of server-side apply.
 *
 * @param object the object with its managers, to be written as {@link Authorship#APPLIED}; of no use if there are conflicts; never null
 * @param conflicts fields that others manage, by manager and path; never null
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Applied(Document object, List<Conflict> conflicts) {
    /**
     * Another manager has a field and wants another value of it.
     *
     * @param manager who manages it; never null
     * @param field the path, such as {@code .spec.replicas}; never null
     */
    public record Conflict(FieldManager manager, String field) {
        /** As the API server says it of this one. */
        public String message() {
            return "conflict with " + manager;
        }
    }

    /** Copies the list. */
    public Applied {
        conflicts = List.copyOf(conflicts);
    }

    /** The API server's words about all conflicts; to be asked only if there are conflicts. */
    public String refusal() {
        if (conflicts.size() == 1) {
            return "Apply failed with 1 conflict: " + conflicts.get(0).message() + ": "
                    + conflicts.get(0).field();
        }
        Map<String, StringBuilder> managers = new TreeMap<>();
        conflicts.forEach(each -> managers.computeIfAbsent(
                        each.manager().toString(), name -> new StringBuilder("conflicts with " + name + ":"))
                .append("\n- ")
                .append(each.field()));
        return "Apply failed with " + conflicts.size() + " conflicts: " + String.join("\n", managers.values());
    }
}
