// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.fieldmanagement;

import java.util.Comparator;
import java.util.Locale;
import org.apiguardian.api.API;

/**
 * A manager of fields, as one entry of {@code managedFields} names it.
 *
 * @param name never null
 * @param operation by which it came to its fields; never null
 * @param apiVersion of the objects that it wrote, by which updaters are distinguished; empty for one that applies; never null
 * @param subresource through which it wrote; empty for the object itself; never null
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record FieldManager(String name, Operation operation, String apiVersion, String subresource)
        implements Comparable<FieldManager> {
    /** How fields are written. */
    public enum Operation {
        /** By server-side apply. */
        APPLY,
        /** By everything else. */
        UPDATE;

        /** As the field {@code operation} has it. */
        String text() {
            return name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
        }
    }

    private static final Comparator<FieldManager> ORDER = Comparator.comparing(FieldManager::operation)
            .thenComparing(FieldManager::name)
            .thenComparing(FieldManager::apiVersion)
            .thenComparing(FieldManager::subresource);

    /** One that applies: in whatever version it does, it is the same. */
    static FieldManager applier(String name, String subresource) {
        return new FieldManager(name, Operation.APPLY, "", subresource);
    }

    static FieldManager updater(String name, String apiVersion, String subresource) {
        return new FieldManager(name, Operation.UPDATE, apiVersion, subresource);
    }

    boolean applies() {
        return operation == Operation.APPLY;
    }

    /** As the API server's messages about conflicts have it. */
    @Override
    public String toString() {
        String shown = "\"" + name.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
        String through = subresource.isEmpty() ? "" : " with subresource \"" + subresource + "\"";
        return shown + through + (applies() ? "" : " using " + apiVersion);
    }

    @Override
    public int compareTo(FieldManager other) {
        return ORDER.compare(this, other);
    }
}
