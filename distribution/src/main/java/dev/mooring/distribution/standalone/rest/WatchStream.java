// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone.rest;

import dev.mooring.distribution.standalone.resource.Resource;
import dev.mooring.runtime.store.DocumentListener;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult.Failed;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.Watch;
import dev.mooring.storage.store.WatchEvent;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** One watch of one client: turns what the store says into lines. Called by one thread at a time. */
final class WatchStream implements DocumentListener {
    private final Resource resource;
    private final ListOptions options;
    private final Presenter presenter;
    private final EventLines lines;
    private final boolean bookmarks;
    private boolean first = true;
    private LineSink sink = NOWHERE;

    private static final LineSink NOWHERE = new LineSink() {
        @Override
        public boolean send(byte[] line) {
            return false;
        }

        @Override
        public void end() {
            // nothing was begun
        }

        @Override
        public void whenOver(Runnable listener) {
            listener.run();
        }
    };

    WatchStream(Resource resource, ListOptions options, Presenter presenter, EventLines lines, boolean bookmarks) {
        this.lines = lines;
        this.resource = resource;
        this.options = options;
        this.presenter = presenter;
        this.bookmarks = bookmarks;
    }

    /**
     * Begins.
     *
     * @param after where the client is; empty to show it first what there is
     * @param announceStart whether to say when it has been shown everything that there was
     */
    void start(ServedStore store, LineSink client, Optional<Revision> after, boolean announceStart) {
        sink = client;
        Revision start = after.orElse(Revision.ZERO);
        if (after.isEmpty()) {
            var list = store.listDocuments(resource.kind(), options);
            if (list.value().isEmpty()) {
                list.match(ok -> true, failed -> {
                    failed(failed.reason(), failed.message());
                    return false;
                });
                return;
            }
            for (Document object : list.orThrow().items()) {
                onEvent(WatchEvent.Type.ADDED, object, Revision.ZERO);
            }
            start = list.orThrow().revision();
            if (announceStart) {
                bookmark(start, Map.of("k8s.io/initial-events-end", "true"));
            }
        }
        Watch watch = store.watchDocuments(resource.kind(), options, start, this);
        client.whenOver(watch::close);
    }

    @Override
    public void onEvent(WatchEvent.Type type, Document object, Revision revision) {
        send(type.name(), presenter.event(object, first));
        first = false;
    }

    @Override
    public void onBookmark(Revision revision) {
        if (bookmarks) {
            bookmark(revision, Map.of());
        }
    }

    private void bookmark(Revision revision, Map<String, String> annotations) {
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("resourceVersion", revision.toString());
        if (!annotations.isEmpty()) {
            metadata.put("annotations", annotations);
        }
        Document object = Document.of(Map.of(
                "kind", resource.kind().name(), "apiVersion", resource.kind().apiVersion(), "metadata", metadata));
        send("BOOKMARK", presenter.event(object, first));
    }

    @Override
    public void onEnd(Failure reason, String message) {
        failed(reason, message);
    }

    private void failed(Failure reason, String message) {
        if (reason != Failure.UNAVAILABLE) {
            Failed<Document> failed = new Failed<>(reason, message, Optional.empty());
            send("ERROR", Statuses.of(resource.kind(), "", failed).status());
        }
        sink.end();
    }

    private void send(String type, Document object) {
        boolean unused = sink.send(lines.line(type, object));
    }
}
