// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone.rest;

import dev.mooring.storage.document.Document;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.util.Callback;

/**
 * The lines of one response: kept until the client takes them, written one after the other without a thread that waits. A client that
 * lets too much wait is cut off: it asks again from where it is.
 */
final class ResponseLines implements LineSink {
    private static final long MOST_WAITING = 32L << 20;

    private final Content.Sink response;
    private final Callback whole;
    // Guarded by this.
    private final Deque<byte[]> waiting = new ArrayDeque<>();
    private final List<Runnable> listeners = new ArrayList<>();
    private long waitingBytes;
    private boolean writing;
    private boolean ending;
    private boolean over;

    ResponseLines(Content.Sink response, Callback whole) {
        this.response = response;
        this.whole = whole;
    }

    /** Sends the head of the response. */
    void open() {
        synchronized (this) {
            waiting.add(new byte[0]);
        }
        pump();
    }

    @Override
    public boolean send(Document line) {
        byte[] bytes = Answer.bytes(line);
        byte[] whole = java.util.Arrays.copyOf(bytes, bytes.length + 1);
        whole[bytes.length] = '\n';
        boolean tooMuch;
        synchronized (this) {
            if (over || ending) {
                return false;
            }
            tooMuch = waitingBytes + whole.length > MOST_WAITING;
            if (!tooMuch) {
                waiting.add(whole);
                waitingBytes += whole.length;
            }
        }
        if (tooMuch) {
            failed(new IllegalStateException("the client is too slow"));
            return false;
        }
        pump();
        return true;
    }

    @Override
    public void end() {
        synchronized (this) {
            ending = true;
        }
        pump();
    }

    private void pump() {
        byte[] next;
        synchronized (this) {
            if (writing || over) {
                return;
            }
            next = waiting.poll();
            if (next == null && !ending) {
                return;
            }
            if (next != null) {
                waitingBytes -= next.length;
            }
            writing = true;
        }
        boolean last = next == null;
        response.write(
                last, ByteBuffer.wrap(last ? new byte[0] : next), Callback.from(() -> written(last), this::failed));
    }

    private void written(boolean last) {
        synchronized (this) {
            writing = false;
        }
        if (last) {
            finish();
            whole.succeeded();
        } else {
            pump();
        }
    }

    private void failed(Throwable failure) {
        if (finish()) {
            whole.failed(failure);
        }
    }

    private boolean finish() {
        List<Runnable> toTell;
        synchronized (this) {
            if (over) {
                return false;
            }
            over = true;
            waiting.clear();
            toTell = List.copyOf(listeners);
        }
        toTell.forEach(Runnable::run);
        return true;
    }

    @Override
    public void whenOver(Runnable listener) {
        synchronized (this) {
            if (!over) {
                listeners.add(listener);
                return;
            }
        }
        listener.run();
    }
}
