// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.validation;

import dev.mooring.clusterstore.fields.Messages;
import dev.mooring.clusterstore.validation.FieldError.Problem;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/** Collects broken rules in the order in which they are found. Not thread-safe. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Problems {
    private final List<FieldError> found = new ArrayList<>();

    /** Starts without any. */
    public Problems() {}

    /** What was found so far. */
    public List<FieldError> found() {
        return List.copyOf(found);
    }

    /**
     * The API server's sentence that refuses an object for what was found; empty if nothing was. It is not much longer than a few
     * problems, however many there are.
     *
     * @param kind as which the object was sent
     * @param name the object's name
     */
    public Optional<String> refusal(Kind<?> kind, String name) {
        return found.isEmpty() ? Optional.empty() : Optional.of(Messages.invalid(kind, name, found));
    }

    /** A problem that is known already. */
    public void add(FieldError problem) {
        found.add(problem);
    }

    /** A field must be given. */
    public void required(String path, String detail) {
        found.add(new FieldError(path, Problem.REQUIRED, "", detail));
    }

    /** A value breaks a rule. */
    public void invalid(String path, Object value, String detail) {
        found.add(new FieldError(path, Problem.INVALID, shown(value), detail));
    }

    /** A value is not allowed. */
    public void forbidden(String path, String detail) {
        found.add(new FieldError(path, Problem.FORBIDDEN, "", detail));
    }

    /** A value stands there twice. */
    public void duplicate(String path, Object value) {
        found.add(new FieldError(path, Problem.DUPLICATE, shown(value), ""));
    }

    /** A value stands there twice, by a measure that the detail names. */
    void duplicate(String path, Object value, String detail) {
        found.add(new FieldError(path, Problem.DUPLICATE, shown(value), detail));
    }

    /** A value refers to something that is not there. */
    public void notFound(String path, Object value) {
        found.add(new FieldError(path, Problem.NOT_FOUND, shown(value), ""));
    }

    /** A value is longer than allowed. */
    public void tooLong(String path, String detail) {
        found.add(new FieldError(path, Problem.TOO_LONG, "", detail));
    }

    /** A value is not a known one. */
    public void notSupported(String path, Object value, Collection<String> supported) {
        String list = supported.stream().sorted().map(Messages::quoted).collect(Collectors.joining(", "));
        found.add(new FieldError(path, Problem.NOT_SUPPORTED, shown(value), "supported values: " + list));
    }

    /** A value must be one of the known ones. */
    public void oneOf(String path, String value, Collection<String> supported) {
        if (!supported.contains(value)) {
            notSupported(path, value, supported);
        }
    }

    /** A text must be given and not be empty. */
    public void given(String path, String value) {
        if (value.isEmpty()) {
            required(path, "");
        }
    }

    /** A text must be given and, if it is, have a syntax. */
    void given(String path, String value, Function<String, Optional<String>> syntax) {
        given(path, value);
        if (!value.isEmpty()) {
            syntax(path, value, syntax.apply(value));
        }
    }

    /** A text must be given and, if it is, be one of the known ones. */
    void givenOneOf(String path, String value, Collection<String> supported) {
        given(path, value);
        if (!value.isEmpty()) {
            oneOf(path, value, supported);
        }
    }

    /** A value must have a syntax. */
    public void syntax(String path, String value, Optional<String> problem) {
        problem.ifPresent(detail -> invalid(path, value, detail));
    }

    /** A value may not differ from the old one. */
    public void immutable(String path, Optional<Object> before, Optional<Object> after) {
        if (!before.equals(after)) {
            invalid(path, after.orElse("null"), "field is immutable");
        }
    }

    private static String shown(Object value) {
        if (value instanceof Map<?, ?> || value instanceof List<?>) {
            String json = Document.of(Map.of("v", value)).toString();
            return json.substring("{\"v\":".length(), json.length() - 1);
        }
        return value instanceof String text ? Messages.quoted(text) : value.toString();
    }
}
