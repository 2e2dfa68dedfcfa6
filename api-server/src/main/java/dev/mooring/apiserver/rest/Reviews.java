// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest;

import dev.mooring.apiserver.token.User;
import dev.mooring.storage.document.Document;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Answers who asks who they are and what they may do. */
final class Reviews {
    private Reviews() {}

    /** The answer, if the path is that of a review. */
    static Optional<Answer> of(ApiRequest request, User user) {
        String kind = switch (String.join("/", request.path())) {
            case "apis/authorization.k8s.io/v1/selfsubjectaccessreviews" -> "SelfSubjectAccessReview";
            case "apis/authorization.k8s.io/v1/selfsubjectrulesreviews" -> "SelfSubjectRulesReview";
            case "apis/authentication.k8s.io/v1/selfsubjectreviews" -> "SelfSubjectReview";
            default -> "";
        };
        if (kind.isEmpty()) {
            return Optional.empty();
        }
        if (!request.method().equals("POST")) {
            throw RestFailure.methodNotAllowed();
        }
        String group = request.path().get(1);
        Document asked = Bodies.typed(request, group + "/v1", kind);
        Map<String, Object> review = new LinkedHashMap<>(asked.asMap());
        review.put(
                "status",
                switch (kind) {
                    case "SelfSubjectAccessReview" ->
                        Map.of(
                                "allowed",
                                Rights.may(
                                        user,
                                        asked.object("spec")
                                                .orElse(Document.empty())
                                                .asMap()));
                    case "SelfSubjectRulesReview" -> Rights.rules(user);
                    default -> Map.of("userInfo", user.shown());
                });
        return Optional.of(Answer.json(201, Document.of(review)));
    }
}
