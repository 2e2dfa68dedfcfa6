// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.customresources;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.JsonNull;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A path to values in an object, of the parts of kubectl's JSONPath that columns are made of: {@code .spec.hosts[0]}, {@code
 * .metadata.labels['a.b/c']}, {@code .spec.rules[*].host}, {@code .status.conditions[?(@.type=="Ready")].status}. Immutable.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class JsonPath {
    private static final Pattern NAME = Pattern.compile("\\.((?:[^.\\[\\]\\\\]|\\\\.)+)");
    private static final Pattern QUOTED =
            Pattern.compile("\\.?\\[(?:'((?:[^'\\\\]|\\\\.)*)'|\"((?:[^\"\\\\]|\\\\.)*)\")]");
    private static final Pattern INDEX = Pattern.compile("\\.?\\[(-?\\d+)]");
    private static final Pattern ALL = Pattern.compile("\\.?\\[\\*]|\\.\\*");
    private static final Pattern FILTER = Pattern.compile(
            "\\.?\\[\\?\\(\\s*@((?:\\.[^.=!<>\\[\\]\\s]+)+)\\s*(==|!=)\\s*(?:'([^']*)'|\"([^\"]*)\"|([^\\s)]+))\\s*\\)]");
    private static final Pattern HAS = Pattern.compile("\\.?\\[\\?\\(\\s*@((?:\\.[^.=!<>\\[\\]\\s]+)+)\\s*\\)]");

    private final List<Step> steps;

    private interface Step {
        void from(Object value, List<Object> found);
    }

    private JsonPath(List<Step> steps) {
        this.steps = List.copyOf(steps);
    }

    /** Reads a path, with or without braces; empty if it has parts that are not known. */
    public static Optional<JsonPath> parse(String text) {
        String left = text.startsWith("{") && text.endsWith("}") ? text.substring(1, text.length() - 1) : text;
        left = left.startsWith("$") ? left.substring(1) : left;
        List<Step> steps = new ArrayList<>();
        while (!left.isEmpty()) {
            Optional<Read> next = step(left);
            if (next.isEmpty()) {
                return Optional.empty();
            }
            steps.add(next.get().step());
            left = left.substring(next.get().length());
        }
        return steps.isEmpty() ? Optional.empty() : Optional.of(new JsonPath(steps));
    }

    private record Read(Step step, int length) {}

    private static Optional<Read> step(String text) {
        Matcher all = ALL.matcher(text);
        if (all.lookingAt()) {
            return Optional.of(new Read(JsonPath::everything, all.end()));
        }
        Matcher name = NAME.matcher(text);
        if (name.lookingAt()) {
            return Optional.of(new Read(field(name.group(1)), name.end()));
        }
        Matcher quoted = QUOTED.matcher(text);
        if (quoted.lookingAt()) {
            return Optional.of(new Read(field(firstOf(quoted.group(1), quoted.group(2))), quoted.end()));
        }
        Matcher index = INDEX.matcher(text);
        if (index.lookingAt() && index.group(1).length() < 10) {
            return Optional.of(new Read(element(Integer.parseInt(index.group(1))), index.end()));
        }
        Matcher filter = FILTER.matcher(text);
        if (filter.lookingAt()) {
            String wanted = firstOf(firstOf(filter.group(3), filter.group(4)), filter.group(5));
            boolean equal = filter.group(2).equals("==");
            String path = filter.group(1);
            return Optional.of(new Read(
                    chosen(each -> equal == at(path, each).map(JsonPath::shown).equals(Optional.of(wanted))),
                    filter.end()));
        }
        Matcher has = HAS.matcher(text);
        if (has.lookingAt()) {
            String path = has.group(1);
            return Optional.of(new Read(chosen(each -> at(path, each).isPresent()), has.end()));
        }
        return Optional.empty();
    }

    private static String firstOf(@Nullable String one, @Nullable String other) {
        return one != null ? one : other != null ? other : "";
    }

    private static Step field(String escaped) {
        String name = escaped.replaceAll("\\\\(.)", "$1");
        return (value, found) -> {
            Object there = value instanceof Map<?, ?> map ? map.get(name) : null;
            if (there != null) {
                found.add(there);
            }
        };
    }

    private static Step element(int index) {
        return (value, found) -> {
            if (value instanceof List<?> list) {
                int place = index < 0 ? list.size() + index : index;
                if (place >= 0 && place < list.size()) {
                    found.add(list.get(place));
                }
            }
        };
    }

    private static void everything(Object value, List<Object> found) {
        if (value instanceof List<?> list) {
            found.addAll(list);
        } else if (value instanceof Map<?, ?> map) {
            found.addAll(map.values());
        }
    }

    private static Step chosen(Predicate<Object> wanted) {
        return (value, found) -> {
            if (value instanceof List<?> list) {
                list.stream().filter(wanted).forEach(found::add);
            }
        };
    }

    private static Optional<Object> at(String path, Object element) {
        return parse(path).flatMap(inner -> inner.evaluated(element).stream().findFirst());
    }

    /** The values at this path, in their order; none if there is nothing. */
    public List<Object> in(Document object) {
        return evaluated(object.asMap());
    }

    private List<Object> evaluated(Object root) {
        List<Object> values = List.of(root);
        for (Step step : steps) {
            List<Object> next = new ArrayList<>();
            values.forEach(each -> step.from(each, next));
            values = next;
        }
        return values.stream().filter(each -> each != JsonNull.NULL).toList();
    }

    /** A value as it is shown in a cell. */
    public static String shown(Object value) {
        if (value instanceof Map || value instanceof List) {
            String wrapped = Document.of(Map.of("v", value)).toString();
            return wrapped.substring("{\"v\":".length(), wrapped.length() - 1);
        }
        return value.toString();
    }
}
