// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.wiring;

import dev.mooring.runtime.ControllerRuntime;
import dev.mooring.volumemanager.MountNews;
import dev.mooring.volumemanager.content.ContentFeed;
import dev.mooring.volumemanager.content.ContentNews;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

/**
 * The agent of a node: the loop that mounts, and what wakes it beside the store: secrets and config maps in use, and the mount table.
 *
 * <p>Closing ends the loop and leaves records and everything mounted as it is. Thread-safe.
 */
@Singleton
public final class NodeAgent implements AutoCloseable {
    private final ControllerRuntime runtime;
    private final ContentFeed feed;

    @Inject
    NodeAgent(NodeParts parts, ControllerRuntime runtime, ContentFeed feed, ContentNews content, MountNews mounts) {
        this.runtime = runtime;
        this.feed = feed;
        feed.onChange(podUid -> inLoop(() -> content.changed(podUid)));
        parts.mounts().ifPresent(table -> MountWatch.begin(table, change -> inLoop(() -> mounts.changed(change))));
    }

    /** Puts the parts together and starts them. */
    public static NodeAgent start(NodeParts parts) {
        NodeAgent agent = DaggerNodeGraph.factory().of(parts).agent();
        agent.runtime.start();
        return agent;
    }

    private void inLoop(Runnable told) {
        Future<?> unused = runtime.ask(caches -> {
            told.run();
            return told;
        });
    }

    /** Waits until there is nothing to do; see {@link ControllerRuntime#whenQuiescent}. */
    public CompletableFuture<?> whenQuiescent() {
        return runtime.whenQuiescent();
    }

    @Override
    public void close() {
        runtime.close();
        feed.close();
    }

    /**
     * Closes and waits no longer than told for what does not end.
     *
     * @return whether everything had answered
     */
    public boolean close(Duration limit) {
        boolean clean = runtime.close(limit).clean();
        feed.close();
        return clean;
    }
}
