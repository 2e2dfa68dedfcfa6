// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.store;

import org.apiguardian.api.API;

/**
 * A point in a store's history. Revisions of one store are totally ordered; a Kubernetes {@code resourceVersion} is one.
 * Kubernetes declares resource versions comparable as integers (KEP-5504), which is what the built-in binder always relied
 * on (semantics/binder §1.1 C1).
 *
 * @param value the position, 0 or more; 0 is before everything
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Revision(long value) implements Comparable<Revision> {
    /** Before everything that a store ever accepted. */
    public static final Revision ZERO = new Revision(0);

    /** Checks the range. */
    public Revision {
        if (value < 0) {
            throw new IllegalArgumentException("a revision is not negative: " + value);
        }
    }

    /**
     * Reads a {@code metadata.resourceVersion}.
     *
     * @param resourceVersion the text; empty means {@link #ZERO}
     * @return the revision, never null
     * @throws IllegalArgumentException if the text is not a decimal number that fits 63 bits
     */
    public static Revision parse(String resourceVersion) {
        if (resourceVersion.isEmpty()) {
            return ZERO;
        }
        try {
            return new Revision(Long.parseLong(resourceVersion));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "metadata.resourceVersion is not a decimal number: " + resourceVersion, e);
        }
    }

    @Override
    public int compareTo(Revision other) {
        return Long.compare(value, other.value);
    }

    /** Whether this revision lies after the other one. */
    public boolean isAfter(Revision other) {
        return value > other.value;
    }

    /** The text of a {@code metadata.resourceVersion}. */
    @Override
    public String toString() {
        return Long.toString(value);
    }
}
