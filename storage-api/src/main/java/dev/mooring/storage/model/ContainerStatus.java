// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import dev.mooring.storage.document.Document;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What a node reports of a container, as far as volumes care.
 *
 * @param name the container
 * @param state waiting, running or terminated
 * @param ready whether it serves
 * @param image what it is made of
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record ContainerStatus(String name, State state, boolean ready, String image)
        implements ContainerStatusBuilder.With {
    /** A container of which only the state is known. */
    public ContainerStatus(String name, State state) {
        this(name, state, false, "");
    }

    /**
     * Whether it is reported not to run. A state that says nothing counts as running (semantics/attach-and-mount §1.4).
     */
    public boolean isStopped() {
        return state.waiting().isPresent() || state.terminated().isPresent();
    }

    /**
     * Exactly one is set, or none while nothing is known.
     *
     * @param waiting why it does not run yet
     * @param running since when it runs
     * @param terminated how it ended
     */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public record State(Optional<Document> waiting, Optional<Document> running, Optional<Document> terminated) {
        /** Nothing known. */
        public static final State EMPTY = new State(Optional.empty(), Optional.empty(), Optional.empty());
    }
}
