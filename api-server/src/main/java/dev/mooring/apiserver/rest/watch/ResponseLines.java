// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.watch;

import dev.mooring.apiserver.rest.exchange.LineSink;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.util.Callback;

/**
 * The lines of one response: kept until the client takes them, written one after the other without a thread that waits. A client that
 * lets too much wait gets an error and is cut off: what waits is dropped, and it asks again.
 */
public final class ResponseLines implements LineSink {
    /** What is there anyway is shown no faster than it is taken: as long as no more than so much waits. */
    private static final long ROOM = 256 << 10;

    private final Content.Sink response;
    private final Callback whole;
    private final Backlog backlog;
    private final byte[] tooSlow;
    private final Runnable lastWord;
    // Guarded by this.
    private final Deque<byte[]> waiting = new ArrayDeque<>();
    private final List<Runnable> listeners = new ArrayList<>();
    private Optional<Runnable> forRoom = Optional.empty();
    private long waitingBytes;
    private boolean writing = true; // nothing more until it is open
    private boolean ending;
    private boolean over;

    /**
     * Nothing is sent yet.
     *
     * @param tooSlow the last line for a client that is too slow
     * @param lastWord hears when the stream is over but for what the client has not taken yet; it may never take it
     */
    ResponseLines(Content.Sink response, Callback whole, Backlog backlog, byte[] tooSlow, Runnable lastWord) {
        this.response = response;
        this.whole = whole;
        this.backlog = backlog;
        this.tooSlow = tooSlow.clone();
        this.lastWord = lastWord;
        backlog.begun();
    }

    /** Sends the head of the response; what was sent before waits for it. */
    void open() {
        synchronized (this) {
            waiting.addFirst(new byte[0]);
            writing = false;
        }
        pump();
    }

    @Override
    public boolean send(byte[] line) {
        boolean tooMuch;
        synchronized (this) {
            if (over || ending) {
                return false;
            }
            tooMuch = backlog.isTooMuch(waitingBytes, line.length);
            if (tooMuch) {
                forget();
                waiting.add(tooSlow);
                waitingBytes = tooSlow.length;
                backlog.changed(waitingBytes);
                ending = true;
            } else {
                waiting.add(line);
                waitingBytes += line.length;
                backlog.changed(line.length);
            }
        }
        if (tooMuch) {
            release();
            lastWord.run();
        }
        pump();
        return !tooMuch;
    }

    /** Called with the lock. */
    private void forget() {
        waiting.clear();
        backlog.changed(-waitingBytes);
        waitingBytes = 0;
    }

    @Override
    public void end() {
        synchronized (this) {
            if (over || ending) {
                return;
            }
            ending = true;
        }
        release();
        pump();
        if (!isOver()) {
            lastWord.run();
        }
    }

    private synchronized boolean isOver() {
        return over;
    }

    /**
     * Ends now, whatever was not taken.
     *
     * @return whether it had not ended before: what comes over the connection then is no longer this
     */
    boolean abort() {
        return failed(new IllegalStateException("the client is too slow"));
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
                backlog.changed(-next.length);
            }
            writing = true;
        }
        boolean last = next == null;
        response.write(
                last, ByteBuffer.wrap(last ? new byte[0] : next), Callback.from(() -> written(last), this::failed));
    }

    private void written(boolean last) {
        Optional<Runnable> goesOn = Optional.empty();
        synchronized (this) {
            writing = false;
            if (hasRoom()) {
                goesOn = forRoom;
                forRoom = Optional.empty();
            }
        }
        if (last) {
            if (finish()) {
                whole.succeeded();
            }
        } else {
            pump();
            goesOn.ifPresent(Runnable::run);
        }
    }

    @Override
    public synchronized boolean hasRoom() {
        return waitingBytes <= ROOM && !over && !ending;
    }

    @Override
    public void whenRoom(Runnable listener) {
        synchronized (this) {
            if (over || ending) {
                return;
            } else if (!hasRoom()) {
                forRoom = Optional.of(listener);
                return;
            }
        }
        listener.run();
    }

    private boolean failed(Throwable failure) {
        boolean first = finish();
        if (first) {
            whole.failed(failure);
        }
        return first;
    }

    private boolean finish() {
        synchronized (this) {
            if (over) {
                return false;
            }
            over = true;
            forget();
        }
        backlog.ended();
        release();
        return true;
    }

    /** Tells those who wait for the end, each once. */
    private void release() {
        List<Runnable> toTell;
        synchronized (this) {
            toTell = List.copyOf(listeners);
            listeners.clear();
        }
        toTell.forEach(Runnable::run);
    }

    @Override
    public void whenOver(Runnable listener) {
        synchronized (this) {
            if (!over && !ending) {
                listeners.add(listener);
                return;
            }
        }
        listener.run();
    }
}
