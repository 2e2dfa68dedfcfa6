// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.http;

import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Refuses requests that would otherwise be served as something else than the client asked for: as another user, without a condition, by
 * another method, at another path. It looks at the head only, of every request, before anything is authenticated or read.
 */
public final class StrictRequests extends Handler.Wrapper {
    private static final String IMPERSONATE = "impersonate-";
    private static final Set<String> PROXIED = Set.of("x-remote-user", "x-remote-uid", "x-remote-group");
    private static final String PROXIED_EXTRA = "x-remote-extra-";
    private static final Set<String> CONDITIONS = Set.of("if-match", "if-none-match", "if-unmodified-since");
    private static final Set<String> OTHER_METHOD =
            Set.of("x-http-method-override", "x-http-method", "x-method-override");
    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");
    private static final Pattern ODD = Pattern.compile(";|//|%2f|(^|/)(\\.|%2e){1,2}(/|$)", Pattern.CASE_INSENSITIVE);

    /** Serves by a handler what is not refused. */
    public StrictRequests(Handler handler) {
        super(handler);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        Optional<Document> refusal = refusal(request);
        if (refusal.isEmpty()) {
            return super.handle(request, response, callback);
        }
        byte[] body = KubernetesJson.standard().write(refusal.get()).getBytes(StandardCharsets.UTF_8);
        int status = refusal.get().at("code").orElseThrow() instanceof Long code ? code.intValue() : 400;
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
        response.write(true, ByteBuffer.wrap(body), callback);
        return true;
    }

    private static Optional<Document> refusal(Request request) {
        if (isOdd(request.getHttpURI())) {
            return Optional.of(
                    StatusObject.failure(404, "NotFound", "the server could not find the requested resource"));
        }
        boolean reading = READING.contains(request.getMethod());
        for (HttpField field : request.getHeaders()) {
            Optional<Document> refusal = refusal(field.getName(), reading);
            if (refusal.isPresent()) {
                return refusal;
            }
        }
        return Optional.empty();
    }

    private static Optional<Document> refusal(String header, boolean reading) {
        String name = header.toLowerCase(Locale.ROOT);
        if (name.startsWith(IMPERSONATE)) {
            return forbidden("impersonation is not supported: leave out --as, --as-uid, --as-group and the headers"
                    + " Impersonate-*");
        } else if (PROXIED.contains(name) || name.startsWith(PROXIED_EXTRA)) {
            return forbidden("users of a front proxy are not supported: leave out the headers X-Remote-*");
        } else if (OTHER_METHOD.contains(name)) {
            return badRequest("another method in a header is not supported: send the request by that method");
        } else if (!reading && CONDITIONS.contains(name)) {
            return badRequest("conditions in headers are not supported: set metadata.resourceVersion in the object,"
                    + " or preconditions in DeleteOptions");
        }
        return Optional.empty();
    }

    private static Optional<Document> forbidden(String message) {
        return Optional.of(StatusObject.failure(403, "Forbidden", message));
    }

    private static Optional<Document> badRequest(String message) {
        return Optional.of(StatusObject.failure(400, "BadRequest", message));
    }

    /**
     * Whether a path names nothing as it stands, and something only after it was rewritten: with {@code ;x=y} cut off, an escaped slash
     * taken for a slash, or dot segments and empty segments resolved. Slashes at the end are passed over, as by the API server.
     */
    private static boolean isOdd(HttpURI uri) {
        String path = Optional.ofNullable(uri.getPath()).orElse("").replaceFirst("/+$", "");
        return ODD.matcher(path).find();
    }
}
