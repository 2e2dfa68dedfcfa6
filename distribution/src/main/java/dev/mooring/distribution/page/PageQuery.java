// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import dev.mooring.distribution.page.LifeStore.Subject;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Quantity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * What is asked of a list. All words of the search have to be found, a text between quotes as one; {@code ns:}, {@code class:},
 * {@code node:}, {@code state:}, {@code label:} and {@code event:} look in one place, others everywhere but in events. Pure.
 *
 * @param words in lower case
 * @param state only lines in this state; empty for all
 * @param attention only lines that need attention
 * @param sort a column; empty for those first that need attention, the oldest of them first
 * @param descending against the order
 * @param offset how many lines come before
 * @param limit how many lines at most
 */
record PageQuery(
        PageKind kind,
        List<String> words,
        String state,
        boolean attention,
        String sort,
        boolean descending,
        int offset,
        int limit) {
    /** More lines in one answer would be slow to draw. */
    static final int MOST = 500;

    private static final int USUAL = 100;
    private static final int MOST_WORDS = 20;

    /** What stands between quotes is of one word with what is beside it; the last quote may be missing. */
    private static final Pattern WORD = Pattern.compile("(?:[^\\s\"]|\"[^\"]*\"?)+");

    /**
     * Reads a query.
     *
     * @param parameter by name; empty for one that is not given
     * @return empty if there is no such list or a number is none
     */
    static Optional<PageQuery> of(Function<String, String> parameter) {
        String offset = parameter.apply("offset");
        String limit = parameter.apply("limit");
        if (!offset.matches("\\d{0,8}") || !limit.matches("\\d{0,8}")) {
            return Optional.empty();
        }
        List<String> words = WORD.matcher(parameter.apply("q").toLowerCase(Locale.ROOT))
                .results()
                .map(word -> word.group().replace("\"", ""))
                .filter(word -> !word.isEmpty())
                .limit(MOST_WORDS)
                .toList();
        return PageKind.of(parameter.apply("kind"))
                .map(kind -> new PageQuery(
                        kind,
                        words,
                        parameter.apply("state"),
                        parameter.apply("attention").equals("true"),
                        parameter.apply("sort"),
                        parameter.apply("dir").equals("desc"),
                        offset.isEmpty() ? 0 : Integer.parseInt(offset),
                        limit.isEmpty() ? USUAL : Math.min(Integer.parseInt(limit), MOST)));
    }

    /** The lines that are asked for, and what stands around them. */
    Document answer(PageMoment moment, Supplier<Map<Subject, String>> told) {
        Map<Subject, String> events =
                words.stream().anyMatch(word -> word.startsWith("event:")) ? told.get() : Map.of();
        PageCells cells = new PageCells(moment.relations());
        List<PageRow> found = new ArrayList<>();
        Map<String, Long> states = new TreeMap<>();
        long alarming = 0;
        for (PageRow row : moment.rows(kind)) {
            if (words.isEmpty() || matches(row, cells, events)) {
                states.merge(row.state(), 1L, Long::sum);
                alarming += row.attention() ? 1 : 0;
                if ((state.isEmpty() || state.equals(row.state())) && (!attention || row.attention())) {
                    found.add(row);
                }
            }
        }
        sort(found, cells);
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("version", moment.version());
        fields.put("now", moment.takenAt().toString());
        fields.put("total", (long) moment.rows(kind).size());
        fields.put("count", (long) found.size());
        fields.put("offset", (long) offset);
        fields.put("states", isGrouped() ? Map.of() : states);
        fields.put("attention", alarming);
        fields.put(
                "rows", found.stream().skip(offset).limit(limit).map(cells::of).toList());
        return Document.of(fields);
    }

    private boolean isGrouped() {
        return kind == PageKind.NAMESPACES || kind == PageKind.CLASSES;
    }

    // ---- which ----

    private boolean matches(PageRow row, PageCells cells, Map<Subject, String> events) {
        Map<String, Object> shown = cells.cells(row);
        StringBuilder all = new StringBuilder();
        return words.stream().allMatch(word -> matches(word, row, shown, all, events));
    }

    private static boolean matches(
            String word, PageRow row, Map<String, Object> shown, StringBuilder all, Map<Subject, String> events) {
        int colon = word.indexOf(':');
        String value = word.substring(colon + 1);
        return switch (colon < 0 ? "" : word.substring(0, colon)) {
            case "ns" -> lower(row.key().namespace()).equals(value);
            case "class" -> lower(PageCells.storageClass(row)).equals(value);
            case "state" -> lower(row.state()).equals(value);
            case "node" -> named(shown.getOrDefault("node", ""), value);
            case "event" ->
                events.getOrDefault(new Subject(row.kind(), row.key()), "")
                        .replace("\"", "")
                        .contains(value);
            case "label" ->
                PageCells.labels(row).entrySet().stream()
                        .anyMatch(label ->
                                lower(label.getKey() + "=" + label.getValue()).startsWith(value));
            default -> {
                if (all.isEmpty()) {
                    all.append(lower(text(row, shown)));
                }
                yield all.indexOf(word) >= 0;
            }
        };
    }

    private static boolean named(Object links, String name) {
        return links instanceof Collection<?> list
                && list.stream()
                        .anyMatch(link -> link instanceof Map<?, ?> map && name.equals(lower(map.get("name") + "")));
    }

    private static String text(PageRow row, Map<String, Object> shown) {
        StringBuilder text = new StringBuilder();
        text.append(row.key()).append('\n').append(row.state()).append('\n');
        shown.forEach((column, value) -> text.append(text(value)).append('\n'));
        PageCells.labels(row)
                .forEach((key, value) ->
                        text.append(key).append('=').append(value).append('\n'));
        return text.toString();
    }

    private static String text(Object value) {
        if (value instanceof Collection<?> links) {
            StringBuilder text = new StringBuilder();
            links.forEach(each -> text.append(each instanceof Map<?, ?> link ? name(link) : "")
                    .append(' '));
            return text.toString();
        }
        return value instanceof String plain ? plain : "";
    }

    private static String name(Map<?, ?> link) {
        String namespace = String.valueOf(link.get("namespace"));
        return (namespace.isEmpty() ? "" : namespace + "/") + link.get("name");
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    // ---- in which order ----

    private record Sorted<K>(K by, PageRow row) {}

    private void sort(List<PageRow> found, PageCells cells) {
        switch (sort) {
            case "" -> {
                Comparator<PageRow> usual = Comparator.comparing((PageRow row) -> !row.attention())
                        .thenComparing(row -> row.attention() ? row.since().orElse(Instant.MAX) : Instant.MAX)
                        .thenComparing(PageRow::key);
                found.sort(descending ? usual.reversed() : usual);
            }
            case "name" -> sortBy(found, PageRow::key);
            case "created" -> sortBy(found, row -> age(row.created()));
            case "since" -> sortBy(found, row -> age(row.since()));
            case "size" -> sortBy(found, row -> PageCells.size(row).orElse(Quantity.ZERO));
            case "state" -> sortBy(found, PageRow::state);
            case "count" -> sortBy(found, row -> count(cells.cells(row)));
            default ->
                sortBy(
                        found,
                        row -> text(
                                Optional.ofNullable(cells.cells(row).get(sort)).orElse("")));
        }
    }

    /** The youngest comes first, and what has no age last. */
    private static long age(Optional<Instant> start) {
        return start.map(instant -> -instant.toEpochMilli()).orElse(Long.MAX_VALUE);
    }

    private static long count(Map<String, Object> shown) {
        return shown.get("count") instanceof Long count ? count : 0;
    }

    private <K extends Comparable<? super K>> void sortBy(List<PageRow> found, Function<PageRow, K> key) {
        List<Sorted<K>> keyed = new ArrayList<>(found.size());
        found.forEach(row -> keyed.add(new Sorted<>(key.apply(row), row)));
        Comparator<Sorted<K>> order = (one, other) -> one.by().compareTo(other.by());
        keyed.sort((descending ? order.reversed() : order)
                .thenComparing(each -> each.row().key()));
        found.clear();
        keyed.forEach(each -> found.add(each.row()));
    }
}
