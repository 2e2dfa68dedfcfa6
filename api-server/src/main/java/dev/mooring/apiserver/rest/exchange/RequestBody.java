// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.exchange;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Reads the body of one request as it comes, without a thread that waits for it: however many clients send slowly, they hold nothing
 * but their connections, and those not for ever.
 */
public final class RequestBody implements Runnable {
    /** What the API server takes, too. */
    static final int MOST_BYTES = 3 << 20;

    private static final long LONGEST_SECONDS = 60;
    private static final int USUAL_BYTES = 1_024;

    private final Request request;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(USUAL_BYTES);
    private final CompletableFuture<byte[]> whole = new CompletableFuture<>();

    private RequestBody(Request request) {
        this.request = request;
    }

    /** The body; fails with a {@link RestFailure} if it is too large or slow, and with an {@link IOException} if the client goes away. */
    public static CompletableFuture<byte[]> of(Request request, Server server) {
        if (request.getLength() > MOST_BYTES) {
            return CompletableFuture.failedFuture(tooLarge());
        }
        RequestBody body = new RequestBody(request);
        body.run();
        if (!body.whole.isDone()) {
            Scheduler.Task late = server.getScheduler().schedule(body::tooSlow, LONGEST_SECONDS, TimeUnit.SECONDS);
            CompletableFuture<byte[]> unused = body.whole.whenComplete((done, failed) -> late.cancel());
        }
        return body.whole;
    }

    private static RestFailure tooLarge() {
        return RestFailure.of(413, "RequestEntityTooLarge", "Request entity too large: limit is " + MOST_BYTES);
    }

    private void tooSlow() {
        whole.completeExceptionally(
                RestFailure.of(408, "Timeout", "the body did not come within " + LONGEST_SECONDS + " seconds"));
    }

    @Override
    public void run() {
        try {
            read();
        } catch (Throwable defect) { // the handler waits for the body
            whole.completeExceptionally(defect);
        }
    }

    private void read() {
        while (!whole.isDone()) {
            Content.Chunk chunk = request.read();
            if (chunk == null) {
                request.demand(this);
                return;
            }
            if (Content.Chunk.isFailure(chunk)) {
                whole.completeExceptionally(new IOException("the body cannot be read", chunk.getFailure()));
                return;
            }
            boolean last = chunk.isLast();
            byte[] part = new byte[chunk.remaining()];
            chunk.getByteBuffer().get(part);
            chunk.release();
            if (bytes.size() + part.length > MOST_BYTES) {
                whole.completeExceptionally(tooLarge());
                return;
            }
            bytes.writeBytes(part);
            if (last) {
                whole.complete(bytes.toByteArray());
            }
        }
    }
}
