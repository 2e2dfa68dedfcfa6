// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.user;

import dev.mooring.apiserver.rest.exchange.Answer;
import dev.mooring.apiserver.rest.exchange.ApiRequest;
import dev.mooring.apiserver.rest.exchange.Bodies;
import dev.mooring.apiserver.rest.exchange.RestFailure;
import dev.mooring.apiserver.rest.exchange.Statuses;
import dev.mooring.apiserver.token.User;
import dev.mooring.storage.document.Document;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Answers who asks who they are and what they may do. */
public final class Reviews {
    private Reviews() {}

    /** The answer, if the path is that of a review. */
    public static Optional<Answer> of(ApiRequest request, User user) {
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
        Document spec = asked.object("spec").orElse(Document.empty());
        Map<String, Object> review = new LinkedHashMap<>(asked.asMap());
        review.put(
                "status",
                switch (kind) {
                    case "SelfSubjectAccessReview" -> {
                        requireOneQuestion(group, kind, spec);
                        yield Map.of("allowed", Rights.may(user, spec.asMap()));
                    }
                    case "SelfSubjectRulesReview" -> {
                        if (spec.text("namespace").orElse("").isEmpty()) {
                            throw RestFailure.badRequest("no namespace on request");
                        }
                        yield Rights.rules(user);
                    }
                    default -> Map.of("userInfo", user.shown());
                });
        return Optional.of(Answer.json(201, Document.of(review)));
    }

    private static void requireOneQuestion(String group, String kind, Document spec) {
        boolean aboutResource = spec.object("resourceAttributes").isPresent();
        boolean aboutPath = spec.object("nonResourceAttributes").isPresent();
        if (aboutResource && aboutPath) {
            throw Statuses.invalid(
                    group,
                    kind,
                    "",
                    "spec.nonResourceAttributes: Invalid value: \"\": cannot be specified in combination with resourceAttributes");
        }
        if (!aboutResource && !aboutPath) {
            throw Statuses.invalid(
                    group,
                    kind,
                    "",
                    "spec.resourceAttributes: Invalid value: \"null\": exactly one of nonResourceAttributes or resourceAttributes"
                            + " must be specified");
        }
    }
}
