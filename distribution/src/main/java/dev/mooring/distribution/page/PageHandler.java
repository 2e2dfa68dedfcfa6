// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import dev.mooring.runtime.control.TimeSource;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
 * The page and what it asks for, below {@code /ui}; everything else is left to others. Every client may read the files; what they show is
 * for those with the token: as bearer token, or once at {@code /ui/login}, which answers a cookie that no script can read and that no other
 * site can make the browser send. The cookie is good for reading here and for nothing else: an act needs a token of those who may act, in a
 * header, and comes from the page itself.
 */
public final class PageHandler extends Handler.Abstract {
    private static final int LONGEST_TOKEN = 4_096;
    private static final int LONGEST_ACT = 16_384;
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

    private static final Set<String> ACTS = Set.of("/ui/act", "/ui/act/rehearsal");

    private final Map<String, PageFile> files = PageFile.all();
    private final PageAnswers answers;
    private final PageActs acts;
    private final Predicate<String> isToken;
    private final Sessions sessions;
    private final LoginTicket ticket;

    /**
     * Makes the page.
     *
     * @param isToken whether a text is the token; may be called by several threads at once
     */
    public PageHandler(PageWorld world, Predicate<String> isToken, SecureRandom random) {
        this.acts = new PageActs(world.actors(), world.clock());
        this.answers = new PageAnswers(world, acts);
        this.isToken = isToken;
        this.sessions = new Sessions(random, TimeSource.system());
        this.ticket = new LoginTicket(random, TimeSource.system());
    }

    /**
     * The page's path with a ticket that logs in once, within 15 minutes after this was made. A browser keeps to itself what stands behind
     * {@code #}.
     */
    public String loginPath() {
        return "/ui/#token=" + ticket.text();
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        String path = Request.getPathInContext(request);
        if (!path.equals("/ui") && !path.startsWith("/ui/")) {
            return false;
        }
        if (path.equals("/ui/login") && request.getMethod().equals("POST")) {
            login(request, response, callback);
        } else if (ACTS.contains(path) && request.getMethod().equals("POST")) {
            act(request, response, callback, path.equals("/ui/act"));
        } else {
            respond(request, response, callback, answer(request, response, path));
        }
        return true;
    }

    private static void respond(Request request, Response response, Callback callback, PageAnswer answer) {
        HEADERS.forEach(response.getHeaders()::put);
        response.setStatus(answer.status());
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, answer.type());
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        if (answer.status() != PageAnswer.NO_CONTENT) {
            response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
        }
        boolean head = request.getMethod().equals("HEAD");
        response.write(true, ByteBuffer.wrap(head ? new byte[0] : body), callback);
    }

    private PageAnswer answer(Request request, Response response, String path) {
        boolean reads = request.getMethod().equals("GET") || request.getMethod().equals("HEAD");
        boolean posts = request.getMethod().equals("POST");
        return switch (path) {
            case "/ui/login", "/ui/act", "/ui/act/rehearsal" -> not("POST", response);
            case "/ui/logout" -> posts ? logout(request, response) : not("POST", response);
            case "/ui/state" -> reads ? forKnown(request, answers::state) : not("GET", response);
            case "/ui/map" -> reads ? forKnown(request, answers::map) : not("GET", response);
            case "/ui/list" -> reads ? forKnown(request, answers::list) : not("GET", response);
            case "/ui/object" -> reads ? forKnown(request, answers::object) : not("GET", response);
            case "/ui/explain" -> reads ? forKnown(request, answers::explain) : not("GET", response);
            case "/ui" -> {
                response.getHeaders().put(HttpHeader.LOCATION, "/ui/");
                yield PageAnswer.text(308, "");
            }
            default -> {
                PageFile file = files.get(path);
                if (file == null) {
                    yield PageAnswer.text(404, "there is nothing here\n");
                }
                yield reads ? new PageAnswer(200, file.type(), file.content()) : not("GET", response);
            }
        };
    }

    private static PageAnswer not(String allowed, Response response) {
        response.getHeaders().put(HttpHeader.ALLOW, allowed);
        return PageAnswer.text(405, "only " + allowed + " is allowed here\n");
    }

    // ---- who asks ----

    private PageAnswer forKnown(Request request, Function<Function<String, String>, PageAnswer> answer) {
        if (!isKnown(request)) {
            return PageAnswer.text(401, "the token is needed\n");
        }
        Fields query;
        try {
            query = Request.extractQueryParameters(request);
        } catch (RuntimeException e) {
            return PageAnswer.text(400, "the query cannot be read\n");
        }
        return answer.apply(name -> Optional.ofNullable(query.getValue(name)).orElse(""));
    }

    private boolean isKnown(Request request) {
        return isToken.test(bearer(request))
                || session(request).filter(sessions::isOpen).isPresent();
    }

    private static String bearer(Request request) {
        String given = Optional.ofNullable(request.getHeaders().get(HttpHeader.AUTHORIZATION))
                .orElse("");
        return given.regionMatches(true, 0, "Bearer ", 0, 7)
                ? given.substring(7).strip()
                : "";
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

    private void login(Request request, Response response, Callback callback) {
        take(
                request,
                response,
                callback,
                LONGEST_TOKEN,
                body -> entered(request, response, new String(body, StandardCharsets.UTF_8).strip()));
    }

    private PageAnswer entered(Request request, Response response, String token) {
        if (!isToken.test(token) && !ticket.redeem(token)) {
            return PageAnswer.text(401, "that is not the token\n");
        }
        setCookie(request, response, sessions.open(), Sessions.LIFETIME);
        return PageAnswer.text(PageAnswer.NO_CONTENT, "");
    }

    /**
     * A cookie alone is not enough: a browser may be made to send it, and the token in a header it cannot be made to send. Of a request from
     * those who may not even look nothing is read.
     */
    private void act(Request request, Response response, Callback callback, boolean isDone) {
        String token = bearer(request);
        if (!isOfThisPage(request)) {
            respond(request, response, callback, PageAnswer.text(403, "only this page itself may ask for an act\n"));
        } else if (token.isEmpty() || !isKnown(request)) {
            respond(request, response, callback, PageAnswer.text(401, "an act needs the token in its header\n"));
        } else {
            String address = Request.getRemoteAddr(request);
            take(request, response, callback, LONGEST_ACT, body -> acts.answer(token, address, body, isDone));
        }
    }

    private static boolean isOfThisPage(Request request) {
        String origin =
                Optional.ofNullable(request.getHeaders().get(HttpHeader.ORIGIN)).orElse("");
        String host =
                Optional.ofNullable(request.getHeaders().get(HttpHeader.HOST)).orElse("");
        return !host.isEmpty() && origin.equals((request.isSecure() ? "https://" : "http://") + host);
    }

    /** Without a thread that waits for the body: a client may send half of one, and as often as it likes. */
    private static void take(
            Request request, Response response, Callback callback, int longest, Function<byte[], PageAnswer> answer) {
        if (request.getLength() < 0 || request.getLength() > longest) {
            respond(
                    request,
                    response,
                    callback,
                    PageAnswer.text(413, "a body of at most " + longest + " bytes is needed, with its length\n"));
            return;
        }
        Content.Source.asByteArrayAsync(
                request,
                longest,
                Promise.Invocable.from(
                        Invocable.InvocationType.BLOCKING,
                        (body, failed) -> taken(request, response, callback, body, failed, answer)));
    }

    /** Never throws: no caller would hear of it, and the browser would wait for ever. */
    private static void taken(
            Request request,
            Response response,
            Callback callback,
            byte @Nullable [] body,
            @Nullable Throwable failed,
            Function<byte[], PageAnswer> answer) {
        try {
            respond(
                    request,
                    response,
                    callback,
                    failed != null || body == null
                            ? PageAnswer.text(400, "the body cannot be read\n")
                            : answer.apply(body));
        } catch (Throwable defect) {
            callback.failed(defect);
        }
    }

    private PageAnswer logout(Request request, Response response) {
        session(request).ifPresent(sessions::close);
        setCookie(request, response, "", Duration.ZERO);
        return PageAnswer.text(PageAnswer.NO_CONTENT, "");
    }

    private static void setCookie(Request request, Response response, String value, Duration lifetime) {
        response.getHeaders()
                .add(
                        HttpHeader.SET_COOKIE,
                        cookieName(request) + "=" + value + "; Path=/ui; HttpOnly; SameSite=Strict; Max-Age="
                                + lifetime.toSeconds() + (request.isSecure() ? "; Secure" : ""));
    }
}
