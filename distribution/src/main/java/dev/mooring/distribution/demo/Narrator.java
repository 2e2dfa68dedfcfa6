// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.demo;

import dev.mooring.runtime.EventSink;
import dev.mooring.runtime.control.Announcement;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.WatchEvent;
import dev.mooring.storage.store.WatchListener;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** Tells what happens, each line with the time since the start. Thread-safe. */
final class Narrator implements EventSink {
    private final PrintWriter out;
    private final long startNanos = System.nanoTime();
    private final Map<String, String> lastStates = new TreeMap<>();

    Narrator(PrintWriter out) {
        this.out = out;
    }

    /** What the story does next. */
    synchronized void chapter(String text) {
        out.printf("%n%s%n", text);
        out.flush();
    }

    /** Something that happened. */
    synchronized void line(String what, String detail) {
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        out.printf(Locale.ROOT, "%7.3f s  %-24s %s%n", seconds, what, detail);
        out.flush();
    }

    @Override
    public void announce(Announcement news) {
        line(news.object().toString(), news.type() + " " + news.reason() + ": " + news.message());
    }

    /** Tells the changes of a kind's objects, as far as the description shows them. */
    <T extends KubernetesObject> WatchListener<T> watching(String kind, Function<T, String> description) {
        return new WatchListener<>() {
            @Override
            public void onEvent(WatchEvent<T> event) {
                boolean gone = event.type() == WatchEvent.Type.DELETED;
                changed(kind + " " + ObjectKey.of(event.object()), gone ? "gone" : description.apply(event.object()));
            }

            @Override
            public void onBookmark(Revision revision) {
                // nothing happened
            }

            @Override
            public void onEnd(StoreResult.Failure reason, String message) {
                // the store was closed: the story is over
            }
        };
    }

    private synchronized void changed(String object, String state) {
        if (!state.equals(lastStates.put(object, state))) {
            line(object, state);
        }
    }
}
