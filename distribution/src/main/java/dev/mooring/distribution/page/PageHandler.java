// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.explain.Explainer;
import dev.mooring.binder.explain.Explanation;
import dev.mooring.binder.explain.ExplanationText;
import dev.mooring.binder.snapshot.Snapshot;
import dev.mooring.runtime.ControllerRuntime;
import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Predicate;
import org.eclipse.jetty.http.HttpCookie;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.thread.Invocable;
import org.jspecify.annotations.Nullable;

/**
 * The page and what it asks for, below {@code /ui}; everything else is left to others. The files are for everybody, what they show is for
 * those with the token: as bearer token, or once at {@code /ui/login}, which answers a cookie that no script can read and that no other
 * site can make the browser send. The cookie is good for reading here and for nothing else.
 */
public final class PageHandler extends Handler.Abstract {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int NO_CONTENT = 204;
    private static final int LONGEST_TOKEN = 4_096;
    private static final String PLAIN = "text/plain; charset=utf-8";
    private static final String JSON = "application/json";
    private static final Map<String, String> HEADERS = Map.of(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none';"
                    + " form-action 'none'; frame-ancestors 'none'",
            "X-Content-Type-Options",
            "nosniff",
            "X-Frame-Options",
            "DENY",
            "Referrer-Policy",
            "no-referrer",
            "Cross-Origin-Opener-Policy",
            "same-origin",
            "Cross-Origin-Resource-Policy",
            "same-origin",
            "Cache-Control",
            "no-store");

    /** What is explained by what the controllers keep; pods and nodes also need the texts of events, which they do not. */
    private static final Map<String, Kind<?>> EXPLAINED = Map.of(
            Kinds.PERSISTENT_VOLUME_CLAIM.name(), Kinds.PERSISTENT_VOLUME_CLAIM,
            Kinds.PERSISTENT_VOLUME.name(), Kinds.PERSISTENT_VOLUME,
            Kinds.VOLUME_ATTACHMENT.name(), Kinds.VOLUME_ATTACHMENT);

    private final Map<String, PageFile> files = PageFile.all();
    private final PageWorld world;
    private final Predicate<String> isToken;
    private final Sessions sessions;
    private final Explainer explainer;

    /**
     * Makes the page.
     *
     * @param isToken whether a text is the token; may be called by several threads at once
     */
    public PageHandler(PageWorld world, Predicate<String> isToken, SecureRandom random) {
        this.world = world;
        this.isToken = isToken;
        this.sessions = new Sessions(random, TimeSource.system());
        this.explainer = new Explainer(BinderOptions.DEFAULT, world.plugins());
    }

    private record Answer(int status, String type, String body) {
        static Answer text(int status, String text) {
            return new Answer(status, PLAIN, text);
        }

        static Answer json(Document document) {
            return new Answer(200, JSON, KubernetesJson.standard().write(document));
        }
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        String path = Request.getPathInContext(request);
        if (!path.equals("/ui") && !path.startsWith("/ui/")) {
            return false;
        }
        if (path.equals("/ui/login") && request.getMethod().equals("POST")) {
            login(request, response, callback);
        } else {
            respond(request, response, callback, answer(request, response, path));
        }
        return true;
    }

    private static void respond(Request request, Response response, Callback callback, Answer answer) {
        HEADERS.forEach(response.getHeaders()::put);
        response.setStatus(answer.status());
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, answer.type());
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        if (answer.status() != NO_CONTENT) {
            response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
        }
        boolean head = request.getMethod().equals("HEAD");
        response.write(true, ByteBuffer.wrap(head ? new byte[0] : body), callback);
    }

    private Answer answer(Request request, Response response, String path) {
        boolean reads = request.getMethod().equals("GET") || request.getMethod().equals("HEAD");
        boolean posts = request.getMethod().equals("POST");
        return switch (path) {
            case "/ui/login" -> not("POST", response);
            case "/ui/logout" -> posts ? logout(request, response) : not("POST", response);
            case "/ui/state" -> reads ? forKnown(request, this::state) : not("GET", response);
            case "/ui/explain" -> reads ? forKnown(request, this::explain) : not("GET", response);
            case "/ui" -> {
                response.getHeaders().put(HttpHeader.LOCATION, "/ui/");
                yield Answer.text(308, "");
            }
            default -> {
                PageFile file = files.get(path);
                if (file == null) {
                    yield Answer.text(404, "there is nothing here\n");
                }
                yield reads ? new Answer(200, file.type(), file.content()) : not("GET", response);
            }
        };
    }

    private static Answer not(String allowed, Response response) {
        response.getHeaders().put(HttpHeader.ALLOW, allowed);
        return Answer.text(405, allowed + " is what this answers\n");
    }

    // ---- who asks ----

    private Answer forKnown(Request request, Function<Request, Answer> answer) {
        return isKnown(request) ? answer.apply(request) : Answer.text(401, "the token is needed\n");
    }

    private boolean isKnown(Request request) {
        String given = Optional.ofNullable(request.getHeaders().get(HttpHeader.AUTHORIZATION))
                .orElse("");
        boolean bearer = given.regionMatches(true, 0, "Bearer ", 0, 7)
                && isToken.test(given.substring(7).strip());
        return bearer || session(request).filter(sessions::isOpen).isPresent();
    }

    /** Ports of one host share their cookies. */
    private static String cookieName(Request request) {
        return "mooring-page-" + Request.getLocalPort(request);
    }

    private static Optional<String> session(Request request) {
        try {
            return Request.getCookies(request).stream()
                    .filter(cookie -> cookie.getName().equals(cookieName(request)))
                    .map(HttpCookie::getValue)
                    .findFirst();
        } catch (RuntimeException malformed) {
            return Optional.empty();
        }
    }

    /** Without a thread that waits for the token: anybody may send half of one, and as often as they like. */
    private void login(Request request, Response response, Callback callback) {
        if (request.getLength() < 0 || request.getLength() > LONGEST_TOKEN) {
            respond(request, response, callback, Answer.text(413, "that is no token\n"));
            return;
        }
        Content.Source.asByteArrayAsync(
                request,
                LONGEST_TOKEN,
                Promise.Invocable.from(
                        Invocable.InvocationType.BLOCKING,
                        (body, failed) -> entered(request, response, callback, body, failed)));
    }

    /** Never throws: nobody would hear of it, and the browser would wait for ever. */
    private void entered(
            Request request, Response response, Callback callback, byte @Nullable [] body, @Nullable Throwable failed) {
        try {
            Answer answer = failed != null || body == null
                    ? Answer.text(400, "the token cannot be read\n")
                    : entered(request, response, new String(body, StandardCharsets.UTF_8).strip());
            respond(request, response, callback, answer);
        } catch (Throwable defect) {
            callback.failed(defect);
        }
    }

    private Answer entered(Request request, Response response, String token) {
        if (!isToken.test(token)) {
            return Answer.text(401, "that is not the token\n");
        }
        setCookie(request, response, sessions.open(), Sessions.LIFETIME);
        return Answer.text(NO_CONTENT, "");
    }

    private Answer logout(Request request, Response response) {
        session(request).ifPresent(sessions::close);
        setCookie(request, response, "", Duration.ZERO);
        return Answer.text(NO_CONTENT, "");
    }

    private static void setCookie(Request request, Response response, String value, Duration lifetime) {
        response.getHeaders()
                .add(
                        HttpHeader.SET_COOKIE,
                        cookieName(request) + "=" + value + "; Path=/ui; HttpOnly; SameSite=Strict; Max-Age="
                                + lifetime.toSeconds() + (request.isSecure() ? "; Secure" : ""));
    }

    // ---- what is asked ----

    private Answer state(Request request) {
        Optional<ControllerRuntime> deciding = world.deciding().get();
        if (deciding.isEmpty()) {
            return Answer.json(Picture.standingBy());
        }
        return asked(
                deciding.get(),
                Picture::of,
                picture -> Answer.json(picture.document(world.mounts().get())));
    }

    private Answer explain(Request request) {
        Fields query;
        try {
            query = Request.extractQueryParameters(request);
        } catch (RuntimeException e) {
            return Answer.text(400, "the query cannot be read\n");
        }
        String namespace = Optional.ofNullable(query.getValue("namespace")).orElse("");
        String name = Optional.ofNullable(query.getValue("name")).orElse("");
        Kind<?> kind = query.getValue("kind") == null
                ? (namespace.isEmpty() ? Kinds.PERSISTENT_VOLUME : Kinds.PERSISTENT_VOLUME_CLAIM)
                : EXPLAINED.get(query.getValue("kind"));
        if (kind == null) {
            return Answer.text(400, "kind must be one of " + new TreeSet<>(EXPLAINED.keySet()) + "\n");
        }
        Optional<ControllerRuntime> deciding = world.deciding().get();
        if (deciding.isEmpty()) {
            return Answer.text(503, "another process decides\n");
        }
        // The decider only hands over what it knows; a dry run among many objects takes long.
        Function<List<KubernetesObject>, Optional<Explanation>> why = objects -> {
            Snapshot snapshot = Snapshot.of(objects, world.clock().instant());
            return explainer.explain(
                    snapshot, kind, kind.namespaced() ? ObjectKey.of(namespace, name) : ObjectKey.cluster(name));
        };
        return asked(
                deciding.get(),
                Snapshot::objectsOf,
                objects -> why.apply(objects)
                        .map(explanation -> Answer.json(Document.of(Map.of("text", ExplanationText.of(explanation)))))
                        .orElseGet(() -> Answer.text(404, "it does not exist any more\n")));
    }

    private static <R> Answer asked(
            ControllerRuntime decider, Function<Caches, R> question, Function<R, Answer> answer) {
        try {
            return answer.apply(decider.ask(question).get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException | ExecutionException e) {
            return Answer.text(503, "the controllers do not answer\n");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Answer.text(503, "the process is being stopped\n");
        }
    }
}
