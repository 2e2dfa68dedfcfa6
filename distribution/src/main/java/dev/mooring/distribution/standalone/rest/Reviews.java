// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone.rest;

import dev.mooring.storage.document.Document;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Answers who asks who they are and what they may do. There is one token, and who has it may do everything. */
final class Reviews {
    private static final List<String> ALL = List.of("*");

    private Reviews() {}

    /** The answer, if the path is that of a review. */
    static Optional<Answer> of(ApiRequest request) {
        Map<String, Object> status = switch (String.join("/", request.path())) {
            case "apis/authorization.k8s.io/v1/selfsubjectaccessreviews" -> Map.of("allowed", true);
            case "apis/authorization.k8s.io/v1/selfsubjectrulesreviews" ->
                Map.of(
                        "resourceRules", List.of(Map.of("verbs", ALL, "apiGroups", ALL, "resources", ALL)),
                        "nonResourceRules", List.of(Map.of("verbs", ALL, "nonResourceURLs", ALL)),
                        "incomplete", false);
            case "apis/authentication.k8s.io/v1/selfsubjectreviews" ->
                Map.of("userInfo", Map.of("username", "mooring", "groups", List.of("system:masters")));
            default -> Map.of();
        };
        if (status.isEmpty()) {
            return Optional.empty();
        }
        if (!request.method().equals("POST")) {
            throw RestFailure.of(
                    405, "MethodNotAllowed", "the server does not allow this method on the requested resource");
        }
        Map<String, Object> review =
                new LinkedHashMap<>(Bodies.json(request.body()).asMap());
        review.put("status", status);
        return Optional.of(Answer.json(201, Document.of(review)));
    }
}
