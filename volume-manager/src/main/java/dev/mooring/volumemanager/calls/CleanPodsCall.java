// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import dev.mooring.storage.spi.NodeRef;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apiguardian.api.API;

/**
 * Remove what pods that no longer exist have left of their directories: empty ones, nothing else (semantics/attach-and-mount §3.18,
 * S12). A success carries an {@link Answer}.
 *
 * @param onNode where
 * @param known the uids of the pods whose directories are left alone
 * @param only the uid of the one pod to look at; absent for all
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CleanPodsCall(NodeRef onNode, SortedSet<String> known, Optional<String> only) implements HostCall {
    /** Copies the set. */
    public CleanPodsCall {
        known = new TreeSet<>(known);
    }

    @Override
    public String operation() {
        return "clean-pods";
    }

    @Override
    public String volume() {
        return "";
    }

    /**
     * What was found.
     *
     * @param left one line per pod whose directory could not be removed, for people: what is in the way
     */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public record Answer(List<String> left) {
        /** Nothing was in the way of anything. */
        public static final Answer CLEAN = new Answer(List.of());

        /** Copies the list. */
        public Answer {
            left = List.copyOf(left);
        }
    }
}
