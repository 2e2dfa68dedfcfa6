// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.content;

import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The files that a volume shows, by their paths. Immutable; prints neither names nor content. */
final class Payload {
    /**
     * A file.
     *
     * @param content its bytes, not copied, never changed
     * @param mode its permission bits
     * @param owner whose it is; empty for root
     */
    @SuppressWarnings("ArrayRecordComponent") // equality is by content; copies of secrets would only multiply them
    record File(byte[] content, int mode, OptionalInt owner) {
        @Override
        public boolean equals(Object other) {
            return other instanceof File that
                    && mode == that.mode
                    && owner.equals(that.owner)
                    && Arrays.equals(content, that.content);
        }

        @Override
        public int hashCode() {
            return mode;
        }

        @Override
        public String toString() {
            return "(content)";
        }
    }

    private final Map<String, File> files;

    private Payload(Map<String, File> files) {
        this.files = Collections.unmodifiableMap(files);
    }

    /** The files in the order of their paths. */
    Map<String, File> files() {
        return files;
    }

    /** The first elements of all paths: the names that stand in the volume itself. */
    SortedSet<String> names() {
        SortedSet<String> names = new TreeSet<>();
        files.keySet().forEach(path -> names.add(path.split("/", 2)[0]));
        return names;
    }

    @Override
    public String toString() {
        return files.size() + " files";
    }

    /** Collects files and notes the first conflict. */
    static final class Builder {
        private final Map<String, File> files = new TreeMap<>();

        /**
         * Adds a file.
         *
         * @param path as the user wrote it
         * @return why not; empty if it was added
         */
        Optional<String> add(String path, byte[] content, int mode) {
            return add(path, content, mode, OptionalInt.empty());
        }

        /** The same for a file with an owner. */
        Optional<String> add(String path, byte[] content, int mode, OptionalInt owner) {
            Optional<String> problem = ContentPaths.problem(path);
            if (problem.isPresent()) {
                return problem;
            }
            String normalized = ContentPaths.normalized(path);
            if (files.containsKey(normalized)) {
                return Optional.of("path '" + path + "' is used twice");
            }
            for (String other : files.keySet()) {
                if (other.startsWith(normalized + "/") || normalized.startsWith(other + "/")) {
                    return Optional.of("path '" + path + "' conflicts with '" + other + "'");
                }
            }
            files.put(normalized, new File(content, mode, owner));
            return Optional.empty();
        }

        Payload build() {
            return new Payload(new TreeMap<>(files));
        }
    }
}
