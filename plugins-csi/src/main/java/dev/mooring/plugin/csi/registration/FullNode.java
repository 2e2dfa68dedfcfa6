// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.registration;

import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.model.VolumeError;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.Watch;
import dev.mooring.storage.store.WatchEvent;
import dev.mooring.storage.store.WatchListener;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Hears from VolumeAttachments of this node that a driver has no room for one more volume there: then its limit is another one than its
 * CSINode says (semantics/csi §5.3). Watches only while it is wanted. Thread-safe.
 */
final class FullNode implements AutoCloseable {
    /** The code of gRPC for RESOURCE_EXHAUSTED. */
    private static final long EXHAUSTED = 8;

    /** How long after a failure the attachments are watched again. */
    static final Duration AGAIN = Duration.ofSeconds(10);

    private final ClusterStore store;
    private final String node;
    private final Executor later;
    private final Consumer<String> full;
    private final Runnable missed;
    private final Object starting = new Object();
    private Optional<Watch> watch = Optional.empty();
    private boolean wanted;
    private boolean closed;

    /**
     * Watches nothing yet.
     *
     * @param later carries out a task {@linkplain #AGAIN after a while}
     * @param full gets the driver, by any thread
     * @param missed run by any thread when the attachments are watched again: what came meanwhile was not heard
     */
    FullNode(ClusterStore store, String node, Executor later, Consumer<String> full, Runnable missed) {
        this.store = store;
        this.node = node;
        this.later = later;
        this.full = full;
        this.missed = missed;
    }

    /**
     * A driver on this node has a limit that changes. What comes after the return is heard, or told as missed later if the store cannot be
     * watched now.
     */
    void watch() {
        // not the lock of close(), which must not wait for the store
        synchronized (starting) {
            if (!wanted) {
                wanted = true;
                begin(() -> {});
            }
        }
    }

    private void begin(Runnable begun) {
        store.list(Kinds.VOLUME_ATTACHMENT, ListOptions.ALL.withLimit(1))
                .match(
                        there -> {
                            begin(there.revision());
                            begun.run();
                            return true;
                        },
                        failed -> {
                            again();
                            return false;
                        });
    }

    private synchronized void begin(Revision after) {
        if (!closed) {
            watch = Optional.of(store.watch(Kinds.VOLUME_ATTACHMENT, ListOptions.ALL, after, new Listener()));
        }
    }

    private synchronized void again() {
        if (!closed) {
            later.execute(() -> begin(missed));
        }
    }

    private void heard(VolumeAttachment attachment) {
        boolean isFull = attachment.spec().nodeName().equals(node)
                && attachment
                        .status()
                        .attachError()
                        .flatMap(VolumeError::errorCode)
                        .filter(code -> code == EXHAUSTED)
                        .isPresent();
        if (isFull) {
            full.accept(attachment.spec().attacher());
        }
    }

    private final class Listener implements WatchListener<VolumeAttachment> {
        @Override
        public void onEvent(WatchEvent<VolumeAttachment> event) {
            if (event.type() != WatchEvent.Type.DELETED) {
                heard(event.object());
            }
        }

        @Override
        public void onBookmark(Revision revision) {}

        @Override
        public void onEnd(Failure reason, String message) {
            again();
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        watch.ifPresent(Watch::close);
    }
}
