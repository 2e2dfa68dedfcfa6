// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.codec;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.JsonNull;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.resolver.ScalarResolver;
import org.snakeyaml.engine.v2.scanner.StreamReader;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/**
 * Reads one text. Builds values from events instead of letting the library build them: so depth, aliases, duplicate keys and numbers are
 * under our rules, and every error has a place. Confined to one call.
 */
final class YamlReader {
    private static final ScalarResolver CORE = new CoreSchema().getScalarResolver();
    private static final String MERGE = "<<";
    /** How {@code true}, {@code false} and {@code null} begin. */
    private static final String MEANING = "tTfFnN";
    /** A text counts as so many more values, and so does a key: what aliases stand for has to be written out in the end. */
    private static final int CHARACTERS_OF_A_VALUE = 64;

    /** The library copies all of a run, such as of blanks, once for each buffer that it fills: with one for the whole text, never. */
    private static final int LEAST_BUFFER = 1024;
    /** No manifest has so many; each costs several times as much as a key. */
    private static final int MOST_ANCHORS = 1000;

    private final CodecLimits limits;
    private final String source;
    private final Map<Anchor, Anchored> anchors = new HashMap<>();
    private int values;
    private long aliased;

    /** What an anchor stands for, and how many values that is. */
    private record Anchored(Object value, int weight) {}

    YamlReader(CodecLimits limits, String source) {
        this.limits = limits;
        this.source = source;
    }

    /**
     * The documents that are no null.
     *
     * @param most how many documents may begin, nulls included: one takes as much work as it has characters, and much more to begin
     */
    List<Document> readAll(String text, int most) {
        int begun = 0;
        LoadSettings settings = LoadSettings.builder()
                .setLabel(source)
                .setCodePointLimit(limits.maxBytes())
                .setBufferSize(Math.max(LEAST_BUFFER, text.length() + 1))
                .build();
        List<Document> documents = new ArrayList<>();
        try {
            Iterator<Event> events = new ParserImpl(settings, new StreamReader(settings, withoutMark(text)));
            while (events.hasNext()) {
                if (events.next().getEventId() == Event.ID.DocumentStart) {
                    if (begun++ == most) {
                        throw problem(Optional.empty(), "must not hold more than " + most + " documents");
                    }
                    anchors.clear();
                    readDocument(events).ifPresent(documents::add);
                }
            }
        } catch (MarkedYamlEngineException e) {
            throw problem(e.getProblemMark().or(e::getContextMark), "must be YAML: " + e.getProblem());
        } catch (YamlEngineException e) {
            throw problem(Optional.empty(), "must be YAML: " + e.getMessage());
        }
        return List.copyOf(documents);
    }

    /** Some editors begin a file with a byte order mark, which YAML takes for nothing; as part of the first key it would not be seen. */
    private static String withoutMark(String text) {
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }

    private Optional<Document> readDocument(Iterator<Event> events) {
        Event first = events.next();
        Object value = read(first, events, 0);
        if (value == JsonNull.NULL) {
            return Optional.empty();
        }
        if (!(value instanceof Map<?, ?> map)) {
            throw problem(first.getStartMark(), "must be an object");
        }
        return Optional.of(Document.of(texts(map)));
    }

    @SuppressWarnings("unchecked") // every key that was read is a text
    private static Map<String, Object> texts(Map<?, ?> map) {
        return (Map<String, Object>) map;
    }

    private Object read(Event event, Iterator<Event> events, int depth) {
        int before = values++;
        if (event instanceof AliasEvent alias) {
            return follow(alias);
        }
        if (event instanceof ScalarEvent scalar) {
            values += scalar.getValue().length() / CHARACTERS_OF_A_VALUE;
            return anchor(scalar, readScalar(scalar), before);
        }
        if (depth >= limits.maxDepth()) {
            throw problem(event.getStartMark(), limits.tooDeep());
        }
        if (event instanceof MappingStartEvent mapping) {
            checkTag(mapping.getTag(), Tag.MAP, event);
            return anchor(mapping, readMapping(events, depth + 1), before);
        }
        if (event instanceof SequenceStartEvent sequence) {
            checkTag(sequence.getTag(), Tag.SEQ, event);
            return anchor(sequence, readSequence(events, depth + 1), before);
        }
        throw problem(event.getStartMark(), "must be a value");
    }

    private Object anchor(NodeEvent event, Object value, int before) {
        event.getAnchor().ifPresent(name -> {
            anchors.put(name, new Anchored(value, values - before));
            if (anchors.size() > MOST_ANCHORS) {
                throw problem(event.getStartMark(), "must not have more than " + MOST_ANCHORS + " anchors");
            }
        });
        return value;
    }

    /** An anchor is known only when its value is complete, so a value cannot contain itself. */
    private Object follow(AliasEvent alias) {
        Anchored target = anchors.get(alias.getAlias());
        if (target == null) {
            throw problem(alias.getStartMark(), "must name an anchor of a complete value before it");
        }
        aliased += target.weight();
        if (aliased > limits.maxAliased()) {
            throw problem(
                    alias.getStartMark(), "aliases must not stand for more than " + limits.maxAliased() + " values");
        }
        values += target.weight() - 1;
        return target.value();
    }

    private Map<String, Object> readMapping(Iterator<Event> events, int depth) {
        Members members = new Members();
        Map<String, Object> merged = new LinkedHashMap<>();
        boolean merges = false;
        for (Event event = events.next(); event.getEventId() != Event.ID.MappingEnd; event = events.next()) {
            if (!(event instanceof ScalarEvent key)) {
                throw problem(event.getStartMark(), "must have a plain string as key");
            }
            if (key.getValue().length() > KubernetesJson.MAX_KEY_LENGTH) {
                throw problem(
                        key.getStartMark(), "has a key of more than " + KubernetesJson.MAX_KEY_LENGTH + " characters");
            }
            values += key.getValue().length() / CHARACTERS_OF_A_VALUE;
            boolean merge =
                    key.isPlain() && key.getTag().isEmpty() && key.getValue().equals(MERGE);
            if (merge ? merges : members.containsKey(key.getValue())) {
                throw problem(key.getStartMark(), "must not have the key \"" + key.getValue() + "\" twice");
            }
            Object value = read(events.next(), events, depth);
            if (merge) {
                merges = true;
                merge(value, key, merged);
            } else {
                members.add(key.getValue(), value);
            }
        }
        merged.forEach(members::putIfAbsent);
        return members;
    }

    /** What stands under a plain {@code <<} is there too, as for kubectl: the mapping itself counts first, then the first with a key. */
    private void merge(Object value, ScalarEvent key, Map<String, Object> merged) {
        for (Object from : value instanceof List<?> list ? list : List.of(value)) {
            if (!(from instanceof Map<?, ?> map)) {
                throw problem(key.getStartMark(), "must merge a map, or a list of maps");
            }
            map.forEach((name, member) -> merged.putIfAbsent((String) name, member));
        }
    }

    private List<Object> readSequence(Iterator<Event> events, int depth) {
        List<Object> elements = new ArrayList<>();
        for (Event event = events.next(); event.getEventId() != Event.ID.SequenceEnd; event = events.next()) {
            elements.add(read(event, events, depth));
        }
        return elements;
    }

    private Object readScalar(ScalarEvent scalar) {
        String text = scalar.getValue();
        Tag tag = scalar.getTag()
                .filter(name -> !name.equals("!"))
                .map(Tag::new)
                .orElseGet(() -> scalar.isPlain() && scalar.getTag().isEmpty() ? resolved(text) : Tag.STR);
        if (tag.equals(Tag.STR)) {
            return text;
        } else if (tag.equals(Tag.NULL)) {
            return JsonNull.NULL;
        } else if (tag.equals(Tag.BOOL)) {
            return Boolean.valueOf(text);
        } else if (tag.equals(Tag.INT) || tag.equals(Tag.FLOAT)) {
            return number(scalar, text);
        }
        throw problem(scalar.getStartMark(), "must not have the tag " + tag.getValue());
    }

    /** What a plain text means. Most begin with a letter that begins nothing but texts; the library tries its patterns on them all the same. */
    private static Tag resolved(String text) {
        char first = text.isEmpty() ? 0 : text.charAt(0);
        boolean letter = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z');
        return letter && MEANING.indexOf(first) < 0 ? Tag.STR : CORE.resolve(text, true);
    }

    private Object number(ScalarEvent scalar, String text) {
        if (text.length() > KubernetesJson.MAX_NUMBER_LENGTH) {
            throw problem(
                    scalar.getStartMark(), "has a number of more than " + KubernetesJson.MAX_NUMBER_LENGTH + " digits");
        }
        try {
            BigDecimal number = text.startsWith("0x")
                    ? new BigDecimal(new BigInteger(text.substring(2), 16))
                    : text.startsWith("0o")
                            ? new BigDecimal(new BigInteger(text.substring(2), 8))
                            : new BigDecimal(text);
            if (KubernetesJson.isReadable(number)) {
                return number;
            }
            throw problem(
                    scalar.getStartMark(), "has a number of more than " + KubernetesJson.MAX_NUMBER_LENGTH + " digits");
        } catch (NumberFormatException e) {
            throw problem(scalar.getStartMark(), "must be a number that JSON has");
        }
    }

    private void checkTag(Optional<String> given, Tag expected, Event event) {
        if (given.isPresent()
                && !given.get().equals(expected.getValue())
                && !given.get().equals("!")) {
            throw problem(event.getStartMark(), "must not have the tag " + given.get());
        }
    }

    private CodecException problem(Optional<Mark> mark, String rule) {
        return mark.map(at -> new CodecException(source, at.getLine() + 1, at.getColumn() + 1, rule))
                .orElseGet(() -> new CodecException(source, 0, 0, rule));
    }
}
