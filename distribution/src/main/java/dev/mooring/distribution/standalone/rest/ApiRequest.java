// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone.rest;

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

    /** Whether a parameter is given and says yes. */
    boolean flag(String name) {
        String value = parameter(name);
        return query.containsKey(name) && !value.equals("false") && !value.equals("0");
    }

    /** A parameter that is a number of 0 or more. */
    Optional<Long> number(String name) {
        String value = parameter(name);
        if (value.isEmpty()) {
            return Optional.empty();
        }
        if (!value.matches("[0-9]{1,15}")) {
            throw RestFailure.badRequest(name + " is no number of 0 or more: " + value);
        }
        return Optional.of(Long.parseLong(value));
    }

    /** At most so many objects of a list; 0 for all, which every number below it says, too. */
    int limit() {
        String value = parameter("limit");
        return (int)
                Math.min(value.matches("-[0-9]{1,15}") ? 0 : number("limit").orElse(0L), Integer.MAX_VALUE);
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
        String value = parameter("dryRun");
        if (!value.isEmpty() && !value.equals("All")) {
            throw Statuses.invalidOptions(
                    optionsKind(), "dryRun: Unsupported value: \"" + value + "\": supported values: \"All\"");
        }
        return !value.isEmpty();
    }
}
