// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Test;

/** What becomes of a client that takes nothing. */
class ResponseLinesTest {
    private static final byte[] LARGE = new byte[1 << 20];

    private final List<String> written = new ArrayList<>();
    private final List<Callback> pending = new ArrayList<>();
    private final List<String> heard = new ArrayList<>();
    private final Backlog backlog = new Backlog(8L << 20);
    private final Content.Sink sink = (last, bytes, callback) -> {
        written.add(last + " " + StandardCharsets.UTF_8.decode(bytes == null ? ByteBuffer.allocate(0) : bytes));
        pending.add(callback);
    };

    private ResponseLines lines(String name) {
        ResponseLines lines = new ResponseLines(
                sink,
                Callback.from(() -> heard.add(name + " done"), failed -> heard.add(name + " failed")),
                backlog,
                "too slow".getBytes(StandardCharsets.UTF_8),
                () -> heard.add(name + " last word"));
        lines.whenOver(() -> heard.add(name + " over"));
        lines.open();
        return lines;
    }

    private void take() {
        pending.remove(0).succeeded();
    }

    @Test
    void whatWaitsForASlowClientIsForgottenAndItHearsWhy() {
        ResponseLines lines = lines("a");
        int sent = 0;
        while (lines.send(LARGE)) {
            sent++;
        }
        assertThat(sent).isEqualTo(8);
        assertThat(heard).containsExactly("a over", "a last word");
        assertThat(lines.send(new byte[1])).isFalse();
        take();
        assertThat(written.get(1)).isEqualTo("false too slow");
        take();
        assertThat(written.get(2)).isEqualTo("true ");
        take();
        assertThat(heard).containsExactly("a over", "a last word", "a done");
    }

    @Test
    void manySlowClientsTogetherHoldNoMoreThanOne() {
        List<ResponseLines> all = List.of(lines("a"), lines("b"), lines("c"), lines("d"));
        for (int i = 0; i < 20; i++) {
            for (ResponseLines each : all) {
                boolean unused = each.send(LARGE);
                assertThat(backlog.waiting()).isLessThanOrEqualTo(8L << 20);
            }
        }
        assertThat(heard).filteredOn(each -> each.endsWith("last word")).hasSize(4);
    }

    @Test
    void anotherClientIsNotHeldUp() {
        ResponseLines slow = lines("slow");
        Callback stuck = pending.remove(0);
        assertThat(stuck).isNotNull();
        ResponseLines quick = lines("quick");
        for (int i = 0; i < 30; i++) {
            take();
            boolean unused = slow.send(LARGE);
            assertThat(quick.send("line\n".getBytes(StandardCharsets.UTF_8))).isTrue();
        }
        assertThat(heard).contains("slow last word").doesNotContain("quick last word");
        assertThat(written).filteredOn("false line\n"::equals).hasSize(30);
    }

    @Test
    void whoNeverTakesTheLastWordIsEndedWithoutIt() {
        ResponseLines lines = lines("a");
        assertThat(lines.abort()).isTrue();
        assertThat(lines.abort()).isFalse();
        assertThat(heard).containsExactly("a over", "a failed");
    }

    @Test
    void whoTookTheLastWordIsNotCutOff() {
        ResponseLines lines = lines("a");
        lines.end();
        take();
        take();
        assertThat(lines.abort()).isFalse();
        assertThat(heard).containsExactly("a over", "a last word", "a done");
    }

    @Test
    void whoTakesEverythingAtOnceNeedsNoTimeForTheLastWord() {
        ResponseLines quick = new ResponseLines(
                (last, bytes, callback) -> callback.succeeded(),
                Callback.from(() -> heard.add("quick done"), failed -> heard.add("quick failed")),
                backlog,
                new byte[0],
                () -> heard.add("quick last word"));
        quick.open();
        quick.end();
        quick.end();
        assertThat(heard).containsExactly("quick done");
    }

    @Test
    void aWatchWhoseTimeIsOverEndsThoughItsClientReadsNothing() {
        ResponseLines lines = lines("a");
        assertThat(lines.send(LARGE)).isTrue();
        lines.end();
        lines.end();
        assertThat(heard).containsExactly("a over", "a last word");
        assertThat(lines.abort()).isTrue();
        assertThat(heard).containsExactly("a over", "a last word", "a failed");
        assertThat(backlog.waiting()).isZero();
    }
}
