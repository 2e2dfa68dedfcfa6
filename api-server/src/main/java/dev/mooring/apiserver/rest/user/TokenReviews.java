// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.user;

import dev.mooring.apiserver.rest.exchange.Answer;
import dev.mooring.apiserver.rest.exchange.ApiRequest;
import dev.mooring.apiserver.rest.exchange.RestFailure;
import dev.mooring.apiserver.token.ServiceAccountTokens;
import dev.mooring.apiserver.token.ServiceAccountTokens.Reviewed;
import dev.mooring.apiserver.token.User;
import dev.mooring.storage.document.Document;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** {@code POST .../tokenreviews}: whose a token is, for the servers that pods show theirs to. Thread-safe. */
public final class TokenReviews {
    private static final String PATH = "apis/authentication.k8s.io/v1/tokenreviews";

    private final ServiceAccountTokens tokens;
    private final Predicate<String> isOwn;

    /**
     * Nothing is done yet.
     *
     * @param isOwn whether a text is the server's own token
     */
    public TokenReviews(ServiceAccountTokens tokens, Predicate<String> isOwn) {
        this.tokens = tokens;
        this.isOwn = isOwn;
    }

    public static boolean isAbout(List<String> path) {
        return String.join("/", path).equals(PATH);
    }

    public Answer answer(ApiRequest request) {
        if (!request.method().equals("POST")) {
            throw RestFailure.methodNotAllowed();
        }
        Document asked = TokenBodies.read(request, "TokenReview");
        String token = asked.text("spec", "token").orElse("");
        if (token.isEmpty()) {
            throw RestFailure.badRequest("token is required for TokenReview in authentication");
        }
        List<String> audiences = TokenBodies.audiences(asked);
        Map<String, Object> review = new LinkedHashMap<>(asked.asMap());
        review.put("status", status(token, audiences.isEmpty() ? List.of(ServiceAccountTokens.ISSUER) : audiences));
        return Answer.json(201, Document.of(review));
    }

    private Map<String, Object> status(String token, List<String> audiences) {
        Optional<Reviewed> known = isOwn.test(token) && audiences.contains(ServiceAccountTokens.ISSUER)
                ? Optional.of(new Reviewed(User.ADMINISTRATOR, List.of(ServiceAccountTokens.ISSUER)))
                : tokens.review(token, audiences);
        Map<String, Object> status = new LinkedHashMap<>();
        known.ifPresent(good -> {
            status.put("authenticated", true);
            status.put("user", good.user().shown());
            status.put("audiences", good.audiences());
        });
        if (known.isEmpty()) {
            status.put("authenticated", false);
            status.put("user", Map.of());
            status.put("error", "the token is not from this server, not for this audience, or expired");
        }
        return status;
    }
}
