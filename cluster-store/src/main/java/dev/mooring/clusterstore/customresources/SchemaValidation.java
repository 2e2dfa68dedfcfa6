// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.customresources;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.clusterstore.validation.FieldError;
import dev.mooring.clusterstore.validation.FieldError.Problem;
import dev.mooring.clusterstore.validation.Problems;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.JsonNull;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;

/** Judges a value by a schema, in the API server's words. Pure. */
final class SchemaValidation {
    private final Problems problems;

    private SchemaValidation(Problems problems) {
        this.problems = problems;
    }

    /**
     * Says what is wrong with a value.
     *
     * @param path where it stands; empty for the object itself
     */
    static void judge(JsonSchema schema, Object value, String path, Problems problems) {
        new SchemaValidation(problems).value(schema, value, path);
    }

    private static List<FieldError> problemsOf(JsonSchema schema, Object value, String path) {
        Problems own = new Problems();
        judge(schema, value, path, own);
        return own.found();
    }

    private void value(JsonSchema schema, Object value, String path) {
        boolean ofType = type(schema, value, path);
        if (value != JsonNull.NULL) {
            junctions(schema, value, path);
        }
        if (value instanceof String text) {
            text(schema, text, path, ofType);
        } else if (value instanceof List<?> list) {
            list(schema, list, path);
        } else if (value instanceof Map<?, ?> map) {
            object(schema, map, path);
        } else {
            JsonSchema.decimal(value).ifPresent(number -> number(schema, value, number, path));
        }
        options(schema, value, path);
    }

    // ---- types ----

    private boolean type(JsonSchema schema, Object value, String path) {
        String wanted = schema.isIntOrString() ? "integer,string" : schema.type();
        String given = typeOf(value);
        boolean right = wanted.isEmpty()
                || (value == JsonNull.NULL
                        ? schema.isNullable()
                        : List.of(wanted.split(",", -1)).contains(given)
                                || (wanted.equals("number") && given.equals("integer"))
                                || (wanted.startsWith("integer") && isWhole(value)));
        String format = schema.text("format");
        if (!right && value instanceof Long && wanted.equals("string") && !format.isEmpty()) {
            invalid(path, "int64", "must be of type " + format + ": \"int64\"");
        } else if (!right) {
            invalid(path, given, "must be of type " + wanted + ": \"" + given + "\"");
        }
        return right;
    }

    static boolean isWhole(Object value) {
        return value instanceof BigDecimal number && number.stripTrailingZeros().scale() <= 0;
    }

    static String typeOf(Object value) {
        if (value == JsonNull.NULL) {
            return "null";
        } else if (value instanceof String) {
            return "string";
        } else if (value instanceof Boolean) {
            return "boolean";
        } else if (value instanceof Long) {
            return "integer";
        } else if (value instanceof BigDecimal) {
            return "number";
        }
        return value instanceof List ? "array" : "object";
    }

    // ---- texts and numbers ----

    private void text(JsonSchema schema, String text, String path, boolean ofType) {
        int length = text.codePointCount(0, text.length());
        limit(schema, "maxLength", length, (have, most) -> have <= most, path, text, "should be at most %s chars long");
        limit(
                schema,
                "minLength",
                length,
                (have, least) -> have >= least,
                path,
                text,
                "should be at least %s chars long");
        schema.pattern()
                .filter(pattern -> !pattern.matcher(text).find())
                .ifPresent(pattern -> invalid(path, text, "should match '" + pattern + "'"));
        String format = schema.text("format");
        if (ofType && !Formats.accept(format, text)) {
            invalid(path, text, "must be of type " + format + ": \"" + text + "\"");
        }
    }

    private void limit(
            JsonSchema schema,
            String word,
            long have,
            BiPredicate<Long, Long> holds,
            String path,
            Object shown,
            String rule) {
        Optional<Long> bound = Fields.integer(schema.words(), word);
        if (bound.isPresent() && !holds.test(have, bound.get())) {
            invalid(path, shown, String.format(rule, bound.get()));
        }
    }

    private void number(JsonSchema schema, Object shown, BigDecimal number, String path) {
        bound(schema, "maximum", "exclusiveMaximum", -1, number, path, shown, "less than");
        bound(schema, "minimum", "exclusiveMinimum", 1, number, path, shown, "greater than");
        schema.number("multipleOf").ifPresent(step -> {
            if (step.signum() > 0 && number.remainder(step).signum() != 0) {
                invalid(path, shown, "should be a multiple of " + plain(step));
            }
        });
    }

    private void bound(
            JsonSchema schema,
            String word,
            String exclusive,
            int side,
            BigDecimal number,
            String path,
            Object shown,
            String rule) {
        Optional<BigDecimal> bound = schema.number(word);
        if (bound.isEmpty()) {
            return;
        }
        int compared = number.compareTo(bound.get()) * side;
        if (compared < 0 || (compared == 0 && schema.is(exclusive))) {
            invalid(
                    path,
                    shown,
                    "should be " + rule + (schema.is(exclusive) ? " " : " or equal to ") + plain(bound.get()));
        }
    }

    private static String plain(BigDecimal number) {
        return number.stripTrailingZeros().toPlainString();
    }

    // ---- lists and objects ----

    private void list(JsonSchema schema, List<?> list, String path) {
        schema.items().ifPresent(items -> {
            for (int i = 0; i < list.size(); i++) {
                value(items, list.get(i), path + "[" + i + "]");
            }
        });
        limit(
                schema,
                "minItems",
                list.size(),
                (have, least) -> have >= least,
                path,
                (long) list.size(),
                "should have at least %s items");
        limit(
                schema,
                "maxItems",
                list.size(),
                (have, most) -> have <= most,
                path,
                (long) list.size(),
                "should have at most %s items");
        if (schema.is("uniqueItems") && new HashSet<Object>(list).size() < list.size()) {
            invalid(path, "", "shouldn't contain duplicates");
        }
    }

    private void object(JsonSchema schema, Map<?, ?> map, String path) {
        limit(
                schema,
                "minProperties",
                map.size(),
                (have, least) -> have >= least,
                path,
                bound(schema, "minProperties"),
                "should have at least %s properties");
        limit(
                schema,
                "maxProperties",
                map.size(),
                (have, most) -> have <= most,
                path,
                bound(schema, "maxProperties"),
                "should have at most %s properties");
        map.forEach((key, each) -> {
            String below = child(path, (String) key);
            JsonSchema property = schema.properties().get(key);
            if (property != null) {
                value(property, each, below);
            } else {
                schema.additionalProperties().ifPresent(other -> value(other, each, below));
            }
        });
        for (String name : Fields.texts(schema.words(), "required")) {
            if (!map.containsKey(name)) {
                problems.required(child(path, name), "");
            }
        }
    }

    /** The API server shows the limit, where one would expect the number. */
    private static Object bound(JsonSchema schema, String word) {
        return Fields.integer(schema.words(), word).orElse(0L);
    }

    static String child(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    // ---- choices ----

    private void options(JsonSchema schema, Object value, String path) {
        List<Object> options = Fields.list(schema.words(), "enum");
        boolean allowedNull = value == JsonNull.NULL && schema.isNullable();
        if (options.isEmpty() || allowedNull || options.stream().anyMatch(each -> isEqual(each, value))) {
            return;
        }
        String list = options.stream()
                .map(each -> each instanceof String text ? quoted(text) : quoted(json(each)))
                .collect(Collectors.joining(", "));
        problems.add(new FieldError(
                shownPath(path),
                Problem.NOT_SUPPORTED,
                value instanceof String text ? quoted(text) : json(value),
                "supported values: " + list));
    }

    private static boolean isEqual(Object one, Object other) {
        Optional<BigDecimal> number = JsonSchema.decimal(one);
        return number.isPresent()
                ? JsonSchema.decimal(other)
                        .filter(each -> each.compareTo(number.get()) == 0)
                        .isPresent()
                : one.equals(other);
    }

    private void junctions(JsonSchema schema, Object value, String path) {
        List<JsonSchema> any = schema.junction("anyOf");
        List<List<FieldError>> failed = failures(any, value, path);
        if (!any.isEmpty() && failed.size() == any.size()) {
            broken(path, "must validate at least one schema (anyOf)", best(failed));
        }
        List<JsonSchema> one = schema.junction("oneOf");
        List<List<FieldError>> others = failures(one, value, path);
        int valid = one.size() - others.size();
        if (!one.isEmpty() && valid == 0) {
            broken(path, "must validate one and only one schema (oneOf). Found none valid", best(others));
        } else if (valid > 1) {
            broken(
                    path,
                    "must validate one and only one schema (oneOf). Found " + valid + " valid alternatives",
                    List.of());
        }
        List<List<FieldError>> unmet = failures(schema.junction("allOf"), value, path);
        if (!unmet.isEmpty()) {
            int met = schema.junction("allOf").size() - unmet.size();
            broken(
                    path,
                    "must validate all the schemas (allOf)" + (met == 0 ? ". None validated" : ""),
                    unmet.stream().flatMap(List::stream).toList());
        }
        schema.not()
                .filter(not -> problemsOf(not, value, path).isEmpty())
                .ifPresent(not -> broken(path, "must not validate the schema (not)", List.of()));
    }

    private static List<List<FieldError>> failures(List<JsonSchema> schemas, Object value, String path) {
        List<List<FieldError>> failures = new ArrayList<>();
        for (JsonSchema each : schemas) {
            List<FieldError> found = problemsOf(each, value, path);
            if (!found.isEmpty()) {
                failures.add(found);
            }
        }
        return failures;
    }

    /** Reports the alternative that comes nearest, with its problems. */
    private static List<FieldError> best(List<List<FieldError>> failed) {
        return failed.get(0);
    }

    private void broken(String path, String rule, List<FieldError> why) {
        // The API server names no field for what is wrong with several together.
        problems.add(new FieldError("<nil>", Problem.INVALID, "\"\"", quoted(path) + " " + rule));
        why.forEach(problems::add);
    }

    private void invalid(String path, Object value, String rule) {
        String shown = path.isEmpty() ? "" : path;
        problems.invalid(shownPath(path), value, shown + " in body " + rule);
    }

    private static String shownPath(String path) {
        return path.isEmpty() ? "<nil>" : path;
    }

    private static String quoted(String text) {
        return json(text);
    }

    private static String json(Object value) {
        String wrapped = Document.of(Map.of("v", value)).toString();
        return wrapped.substring("{\"v\":".length(), wrapped.length() - 1);
    }
}
