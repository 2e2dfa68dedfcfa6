// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.fieldmanagement;

import java.util.Objects;
import org.apiguardian.api.API;

/**
 * How a write is put down in an object's {@code managedFields}.
 *
 * @param manager who writes; empty if the writer has no name, or the object says itself who manages what; never null
 * @param applied whether the object says itself who manages what, as {@link FieldManagement#apply} makes it
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Authorship(String manager, boolean applied) {
    /**
     * The writer has no name. What it makes has no {@code managedFields}; of objects that have them, it manages what it writes, by the name
     * of the store's client.
     */
    public static final Authorship UNNAMED = new Authorship("", false);

    /** The object was made by {@link FieldManagement#apply}. */
    public static final Authorship APPLIED = new Authorship("", true);

    /** Checks the name. */
    public Authorship {
        Objects.requireNonNull(manager, "manager");
    }

    /**
     * A writer that creates, updates and patches.
     *
     * @param manager never null, not empty
     * @throws IllegalArgumentException if it is empty
     */
    public static Authorship of(String manager) {
        if (manager.isEmpty()) {
            throw new IllegalArgumentException("manager: must not be empty");
        }
        return new Authorship(manager, false);
    }

    /**
     * The name in {@code managedFields}, for an update by a store's client.
     *
     * @param client such as {@code node/n1}; never null
     */
    public String nameFor(String client) {
        if (!manager.isEmpty()) {
            return manager;
        }
        String kind = client.split("/", 2)[0];
        return kind.isEmpty() ? "mooring" : "mooring-" + kind;
    }
}
