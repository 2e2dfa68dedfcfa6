// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.exchange;

import dev.mooring.clusterstore.fieldmanagement.Authorship;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
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
 * @param userAgent by what the client calls itself; empty if it says nothing
 * @param body the text; empty if there is none
 */
public record ApiRequest(
        String method,
        List<String> path,
        Map<String, List<String>> query,
        String accept,
        String contentType,
        String userAgent,
        String body) {
    /** The most bytes of a field manager's name. */
    private static final int LONGEST_MANAGER = 128;

    public ApiRequest {
        path = List.copyOf(path);
    }

    /** A request of a client that does not say what it is. */
    public ApiRequest(
            String method,
            List<String> path,
            Map<String, List<String>> query,
            String accept,
            String contentType,
            String body) {
        this(method, path, query, accept, contentType, "", body);
    }

    /** The first value of a parameter; empty if it is not given. */
    public String parameter(String name) {
        List<String> values = query.getOrDefault(name, List.of());
        return values.isEmpty() ? "" : values.get(0);
    }

    /** Whether a parameter is given and does not say {@code false} or {@code 0}: so the API server reads truth values. */
    public boolean flag(String name) {
        String value = parameter(name);
        return query.containsKey(name) && !value.equalsIgnoreCase("false") && !value.equals("0");
    }

    /** A parameter that is a whole number. */
    public Optional<Long> number(String name) {
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
    public int limit() {
        return (int) Math.max(0, Math.min(number("limit").orElse(0L), Integer.MAX_VALUE));
    }

    /** The same request of something else. */
    public ApiRequest of(List<String> otherPath, Map<String, List<String>> otherQuery) {
        return new ApiRequest(method, otherPath, otherQuery, accept, contentType, userAgent, body);
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

    public boolean isDryRun() {
        List<String> values = query.getOrDefault("dryRun", List.of());
        for (String value : values) {
            if (!value.equals("All")) {
                throw Statuses.invalidOptions(
                        optionsKind(), "dryRun: Unsupported value: \"" + value + "\": supported values: \"All\"");
            }
        }
        return !values.isEmpty();
    }

    /** Who manages what this request writes: as its parameter says, or else by what the client calls itself. */
    public Authorship author() {
        String named = parameter("fieldManager");
        checkManager(named);
        String name = named.isEmpty() ? managerOfAgent() : named;
        return Authorship.of(name.isEmpty() ? "unknown" : name);
    }

    /** The parameter {@code fieldManager} of an apply, which has to name one. */
    public String applier() {
        String named = parameter("fieldManager");
        if (named.isEmpty()) {
            throw Statuses.invalidOptions(optionsKind(), "fieldManager: Required value: is required for apply patch");
        }
        checkManager(named);
        return named;
    }

    private void checkManager(String name) {
        if (name.getBytes(StandardCharsets.UTF_8).length > LONGEST_MANAGER) {
            throw Statuses.invalidOptions(
                    optionsKind(), "fieldManager: Too long: may not be more than " + LONGEST_MANAGER + " bytes");
        }
        name.codePoints().filter(each -> !isPrintable(each)).findFirst().ifPresent(each -> {
            throw Statuses.invalidOptions(
                    optionsKind(),
                    "fieldManager: Invalid value: " + shown(name) + ": invalid character "
                            + String.format(Locale.ROOT, "U+%04X", each) + " (at position "
                            + name.codePointCount(0, name.indexOf(each)) + ")");
        });
    }

    private static String shown(String name) {
        StringBuilder text = new StringBuilder("\"");
        name.codePoints()
                .forEach(each -> text.append(
                        isPrintable(each)
                                ? Character.toString(each)
                                : String.format(Locale.ROOT, each < 128 ? "\\x%02x" : "\\u%04x", each)));
        return text.append('"').toString();
    }

    private static boolean isPrintable(int character) {
        return character == ' '
                || !(Character.isISOControl(character)
                        || Character.isWhitespace(character)
                        || Character.isSpaceChar(character)
                        || !Character.isDefined(character));
    }

    private String managerOfAgent() {
        StringBuilder name = new StringBuilder();
        int bytes = 0;
        for (int each : userAgent.split("/", 2)[0].codePoints().toArray()) {
            if (!isPrintable(each)) {
                continue;
            }
            bytes += Character.toString(each).getBytes(StandardCharsets.UTF_8).length;
            if (bytes > LONGEST_MANAGER) {
                return name.toString();
            }
            name.appendCodePoint(each);
        }
        return name.toString();
    }
}
