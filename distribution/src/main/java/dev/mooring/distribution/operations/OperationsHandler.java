// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.operations;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Answers what operators ask. */
final class OperationsHandler extends Handler.Abstract {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final String PLAIN = "text/plain; charset=utf-8";
    private static final Set<String> READING = Set.of("GET", "HEAD");

    private final Operations operations;

    OperationsHandler(Operations operations) {
        this.operations = operations;
    }

    private record Answer(int status, String type, String text) {
        static Answer of(Optional<String> problem) {
            return problem.map(why -> new Answer(503, PLAIN, why + "\n"))
                    .orElseGet(() -> new Answer(200, PLAIN, "ok\n"));
        }
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        Answer answer = READING.contains(request.getMethod())
                ? answer(Request.getPathInContext(request))
                : new Answer(405, PLAIN, "nothing can be changed here\n");
        byte[] body = answer.text().getBytes(StandardCharsets.UTF_8);
        response.setStatus(answer.status());
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, answer.type());
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-cache");
        response.write(true, ByteBuffer.wrap(body), callback);
        return true;
    }

    private Answer answer(String path) {
        return switch (path) {
            case "/metrics" -> metrics();
            case "/livez", "/healthz" -> Answer.of(operations.sickness());
            case "/readyz" -> Answer.of(operations.sickness().or(operations::hindrance));
            case "/threads" -> new Answer(200, PLAIN, ThreadDump.now());
            default -> new Answer(404, PLAIN, "there are /metrics, /livez, /readyz, /threads\n");
        };
    }

    private Answer metrics() {
        try {
            return new Answer(
                    200,
                    MetricsText.CONTENT_TYPE,
                    MetricsText.of(operations.metrics().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)));
        } catch (TimeoutException e) {
            return new Answer(503, PLAIN, "the decider did not answer within " + PATIENCE.toSeconds() + " s\n");
        } catch (ExecutionException e) {
            return new Answer(503, PLAIN, "the metrics cannot be read: " + e.getCause() + "\n");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Answer(503, PLAIN, "the process is being stopped\n");
        }
    }
}
