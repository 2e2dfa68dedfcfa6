// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.FieldSelection;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.ObjectList;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One list by a watch that begins with what there is ({@code sendInitialEvents}): an object a line, until a bookmark says that these were all.
 * What changes meanwhile comes among them. The thread that asks carries all of it out, and blocks.
 */
final class InitialEvents<T extends KubernetesObject> {
    private static final String END = "k8s.io/initial-events-end";
    private static final List<String> OF_THE_SORT = List.of("sendInitialEvents", "resourceVersionMatch");
    private static final int OK = 200;
    private static final Duration SOON = Duration.ofMinutes(1);
    /** A server whose database does not announce its progress waits three seconds for a quiet kind, and gives up. */
    private static final Duration LATER = Duration.ofMinutes(10);
    /** Servers are upgraded. */
    private static final Duration UPGRADED = Duration.ofHours(1);

    private static final Duration SLICE = Duration.ofSeconds(1);

    private final Kind<T> kind;
    private final Transport transport;
    private final FieldSelection selection;
    private final BiConsumer<String, Duration> unable;
    private final BlockingQueue<Runnable> steps = new LinkedBlockingQueue<>();
    private final WatchLines lines = new WatchLines();
    private final Map<ObjectKey, T> shown = new HashMap<>();
    private int code;
    private Optional<Duration> asked = Optional.empty();
    private Optional<StoreResult<ObjectList<T>>> answer = Optional.empty();
    private boolean over;

    /**
     * Makes no request.
     *
     * @param kept what is read of each object
     * @param unable hears why this server shows this kind in another way only, and for how long to remember it
     */
    InitialEvents(Kind<T> kind, Transport transport, FieldSelection kept, BiConsumer<String, Duration> unable) {
        this.kind = kind;
        this.transport = transport;
        FieldSelection end = FieldSelection.ALL.below(END).below("annotations").below("metadata");
        this.selection = WatchLines.selection(kept)
                .and(FieldSelection.of("object.metadata.name", "object.metadata.namespace"))
                .and(end.below("object"));
        this.unable = unable;
    }

    /**
     * Reads. A server that says nothing for the time of a request is asked in another way: it may pass over what it does not know, and never
     * say that it has shown all. So is a server that sends another sort of bookmark first.
     *
     * @return the list, or the failure that any list would have now; empty if the caller has to list in another way
     */
    Optional<StoreResult<ObjectList<T>>> read(String path) {
        CompletableFuture<HttpResponse<AsyncBody>> response =
                transport.stream(path, (chunk, body) -> steps.add(() -> chunk(chunk, body)));
        Future<?> unused =
                response.whenComplete((begun, thrown) -> steps.add(() -> answered(Request.get(path), begun, thrown)));
        Duration silence = Duration.ZERO;
        try {
            while (!over) {
                Runnable step = steps.poll(SLICE.toMillis(), TimeUnit.MILLISECONDS);
                if (step != null) {
                    silence = Duration.ZERO;
                    step.run();
                    continue;
                }
                silence = silence.plus(SLICE);
                if (transport.isClosed()) {
                    failed(Request.get(path) + ": the store is closed");
                } else if (silence.compareTo(transport.timeout()) >= 0) {
                    silent(Request.get(path));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failed(Request.get(path) + ": " + Unreached.why(e));
        } catch (RuntimeException e) {
            end(Optional.empty()); // what cannot be read in this way may be readable in the other one
        } finally {
            Future<?> unusedEnd = response.thenAccept(begun -> begun.body().cancel());
        }
        return answer;
    }

    private void end(Optional<StoreResult<ObjectList<T>>> with) {
        answer = with;
        over = true;
    }

    private void failed(String message) {
        end(Optional.of(StoreResult.failed(Failure.UNAVAILABLE, message)));
    }

    private void otherwise(String why, Duration remembered) {
        unable.accept(why, remembered);
        end(Optional.empty());
    }

    private void silent(Request request) {
        // a connection may have stalled, which is over soon
        otherwise("it said nothing for " + transport.timeout().toSeconds() + " s", SOON);
        if (code == 0) {
            failed(request + ": no answer in time");
        }
    }

    private void answered(Request request, @Nullable HttpResponse<AsyncBody> response, @Nullable Throwable thrown) {
        if (response == null) {
            failed(request + ": " + (thrown == null ? "no answer" : Unreached.why(Outcomes.unwrapped(thrown))));
            return;
        }
        code = response.code();
        asked = RetryAfter.of(response);
        Future<?> unused = response.body().done().whenComplete((nothing, cut) -> steps.add(() -> done(request)));
        response.body().consume();
    }

    private void chunk(List<ByteBuffer> chunk, AsyncBody body) {
        for (ByteBuffer bytes : chunk) {
            if (code == OK) {
                lines.add(bytes, this::step);
            } else {
                lines.keep(bytes);
            }
        }
        if (!over) {
            body.consume();
        }
    }

    /** What ends before all was shown is worth nothing; the server may have had its reason, so the next list is by a watch again. */
    private void done(Request request) {
        if (code == OK) {
            end(Optional.empty());
            return;
        }
        Outcomes.<ObjectList<T>>refused(request, new Reply(code, asked, lines.rest()))
                .ifFailed(this::refused);
    }

    private void refused(StoreResult.Failed<ObjectList<T>> refusal) {
        switch (refusal.reason()) {
            case GONE -> otherwise(refusal.message(), LATER);
            case INVALID -> {
                boolean ofTheSort = OF_THE_SORT.stream().anyMatch(refusal.message()::contains);
                if (ofTheSort) {
                    unable.accept(refusal.message(), UPGRADED);
                }
                end(Optional.empty()); // pages also report a wrong selector
            }
            case THROTTLED, NOT_FOUND -> end(Optional.of(refusal));
            default -> end(refusal.retryAfter().isPresent() ? Optional.of(refusal) : Optional.empty());
        }
    }

    private void step(byte[] line) {
        if (over) {
            return;
        }
        Document event = WatchLines.read(line, kind, selection);
        Document object = event.object("object").orElseGet(Document::empty);
        switch (event.text("type").orElse("")) {
            case "ADDED", "MODIFIED" -> shown.put(key(object), kind.read(object));
            case "DELETED" -> shown.remove(key(object));
            case "BOOKMARK" -> bookmark(object);
            case "ERROR" -> end(Optional.empty());
            default -> {} // a type that is not yet known says nothing about the ones that are
        }
    }

    private static ObjectKey key(Document object) {
        return ObjectKey.of(
                object.text("metadata", "namespace").orElse(""),
                object.text("metadata", "name").orElseThrow());
    }

    private void bookmark(Document object) {
        if (!object.text("metadata", "annotations", END).equals(Optional.of("true"))) {
            otherwise("it does not say when all has been shown", UPGRADED);
            return;
        }
        Revision revision =
                Revision.parse(object.text("metadata", "resourceVersion").orElse(""));
        List<T> items = new ArrayList<>(shown.values());
        items.sort(Reads.ORDER);
        end(Optional.of(StoreResult.ok(new ObjectList<>(items, revision, ""))));
    }
}
