// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A request as it came.
 *
 * @param method in capitals
 * @param path the parts of the path, decoded, without empty ones
 * @param query the parameters, each with its values
 * @param accept what the client wants, in its order of the header; empty for anything
 * @param contentType of the body, without parameters; empty if it says nothing
 * @param body the text; empty if there is none
 */
record ApiRequest(
        String method,
        List<String> path,
        Map<String, List<String>> query,
        String accept,
        String contentType,
        String body) {
    ApiRequest {
        path = List.copyOf(path);
    }

    /** The first value of a parameter; empty if it is not given. */
    String parameter(String name) {
        List<String> values = query.getOrDefault(name, List.of());
        return values.isEmpty() ? "" : values.get(0);
    }

    /** Whether a parameter is given and does not say {@code false} or {@code 0}: so the API server reads truth values. */
    boolean flag(String name) {
        String value = parameter(name);
        return query.containsKey(name) && !value.equalsIgnoreCase("false") && !value.equals("0");
    }

    /** A parameter that is a whole number. */
    Optional<Long> number(String name) {
        if (!query.containsKey(name)) {
            return Optional.empty();
        }
        String value = parameter(name);
        try {
            return Optional.of(Long.parseLong(value));
        } catch (NumberFormatException e) {
            throw RestFailure.badRequest(name + ": must be a whole number within 64 bits, not \"" + value + "\"");
        }
    }

    /** At most so many objects of a list; 0 for all, which every number below it says, too. */
    int limit() {
        return (int) Math.max(0, Math.min(number("limit").orElse(0L), Integer.MAX_VALUE));
    }

    /** The same request of something else. */
    ApiRequest of(List<String> otherPath, Map<String, List<String>> otherQuery) {
        return new ApiRequest(method, otherPath, otherQuery, accept, contentType, body);
    }

    /** What Kubernetes calls the parameters of such a request. */
    String optionsKind() {
        return switch (method) {
            case "POST" -> "CreateOptions";
            case "PUT" -> "UpdateOptions";
            case "PATCH" -> "PatchOptions";
            case "DELETE" -> "DeleteOptions";
            default -> "ListOptions";
        };
    }

    boolean isDryRun() {
        List<String> values = query.getOrDefault("dryRun", List.of());
        for (String value : values) {
            if (!value.equals("All")) {
                throw Statuses.invalidOptions(
                        optionsKind(), "dryRun: Unsupported value: \"" + value + "\": supported values: \"All\"");
            }
        }
        return !values.isEmpty();
    }
}
