// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.watch;

import dev.mooring.apiserver.protobuf.ProtobufObjects;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.core.CloseStatus;
import org.eclipse.jetty.websocket.core.Configuration;
import org.eclipse.jetty.websocket.core.CoreSession;
import org.eclipse.jetty.websocket.core.Frame;
import org.eclipse.jetty.websocket.core.FrameHandler;
import org.eclipse.jetty.websocket.core.OpCode;
import org.jspecify.annotations.Nullable;

/** The connection of a watch by WebSocket: each line is a frame, of text or of bytes. What the client sends is ignored, except ping and close. */
public final class WatchSocket implements FrameHandler {
    private final boolean isProtobuf;
    private final ResponseLines lines;
    private final Runnable parting;
    private final AtomicBoolean parted = new AtomicBoolean();
    private volatile @Nullable CoreSession session;

    /**
     * Waits for its connection.
     *
     * @param isProtobuf whether the lines are protocol buffers behind their lengths, which frames do not need
     * @param parting runs once when only the end of the connection is left, which a client can delay for ever
     */
    WatchSocket(boolean isProtobuf, Function<Content.Sink, ResponseLines> lines, Runnable parting) {
        this.isProtobuf = isProtobuf;
        this.parting = parting;
        this.lines = lines.apply(this::write);
    }

    /** A silent watch stays open; an event is one frame; a frame of the client is not collected in memory. */
    static void configure(Configuration session) {
        session.setIdleTimeout(Duration.ZERO);
        session.setAutoFragment(true);
        session.setMaxFrameSize(0);
    }

    @Override
    public void onOpen(CoreSession opened, Callback callback) {
        session = opened;
        lines.open();
        callback.succeeded();
        opened.demand();
    }

    private void write(boolean last, @Nullable ByteBuffer line, Callback written) {
        if (last) {
            part();
            opened().close(CloseStatus.NORMAL, null, written);
        } else if (line == null || !line.hasRemaining()) {
            written.succeeded(); // the head of a response, which was sent
        } else if (isProtobuf) {
            ByteBuffer event = line.slice(
                    line.position() + ProtobufObjects.LENGTH_BYTES, line.remaining() - ProtobufObjects.LENGTH_BYTES);
            opened().sendFrame(new Frame(OpCode.BINARY, event), written, false);
        } else {
            opened().sendFrame(new Frame(OpCode.TEXT, line), written, false);
        }
    }

    @Override
    public void onFrame(Frame frame, Callback callback) {
        switch (frame.getOpCode()) {
            case OpCode.CLOSE -> {
                leave();
                callback.succeeded(); // which answers it
            }
            case OpCode.PING -> {
                // The next frame is read after this answer: answers to a client that reads nothing do not pile up.
                ByteBuffer same = BufferUtil.copy(frame.getPayload());
                Callback answered = Callback.from(() -> goOn(callback), callback::failed);
                opened().sendFrame(new Frame(OpCode.PONG, same), answered, false);
            }
            default -> goOn(callback);
        }
    }

    private void goOn(Callback callback) {
        callback.succeeded();
        opened().demand();
    }

    /** Nothing is written or read before. */
    private CoreSession opened() {
        return Optional.ofNullable(session).orElseThrow(() -> new IllegalStateException("not open yet"));
    }

    @Override
    public void onError(Throwable cause, Callback callback) {
        leave();
        callback.succeeded();
    }

    @Override
    public void onClosed(CloseStatus status, Callback callback) {
        leave();
        callback.succeeded();
    }

    /** Ends the watch that has no connection: the client gets an answer, and may ask something else. */
    void refuse() {
        parted.set(true);
        boolean unused = lines.abort();
    }

    /** Ends the watch: its client wants nothing more, or is gone. */
    void leave() {
        boolean unused = lines.abort();
        part();
    }

    private void part() {
        if (parted.compareAndSet(false, true)) {
            parting.run();
        }
    }
}
