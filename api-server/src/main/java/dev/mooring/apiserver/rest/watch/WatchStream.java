// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.watch;

import dev.mooring.apiserver.resource.Resource;
import dev.mooring.apiserver.rest.exchange.LineSink;
import dev.mooring.apiserver.rest.exchange.Presenter;
import dev.mooring.apiserver.rest.exchange.RestFailure;
import dev.mooring.apiserver.rest.exchange.Statuses;
import dev.mooring.apiserver.rest.exchange.UnforeseenFailures;
import dev.mooring.apiserver.rest.object.ServedStore;
import dev.mooring.clusterstore.DocumentListener;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.ObjectList;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failed;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.Watch;
import dev.mooring.storage.store.WatchEvent;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One watch of one client: turns what the store says into lines. Called by one thread at a time. */
public final class WatchStream implements DocumentListener {
    private static final int PAGE = 500;

    private final Resource resource;
    private final ListOptions options;
    private final Presenter presenter;
    private final EventLines lines;
    private final boolean bookmarks;
    private boolean first = true;
    private LineSink sink = NOWHERE;
    private Iterator<Document> shown = Collections.emptyIterator();

    private static final LineSink NOWHERE = new LineSink() {
        @Override
        public boolean send(byte[] line) {
            return false;
        }

        @Override
        public boolean hasRoom() {
            return false;
        }

        @Override
        public void whenRoom(Runnable listener) {
            // the reader has gone
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

    public WatchStream(
            Resource resource, ListOptions options, Presenter presenter, EventLines lines, boolean bookmarks) {
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
    public void start(ServedStore store, LineSink client, Optional<Revision> after, boolean announceStart) {
        sink = client;
        if (after.isPresent()) {
            follow(store, after.get());
        } else {
            show(store, options.withLimit(PAGE), announceStart);
        }
    }

    /** Shows page after page of what there is, all of one revision, as the client takes it; then follows from that revision. */
    private void show(ServedStore store, ListOptions page, boolean announceStart) {
        StoreResult<ObjectList<Document>> read = store.listDocuments(resource.kind(), page);
        read.ifOk(list -> {
            shown = list.items().iterator();
            showNext(() -> {
                if (!list.continueToken().isEmpty()) {
                    show(store, page.after(list.continueToken()), announceStart);
                    return;
                }
                if (announceStart) {
                    bookmark(list.revision(), Map.of("k8s.io/initial-events-end", "true"));
                }
                follow(store, list.revision());
            });
        });
        read.ifFailed(failed -> {
            failed(failed.reason(), failed.message());
        });
    }

    private void showNext(Runnable then) {
        while (shown.hasNext()) {
            if (!sink.hasRoom()) {
                sink.whenRoom(() -> guarded(() -> showNext(then)));
                return;
            }
            onEvent(WatchEvent.Type.ADDED, shown.next(), Revision.ZERO);
        }
        then.run();
    }

    /** The thread that makes room waits for no answer, and would report no defect. */
    private void guarded(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException | Error defect) {
            RestFailure told =
                    UnforeseenFailures.of("WATCH", List.of(resource.kind().plural()), defect);
            send("ERROR", told.status());
            sink.end();
        }
    }

    private void follow(ServedStore store, Revision start) {
        Watch watch = store.watchDocuments(resource.kind(), options, start, this);
        sink.whenOver(watch::close);
    }

    @Override
    public void onEvent(WatchEvent.Type type, Document object, Revision revision) {
        if (presenter.isWhole()) {
            boolean unused = sink.send(lines.line(type.name(), object, presenter::one));
        } else {
            send(type.name(), presenter.event(object, first));
        }
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
        boolean unused = sink.send(lines.make(type, object));
    }
}
