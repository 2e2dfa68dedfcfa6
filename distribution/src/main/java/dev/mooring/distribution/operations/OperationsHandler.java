// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.operations;

import dev.mooring.distribution.logging.Logs;
import dev.mooring.distribution.support.Redaction;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Answers what operators ask. */
final class OperationsHandler extends Handler.Abstract {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final String PLAIN = "text/plain; charset=utf-8";
    private static final Set<String> HERE = Set.of("localhost", "127.0.0.1", "[::1]", "::1");
    private static final Set<String> READING = Set.of("GET", "HEAD");

    private final Operations operations;
    private final String told;
    private final String metricsPath;
    private final Map<String, Supplier<Optional<String>>> probes;

    /**
     * Answers from now on.
     *
     * @param address the options of the process, and what else is answered
     */
    OperationsHandler(Operations operations, OperationsAddress address) {
        this.operations = operations;
        this.told = address.told();
        this.metricsPath = address.metricsPath();
        this.probes = address.probes();
    }

    private record Answer(int status, String type, String text) {
        /** As livenessprobe answers. */
        static Answer ofProbe(Optional<String> problem) {
            return problem.map(why -> new Answer(500, PLAIN, why + "\n"))
                    .orElseGet(() -> new Answer(200, PLAIN, "ok\n"));
        }

        static Answer of(Optional<String> problem) {
            return problem.map(why -> new Answer(503, PLAIN, why + "\n"))
                    .orElseGet(() -> new Answer(200, PLAIN, "ok\n"));
        }
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        Answer answer = READING.contains(request.getMethod())
                ? answer(Request.getPathInContext(request), request)
                : new Answer(405, PLAIN, "nothing can be changed here\n");
        byte[] body = answer.text().getBytes(StandardCharsets.UTF_8);
        response.setStatus(answer.status());
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, answer.type());
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-cache");
        response.write(true, ByteBuffer.wrap(body), callback);
        return true;
    }

    private Answer answer(String path, Request request) {
        if (path.equals(metricsPath)) {
            return metrics();
        } else if (probes.containsKey(path)) {
            return Answer.ofProbe(probes.get(path).get());
        }
        return switch (path) {
            case "/livez", "/healthz" -> Answer.of(operations.sickness());
            case "/readyz" -> Answer.of(operations.sickness().or(operations::hindrance));
            case "/threads" -> new Answer(200, PLAIN, ThreadDump.now());
            case "/configuration" -> here(request, () -> told);
            case "/log" -> here(request, () -> Redaction.of(Logs.recent()));
            default -> new Answer(404, PLAIN, "there are /metrics, /livez, /readyz, /threads, /configuration, /log\n");
        };
    }

    /** Paths and messages say more than a network needs to know. */
    private static Answer here(Request request, Supplier<String> text) {
        return isHere(request.getConnectionMetaData().getRemoteSocketAddress(), Request.getServerName(request))
                ? new Answer(200, PLAIN, text.get())
                : new Answer(
                        403,
                        PLAIN,
                        "this is shown to programs of the same machine, by the name localhost, 127.0.0.1 or [::1]\n");
    }

    /**
     * Whether a program of this machine asks, for this machine. A page in a browser here asks for the name that it came from, even if that
     * name means this machine by now.
     */
    static boolean isHere(SocketAddress peer, String host) {
        return peer instanceof InetSocketAddress inet
                && inet.getAddress() != null
                && inet.getAddress().isLoopbackAddress()
                && HERE.contains(host);
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
