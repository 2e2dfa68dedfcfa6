// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.wiring;

import dev.mooring.distribution.operations.LoopMetrics;
import dev.mooring.runtime.ControllerRuntime;
import dev.mooring.runtime.metrics.Metric;
import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.runtime.record.RecordLog;
import dev.mooring.volumemanager.NodeNews;
import dev.mooring.volumemanager.ShutdownNews;
import dev.mooring.volumemanager.content.ContentFeed;
import dev.mooring.volumemanager.metrics.VolumeManagerMetrics;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The agent of a node: the loop that mounts, and what wakes it beside the store: secrets and config maps in use, and the mount table.
 *
 * <p>Closing ends the loop and leaves records and everything mounted as it is. Thread-safe.
 */
@Singleton
public final class NodeAgent implements AutoCloseable {
    private final ControllerRuntime runtime;
    private final ContentFeed feed;
    private final RecordLog records;
    private final VolumeManagerMetrics metrics;
    private final LoopMetrics loop;
    private final ShutdownNews shutdown;
    private final SetAside aside;

    @Inject
    NodeAgent(
            NodeParts parts,
            ControllerRuntime runtime,
            ContentFeed feed,
            NodeNews news,
            VolumeManagerMetrics metrics,
            LoopMetrics loop) {
        this.shutdown = news.shutdown();
        this.runtime = runtime;
        this.feed = feed;
        this.records = parts.records();
        this.metrics = metrics;
        this.loop = loop;
        this.aside = new SetAside(parts.root());
        feed.onChange(podUid -> inLoop(() -> news.content().changed(podUid)));
        parts.mounts()
                .ifPresent(table -> MountWatch.begin(
                        table, change -> inLoop(() -> news.mounts().changed(change))));
    }

    /** Puts the parts together and starts them. */
    public static NodeAgent start(NodeParts parts) {
        NodeAgent agent = DaggerNodeGraph.factory().of(parts).agent();
        agent.aside.tell();
        agent.runtime.start();
        return agent;
    }

    private void inLoop(Runnable told) {
        Future<?> unused = post(told);
    }

    private CompletableFuture<?> post(Runnable told) {
        return runtime.ask(caches -> {
            told.run();
            return told;
        });
    }

    /**
     * Takes away what no container uses, before the machine is shut down; see {@link ShutdownNews}. Closing comes after it.
     *
     * @param limit how long it may take
     * @return whether the node came to rest in time
     */
    public boolean leaveMachine(Duration limit) {
        try {
            post(shutdown::begins)
                    .thenCompose(told -> runtime.whenQuiescent())
                    .get(limit.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException | TimeoutException e) {
            return false;
        }
    }

    /** Waits until there is nothing to do; see {@link ControllerRuntime#whenQuiescent}. */
    public CompletableFuture<?> whenQuiescent() {
        return runtime.whenQuiescent();
    }

    /** What the agent ended by, other than by being closed; see {@link ControllerRuntime#failure}. */
    public Optional<Throwable> failure() {
        return runtime.failure();
    }

    /** The node's metrics with their values now; reads the records, and what was put aside. */
    public CompletableFuture<List<Metric>> metrics() {
        Collection<RecordEntry> standing = RecordLog.standing(records.replay()).values();
        Metric left = aside.metric();
        return runtime.ask(caches -> {
            List<Metric> all = new ArrayList<>(metrics.collect(caches, standing));
            all.add(left);
            all.addAll(loop.collect());
            return all;
        });
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
