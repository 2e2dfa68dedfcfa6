// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.exchange;

import dev.mooring.apiserver.http.StatusObject;
import dev.mooring.clusterstore.DocumentStore;
import dev.mooring.clusterstore.fieldmanagement.Applied;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult.Failed;
import dev.mooring.storage.store.StoreResult.Failure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The API server's answers to what did not work, and to deletions. */
public final class Statuses {
    private static final String INVALID = " is invalid: ";
    /** Where one field error ends and the next begins. */
    private static final Pattern BETWEEN = Pattern.compile(
            ", (?=(?:<nil>|[.]?[a-zA-Z][a-zA-Z0-9_.\\[\\]\"/$-]*): (?:Required value|Invalid value|Forbidden|Unsupported value|Duplicate value|Not found|Too long|Too many|Internal error))");

    /** Kubernetes' names of what is wrong with a field. */
    private static final Map<String, String> CAUSES = Map.of(
            "Required value", "FieldValueRequired",
            "Forbidden", "FieldValueForbidden",
            "Unsupported value", "FieldValueNotSupported",
            "Duplicate value", "FieldValueDuplicate",
            "Not found", "FieldValueNotFound",
            "Too long", "FieldValueTooLong",
            "Too many", "FieldValueTooMany",
            "Internal error", "InternalError");

    private Statuses() {}

    public static Document failure(int code, String reason, String message) {
        return StatusObject.failure(code, reason, message);
    }

    /** The answer where there is nothing else to say. */
    public static Document success(int code) {
        return StatusObject.of("Success", code, "", "", Map.of());
    }

    public static Document deleted(Kind<?> kind, String name, String uid) {
        Map<String, Object> details = details(kind, name);
        details.put("uid", uid);
        return StatusObject.of("Success", 0, "", "", details);
    }

    /** Of what no store holds, such as the options of a request: rules are broken. */
    public static RestFailure invalid(String group, String kind, String name, String problems) {
        String message = kind + "." + group + " \"" + name + "\"" + INVALID + problems;
        Map<String, Object> details = new LinkedHashMap<>();
        if (!name.isEmpty()) {
            details.put("name", name);
        }
        details.put("group", group);
        details.put("kind", kind);
        details.put("causes", causes(message));
        return new RestFailure(422, StatusObject.of("Failure", 422, "Invalid", message, details));
    }

    /** A patch of which no object of its kind comes. */
    public static RestFailure invalidPatch(String problem) {
        Map<String, Object> cause = new LinkedHashMap<>();
        cause.put("reason", "FieldValueInvalid");
        cause.put("message", problem);
        cause.put("field", "patch");
        // The API server names no kind and no object either.
        String message = " \"\"" + INVALID + "patch: " + problem;
        return new RestFailure(
                422, StatusObject.of("Failure", 422, "Invalid", message, Map.of("causes", List.of(cause))));
    }

    /** The options of a request that ask for what there is not: {@code ListOptions}, {@code DeleteOptions} and their like. */
    public static RestFailure invalidOptions(String kind, String problems) {
        return invalid("meta.k8s.io", kind, "", problems);
    }

    /** Other managers own fields that a client applies. */
    public static RestFailure conflicts(Applied applied) {
        List<Object> causes = applied.conflicts().stream()
                .<Object>map(each ->
                        Map.of("reason", "FieldManagerConflict", "message", each.message(), "field", each.field()))
                .toList();
        return new RestFailure(
                409, StatusObject.of("Failure", 409, "Conflict", applied.refusal(), Map.of("causes", causes)));
    }

    /** The object does not allow the request. */
    public static RestFailure forbidden(Kind<?> kind, String name, String why) {
        String message = kind.plural() + " \"" + name + "\" is forbidden: " + why;
        return of(kind, name, new Failed<>(Failure.FORBIDDEN, message, Optional.empty()));
    }

    /** The answer for a failure of the store. */
    public static RestFailure of(Kind<?> kind, String name, Failed<?> failed) {
        boolean aboutObject = failed.message().contains(INVALID);
        boolean full =
                failed.reason() == Failure.UNAVAILABLE && failed.message().contains(DocumentStore.DISK_FULL);
        int code = full ? 507 : code(failed.reason(), aboutObject);
        String reason = full ? "InsufficientStorage" : reason(failed.reason(), aboutObject);
        Map<String, Object> details = details(kind, name);
        if (failed.reason() == Failure.INVALID && aboutObject) {
            details.put("kind", kind.name());
            details.put("causes", causes(failed.message()));
        }
        failed.retryAfter().ifPresent(wait -> details.put("retryAfterSeconds", wait.toSeconds()));
        return new RestFailure(code, StatusObject.of("Failure", code, reason, failed.message(), details));
    }

    private static int code(Failure failure, boolean aboutObject) {
        return switch (failure) {
            case CONFLICT, ALREADY_EXISTS -> 409;
            case NOT_FOUND -> 404;
            case INVALID -> aboutObject ? 422 : 400;
            case FORBIDDEN -> 403;
            case GONE -> 410;
            case THROTTLED -> 429;
            case UNAVAILABLE -> 503;
            case UNKNOWN -> 504;
        };
    }

    private static String reason(Failure failure, boolean aboutObject) {
        return switch (failure) {
            case CONFLICT -> "Conflict";
            case ALREADY_EXISTS -> "AlreadyExists";
            case NOT_FOUND -> "NotFound";
            case INVALID -> aboutObject ? "Invalid" : "BadRequest";
            case FORBIDDEN -> "Forbidden";
            case GONE -> "Expired";
            case THROTTLED -> "TooManyRequests";
            case UNAVAILABLE -> "ServiceUnavailable";
            case UNKNOWN -> "Timeout";
        };
    }

    private static List<Object> causes(String message) {
        String errors = message.substring(message.indexOf(INVALID) + INVALID.length());
        if (errors.startsWith("[") && errors.endsWith("]")) {
            errors = errors.substring(1, errors.length() - 1);
        }
        List<Object> causes = new ArrayList<>();
        for (String error : split(errors)) {
            int colon = error.indexOf(": ");
            String text = error.substring(colon < 0 ? 0 : colon + 2);
            causes.add(
                    Map.of("reason", type(text), "message", text, "field", colon < 0 ? "" : error.substring(0, colon)));
        }
        return causes;
    }

    /** Not within quotation marks: what stands there a client has sent, and it may look like an error. */
    private static List<String> split(String errors) {
        List<String> parts = new ArrayList<>();
        Matcher between = BETWEEN.matcher(errors);
        boolean quoted = false;
        int begin = 0;
        for (int i = 0; i < errors.length(); i++) {
            char each = errors.charAt(i);
            if (quoted && each == '\\') {
                i++; // what is escaped ends nothing
            } else if (each == '"') {
                quoted = !quoted;
            } else if (!quoted
                    && each == ','
                    && between.region(i, errors.length()).lookingAt()) {
                parts.add(errors.substring(begin, i));
                begin = between.end();
            }
        }
        parts.add(errors.substring(begin));
        return parts;
    }

    private static String type(String error) {
        return CAUSES.entrySet().stream()
                .filter(each -> error.startsWith(each.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("FieldValueInvalid");
    }

    /** For a version that is not reached yet; clients know it by the cause, and ask again. */
    public static RestFailure tooLarge(Revision wanted, Revision current) {
        String message = "Timeout: Too large resource version: " + wanted + ", current: " + current;
        Map<String, Object> details = new LinkedHashMap<>();
        details.put(
                "causes",
                List.of(Map.of("reason", "ResourceVersionTooLarge", "message", "Too large resource version")));
        details.put("retryAfterSeconds", 1L);
        return new RestFailure(504, StatusObject.of("Failure", 504, "Timeout", message, details));
    }

    /** The same refusal of a new object; clients that go on elsewhere know by the cause that its namespace is being deleted. */
    public static RestFailure terminating(RestFailure refusal, String namespace) {
        Map<String, String> cause = Map.of(
                "reason",
                "NamespaceTerminating",
                "message",
                "namespace " + namespace + " is being terminated",
                "field",
                "metadata.namespace");
        return new RestFailure(refusal.code(), refusal.status().with(List.of(cause), "details", "causes"));
    }

    private static Map<String, Object> details(Kind<?> kind, String name) {
        Map<String, Object> details = new LinkedHashMap<>();
        if (!name.isEmpty()) {
            details.put("name", name);
        }
        if (!kind.group().isEmpty()) {
            details.put("group", kind.group());
        }
        details.put("kind", kind.plural());
        return details;
    }
}
