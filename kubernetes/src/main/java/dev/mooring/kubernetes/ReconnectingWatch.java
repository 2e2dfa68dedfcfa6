// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.FieldSelection;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.Watch;
import dev.mooring.storage.store.WatchEvent;
import dev.mooring.storage.store.WatchListener;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * One watch: as many requests one after another as it takes, each resuming where the one before was ended by the server's own time limit.
 * What comes from the network is parsed and delivered on a serial executor, and the next bytes are asked for when that is done: a slow
 * listener slows its own stream and nothing else.
 */
final class ReconnectingWatch<T extends KubernetesObject> implements Watch {
    private static final int OK = 200;
    private static final long LONG_MILLIS = 5_000;

    private final Kind<T> kind;
    private final Transport transport;
    private final LongFunction<String> pathFrom;
    private final FieldSelection selection;
    private final Duration longest;
    private final WatchListener<T> listener;
    private final Executor serial;
    private final ScheduledExecutorService alarms;
    private final Consumer<ReconnectingWatch<?>> onClose;

    // Confined to the serial executor.
    private Revision seen;
    private WatchLines lines = new WatchLines();
    private int code = OK;
    private Optional<Duration> asked = Optional.empty();
    private boolean heard;
    private int round;

    private volatile boolean over;
    private volatile @Nullable AsyncBody body;
    private volatile @Nullable ScheduledFuture<?> alarm;

    ReconnectingWatch(
            Kind<T> kind,
            Transport transport,
            LongFunction<String> pathFrom,
            Revision after,
            FieldSelection kept,
            Duration longest,
            WatchListener<T> listener,
            Executor serial,
            ScheduledExecutorService alarms,
            Consumer<ReconnectingWatch<?>> onClose) {
        this.kind = kind;
        this.transport = transport;
        this.pathFrom = pathFrom;
        this.seen = after;
        this.selection = WatchLines.selection(kept);
        this.longest = longest;
        this.listener = listener;
        this.serial = serial;
        this.alarms = alarms;
        this.onClose = onClose;
    }

    void start() {
        serial.execute(this::begin);
    }

    private void begin() {
        if (over) {
            return;
        }
        int mine = ++round;
        lines = new WatchLines();
        heard = false;
        try {
            setAlarm(transport.timeout(), mine, "the watch was not answered in time");
            Future<?> unused = transport.stream(
                            pathFrom.apply(seen.value()),
                            (chunk, stream) -> serial.execute(() -> chunk(mine, chunk, stream)))
                    .whenComplete((response, thrown) -> serial.execute(() -> answered(mine, response, thrown)));
        } catch (RuntimeException e) {
            // the store is being closed
            end(Failure.UNAVAILABLE, Unreached.why(e));
        }
    }

    private void answered(int mine, @Nullable HttpResponse<AsyncBody> response, @Nullable Throwable thrown) {
        if (over || mine != round) {
            if (response != null) {
                response.body().cancel();
            }
            return;
        }
        if (response == null) {
            end(Failure.UNAVAILABLE, thrown == null ? "no answer" : Unreached.why(Outcomes.unwrapped(thrown)));
            return;
        }
        code = response.code();
        asked = RetryAfter.of(response);
        AsyncBody stream = response.body();
        body = stream;
        if (over) {
            stream.cancel();
            return;
        }
        setAlarm(longest, mine, "the connection is dead: nothing came for longer than the watch may last");
        Future<?> unused = stream.done().whenComplete((nothing, failed) -> serial.execute(() -> done(mine, failed)));
        stream.consume();
    }

    private void chunk(int mine, List<ByteBuffer> chunk, AsyncBody stream) {
        if (over || mine != round) {
            return;
        }
        for (ByteBuffer bytes : chunk) {
            if (code == OK) {
                lines.add(bytes, this::step);
            } else {
                lines.keep(bytes);
            }
        }
        if (!over) {
            stream.consume();
        }
    }

    private void done(int mine, @Nullable Throwable failed) {
        if (over || mine != round) {
            return;
        }
        if (code != OK) {
            refused(mine, new Reply(code, asked, lines.rest()));
        } else if (failed != null) {
            end(Failure.UNAVAILABLE, Unreached.why(Outcomes.unwrapped(failed)));
        } else if (heard && lastedLong()) {
            begin(); // the server's time limit: resume
        } else {
            // It may be a server that is going down. The listener decides when to come again.
            end(Failure.UNAVAILABLE, "the server ended the watch");
        }
    }

    /** A listener that hears of the end lists again: so it hears of it when the wait that the server asks for is over. */
    private void refused(int mine, Reply reply) {
        Outcomes.<Object>refused(Request.get(kind.plural()), reply).ifFailed(refusal -> {
            if (refusal.retryAfter().isPresent()) {
                setAlarm(refusal.retryAfter().get(), mine, refusal.message());
            } else {
                end(refusal.reason() == Failure.GONE ? Failure.GONE : Failure.UNAVAILABLE, refusal.message());
            }
        });
    }

    private boolean lastedLong() {
        ScheduledFuture<?> running = alarm;
        return running != null && longest.toMillis() - running.getDelay(TimeUnit.MILLISECONDS) > LONG_MILLIS;
    }

    private void step(byte[] text) {
        if (over) {
            return;
        }
        try {
            Document event = WatchLines.read(text, kind, selection);
            String type = event.text("type").orElse("");
            Document object = event.object("object").orElseGet(Document::empty);
            heard = true;
            switch (type) {
                case "ADDED", "MODIFIED", "DELETED" -> deliver(WatchEvent.Type.valueOf(type), object);
                case "BOOKMARK" -> {
                    seen = revision(object);
                    listener.onBookmark(seen);
                }
                case "ERROR" -> error(object);
                default -> {} // a type that is not yet known says nothing about the ones that are
            }
        } catch (RuntimeException e) {
            // The listener failed, or the event cannot be read: what it said is lost, so only a new list tells.
            end(Failure.GONE, "an event was lost: " + e);
        }
    }

    private void deliver(WatchEvent.Type type, Document object) {
        T value = kind.read(object);
        Revision revision = revision(object);
        if (!over) {
            listener.onEvent(new WatchEvent<>(type, value, revision));
            seen = revision;
        }
    }

    private void error(Document status) {
        boolean gone = status.at("code").orElse(0L).equals(410L) || Outcomes.isOfTheFuture(status);
        end(gone ? Failure.GONE : Failure.UNAVAILABLE, status.text("message").orElse("the server ended the watch"));
    }

    private static Revision revision(Document object) {
        return Revision.parse(object.text("metadata", "resourceVersion").orElse(""));
    }

    private void setAlarm(Duration wait, int mine, String message) {
        cancelAlarm();
        Runnable ring = () -> {
            if (mine == round) {
                end(Failure.UNAVAILABLE, message);
            }
        };
        try {
            alarm = alarms.schedule(() -> serial.execute(ring), wait.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            alarm = null; // the store is being closed, which ends this watch as well
        }
    }

    private void cancelAlarm() {
        ScheduledFuture<?> last = alarm;
        if (last != null) {
            last.cancel(false);
        }
    }

    private void end(Failure reason, String message) {
        if (finish()) {
            listener.onEnd(reason, message);
        }
    }

    private synchronized boolean markOver() {
        boolean first = !over;
        over = true;
        return first;
    }

    private boolean finish() {
        boolean first = markOver();
        cancelAlarm();
        AsyncBody stream = body;
        if (stream != null) {
            stream.cancel();
        }
        onClose.accept(this);
        return first;
    }

    /** Ends it as the store's closing does: the listener is told. */
    void closeWith(Failure reason, String message) {
        serial.execute(() -> end(reason, message));
    }

    @Override
    public void close() {
        finish();
    }
}
