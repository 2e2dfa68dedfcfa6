// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.core.CloseStatus;
import org.eclipse.jetty.websocket.core.CoreSession;
import org.eclipse.jetty.websocket.core.Frame;
import org.eclipse.jetty.websocket.core.OpCode;
import org.eclipse.jetty.websocket.core.OutgoingEntry;
import org.junit.jupiter.api.Test;

/** A WebSocket whose client takes one frame at a time, when it is told to. */
class SlowSocketTest {
    private final List<String> heard = new ArrayList<>();
    private final Backlog backlog = new Backlog(8L << 20);
    private final Connection connection = new Connection();
    private final List<ResponseLines> lines = new ArrayList<>();
    private final WatchSocket socket = new WatchSocket(false, this::lines, () -> heard.add("parting"));

    private ResponseLines lines(Content.Sink sink) {
        ResponseLines made =
                new ResponseLines(sink, Callback.NOOP, backlog, bytes("too slow"), () -> heard.add("last word"));
        made.whenOver(() -> heard.add("over"));
        lines.add(made);
        return made;
    }

    private static final class Connection extends CoreSession.Empty {
        private final List<String> frames = new ArrayList<>();
        private final Deque<Callback> pending = new ArrayDeque<>();
        private int demands;

        @Override
        public void sendFrame(OutgoingEntry entry) {
            frames.add(OpCode.name(entry.getFrame().getOpCode()) + " "
                    + entry.getFrame().getPayloadAsUTF8());
            pending.add(entry.getCallback());
        }

        @Override
        public void close(int status, String reason, Callback callback) {
            frames.add("CLOSE " + status);
            pending.add(callback);
        }

        @Override
        public void demand() {
            demands++;
        }

        void take() {
            pending.remove().succeeded();
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Frame frame(byte code, String payload) {
        return new Frame(code, true, ByteBuffer.wrap(bytes(payload)));
    }

    private boolean send(String line) {
        return lines.get(0).send(bytes(line));
    }

    @Test
    void nothingIsWrittenBeforeTheConnectionIsThereAndThenOneFrameAfterTheOther() {
        assertThat(send("a") && send("b")).isTrue();
        assertThat(connection.frames).isEmpty();
        socket.onOpen(connection, Callback.NOOP);
        assertThat(connection.frames).containsExactly("TEXT a");
        assertThat(send("c")).isTrue();
        connection.take();
        connection.take();
        connection.take();
        assertThat(connection.frames).containsExactly("TEXT a", "TEXT b", "TEXT c");
        lines.get(0).end();
        assertThat(connection.frames).endsWith("CLOSE 1000");
        assertThat(heard).containsExactly("over", "parting", "last word");
        assertThat(backlog.waiting()).isZero();
    }

    @Test
    void whoPingsAndTakesNothingIsReadNoFurther() {
        socket.onOpen(connection, Callback.NOOP);
        assertThat(connection.demands).isEqualTo(1);
        socket.onFrame(frame(OpCode.PING, "1"), Callback.NOOP);
        assertThat(connection.frames).containsExactly("PONG 1");
        assertThat(connection.demands).isEqualTo(1);
        connection.take();
        assertThat(connection.demands).isEqualTo(2);
        socket.onFrame(frame(OpCode.TEXT, "for no reader"), Callback.NOOP);
        assertThat(connection.demands).isEqualTo(3);
    }

    @Test
    void whatWaitsForASlowClientIsForgottenAndItHearsWhy() {
        socket.onOpen(connection, Callback.NOOP);
        String large = "x".repeat(1 << 20);
        int sent = 0;
        while (send(large)) {
            sent++;
        }
        assertThat(sent).isEqualTo(9); // eight wait, one is being written
        connection.take();
        connection.take();
        assertThat(connection.frames).hasSize(3).endsWith("TEXT too slow", "CLOSE 1000");
        assertThat(heard).containsExactly("over", "last word", "parting");
    }

    @Test
    void aClientThatClosesOrGoesAwayEndsItsWatchWithoutTheRest() {
        socket.onOpen(connection, Callback.NOOP);
        assertThat(send("a") && send("b")).isTrue();
        socket.onFrame(CloseStatus.toFrame(CloseStatus.NORMAL), Callback.NOOP);
        assertThat(heard).containsExactly("over", "parting");
        socket.onClosed(CloseStatus.NORMAL_STATUS, Callback.NOOP);
        connection.take();
        assertThat(connection.frames).containsExactly("TEXT a");
        assertThat(heard).containsExactly("over", "parting");
        assertThat(backlog.waiting()).isZero();
        assertThat(send("c")).isFalse();
    }

    @Test
    void aClientThatIsGoneBeforeTheUpgradeLeavesNothing() {
        assertThat(send("a")).isTrue();
        socket.leave();
        assertThat(heard).containsExactly("over", "parting");
        assertThat(backlog.waiting()).isZero();
    }
}
