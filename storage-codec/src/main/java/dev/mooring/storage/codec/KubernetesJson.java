// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.codec;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.FieldSelection;
import dev.mooring.storage.document.JsonNull;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apiguardian.api.API;

/** JSON to documents and back. Numbers are exact; members keep their order. Immutable; thread-safe. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class KubernetesJson {
    /** Longer ones take more time to read than they are worth: on some JDKs it grows with the square. */
    static final int MAX_NUMBER_LENGTH = 1000;

    /** What the library takes, said here because YAML and what is made of both has to keep to it. */
    static final int MAX_KEY_LENGTH = StreamReadConstraints.DEFAULT_MAX_NAME_LEN;

    /** Every number of fewer digits is a {@code long}. */
    private static final int LONG_DIGITS = 18;

    /** Written out with one digit before the point, no exponent may leave 32 bits. */
    private static final int MAX_SCALE = 1_000_000_000;

    /** Of all codecs, since one program has many and reads the same objects with them. */
    private static final SharedTexts SHARED = new SharedTexts();

    /** The keys of an object that has more are its own. */
    private static final int MOST_SHARED = 64;

    private final CodecLimits limits;
    private final Optional<String> skipped;
    private final boolean own;
    private final JsonFactory factory;

    private KubernetesJson(CodecLimits limits, Optional<String> skipped, boolean own) {
        this.limits = limits;
        this.skipped = skipped;
        this.own = own;
        this.factory = JsonFactory.builder()
                .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES) // costs more than all else where keys are many
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(limits.maxDepth() + 1) // ours is checked first, with our words
                        .maxStringLength(limits.maxBytes())
                        .maxNumberLength(own ? Integer.MAX_VALUE : MAX_NUMBER_LENGTH)
                        .maxNameLength(own ? Integer.MAX_VALUE : MAX_KEY_LENGTH)
                        .build())
                .build();
    }

    /** Returns a codec with {@link CodecLimits#STANDARD}; never null. */
    public static KubernetesJson standard() {
        return new KubernetesJson(CodecLimits.STANDARD, Optional.empty(), false);
    }

    /**
     * Returns a codec that passes over {@code managedFields} when it reads: who wrote which field is often more than the object itself,
     * and no model has it. Never null.
     */
    public static KubernetesJson withoutManagedFields() {
        return new KubernetesJson(CodecLimits.STANDARD, Optional.of("managedFields"), false);
    }

    /** Returns a codec with other limits; never null. */
    public static KubernetesJson withLimits(CodecLimits limits) {
        return new KubernetesJson(limits, Optional.empty(), false);
    }

    /**
     * Returns a codec for texts that this program has written itself: within the limits it reads whatever it wrote, however long a number
     * or a key. Never null.
     */
    public static KubernetesJson ofOwnTexts(CodecLimits limits) {
        return new KubernetesJson(limits, Optional.empty(), true);
    }

    /**
     * Reads one object.
     *
     * @param text the text, never null
     * @param source what errors call it, such as a file name; never null
     * @return the object, never null
     * @throws CodecException if the text is not one JSON object, has a duplicate key or breaks a limit
     */
    public Document read(String text, String source) {
        return read(text, new Reading(source, Optional.empty(), Optional.empty()));
    }

    /**
     * Reads one object as API servers do unless they are asked to be strict: of a key that stands twice the last value counts.
     *
     * @param text the text, never null
     * @param source what errors call it, never null
     * @param repeated hears of each such key, as a path: {@code metadata.labels.tier}, {@code items[3].name}; never null
     * @return the object, never null
     * @throws CodecException if the text is not one JSON object or breaks a limit
     */
    public Document readLastOfRepeated(String text, String source, Consumer<String> repeated) {
        return read(text, new Reading(source, Optional.of(repeated), Optional.empty()));
    }

    private Document read(String text, Reading reading) {
        limits.checkSize(text, reading.source());
        return read(() -> factory.createParser(text), reading);
    }

    /** What Jackson says of itself, and of where an object began, is left out. */
    private static String words(JsonProcessingException e) {
        String all = e.getOriginalMessage();
        int self = all.indexOf(" (start marker at ");
        return self < 0 ? all : all.substring(0, self);
    }

    @FunctionalInterface
    private interface Opening {
        JsonParser open() throws IOException;
    }

    private Document read(Opening text, Reading reading) {
        return read(text, reading, FieldSelection.ALL);
    }

    private Document read(Opening text, Reading reading, FieldSelection selection) {
        try (JsonParser parser = text.open()) {
            return readOne(parser, reading, selection);
        } catch (JsonProcessingException e) {
            throw problem(reading.source(), e.getLocation(), "must be JSON: " + words(e));
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a text in memory
        }
    }

    /**
     * Reads one object in UTF-8, to the end of a stream, which stays open.
     *
     * @param in the stream, never null
     * @param source what errors call it, never null
     * @return the object, never null
     * @throws IOException if the stream fails
     * @throws CodecException as above
     */
    public Document read(InputStream in, String source) throws IOException {
        return read(limits.read(in, source), source);
    }

    /**
     * How one text is read.
     *
     * @param repeated who hears of repeated keys; empty if they are refused
     * @param shared gives out one text for equal ones; empty if each is made separately
     */
    private record Reading(String source, Optional<Consumer<String>> repeated, Optional<SharedTexts> shared) {
        /** The path of a member; not made if it is not wanted. */
        String below(String path, String name) {
            return repeated.isEmpty() ? "" : path.isEmpty() ? name : path + "." + name;
        }

        String text(String text) {
            return shared.isEmpty() ? text : shared.get().one(text);
        }

        void tell(String path, String name) {
            repeated.ifPresent(listener -> listener.accept(below(path, name)));
        }

        String at(String path, int index) {
            return repeated.isEmpty() ? "" : path + "[" + index + "]";
        }
    }

    /**
     * Reads one object in UTF-8.
     *
     * @param bytes the text, never null
     * @param source what errors call it, never null
     * @return the object, never null
     * @throws CodecException as above
     */
    public Document read(byte[] bytes, String source) {
        limits.checkSize(bytes.length, source);
        return read(() -> factory.createParser(bytes), new Reading(source, Optional.empty(), Optional.empty()));
    }

    /**
     * Reads of one object in UTF-8 what is selected; the rest is passed over. Texts that stand in many objects are shared, so that what is
     * kept for long takes little.
     *
     * @param bytes the text, never null
     * @param source what errors call it, never null
     * @param selection the fields, never null
     * @return the object with the selected fields, never null
     * @throws CodecException as above; what is passed over may have a key twice
     */
    public Document read(byte[] bytes, String source, FieldSelection selection) {
        limits.checkSize(bytes.length, source);
        return read(
                () -> factory.createParser(bytes),
                new Reading(source, Optional.empty(), Optional.of(SHARED)),
                selection);
    }

    private Document readOne(JsonParser parser, Reading reading, FieldSelection selection) throws IOException {
        String source = reading.source();
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            throw problem(source, parser.currentTokenLocation(), "must be a JSON object");
        }
        Map<String, Object> members = readObject(parser, reading, selection, "", 1);
        if (parser.nextToken() != null) {
            throw problem(source, parser.currentTokenLocation(), "must end behind the object");
        }
        return Document.of(members);
    }

    private Map<String, Object> readObject(
            JsonParser parser, Reading reading, FieldSelection selection, String path, int depth) throws IOException {
        checkDepth(parser, reading.source(), depth);
        Map<String, Object> members = new Members();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = members.size() < MOST_SHARED ? SHARED.one(parser.currentName()) : parser.currentName();
            if (reading.repeated().isEmpty() && members.containsKey(name)) {
                throw problem(
                        reading.source(),
                        parser.currentTokenLocation(),
                        "must not have the key \"" + name + "\" twice");
            }
            JsonToken first = parser.nextToken();
            boolean structure = first.isStructStart();
            if (structure && members.containsKey(name)) {
                reading.tell(path, name); // before what is repeated within it
            }
            FieldSelection below = selection.at(name);
            if (below.isNone() || (first == JsonToken.START_ARRAY && isSkipped(name))) {
                parser.skipChildren();
                continue;
            }
            Object value = readValue(parser, reading, below, structure ? reading.below(path, name) : "", depth);
            if (members.put(name, value) != null && !structure) {
                reading.tell(path, name);
            }
        }
        return members;
    }

    private boolean isSkipped(String name) {
        return skipped.isPresent() && skipped.get().equals(name);
    }

    private Object readValue(JsonParser parser, Reading reading, FieldSelection selection, String path, int depth)
            throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> readObject(parser, reading, selection, path, depth + 1);
            case START_ARRAY -> readList(parser, reading, selection, path, depth + 1);
            case VALUE_STRING -> reading.text(parser.getText());
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> JsonNull.NULL;
            case VALUE_NUMBER_INT ->
                parser.getTextLength() < LONG_DIGITS ? parser.getLongValue() : number(parser, reading.source());
            case VALUE_NUMBER_FLOAT -> number(parser, reading.source());
            default -> throw problem(reading.source(), parser.currentTokenLocation(), "must be a JSON value");
        };
    }

    private List<Object> readList(JsonParser parser, Reading reading, FieldSelection selection, String path, int depth)
            throws IOException {
        checkDepth(parser, reading.source(), depth);
        List<Object> elements = new ArrayList<>();
        for (JsonToken next = parser.nextToken(); next != JsonToken.END_ARRAY; next = parser.nextToken()) {
            String here = next.isStructStart() ? reading.at(path, elements.size()) : "";
            elements.add(readValue(parser, reading, selection, here, depth));
        }
        return elements;
    }

    private Object number(JsonParser parser, String source) throws IOException {
        try {
            BigDecimal number = new BigDecimal(parser.getText());
            if (own || isReadable(number)) {
                return number;
            }
            throw problem(
                    source,
                    parser.currentTokenLocation(),
                    "must be a number of at most " + MAX_NUMBER_LENGTH + " digits");
        } catch (NumberFormatException e) {
            throw problem(source, parser.currentTokenLocation(), "must be a number within bounds");
        }
    }

    /** Whether a number, written as we write it, is one that we read: an exponent moves when there is one digit before the point. */
    static boolean isReadable(BigDecimal number) {
        return Math.abs((long) number.scale()) <= MAX_SCALE
                && number.precision() <= MAX_NUMBER_LENGTH
                && number.toString().length() <= MAX_NUMBER_LENGTH;
    }

    private void checkDepth(JsonParser parser, String source, int depth) {
        if (depth > limits.maxDepth()) {
            throw problem(source, parser.currentTokenLocation(), limits.tooDeep());
        }
    }

    private static CodecException problem(String source, JsonLocation location, String rule) {
        return location == null
                ? new CodecException(source, 0, 0, rule)
                : new CodecException(source, location.getLineNr(), location.getColumnNr(), rule);
    }

    /** Writes a document in one line; never null. */
    public String write(Document document) {
        return CompactJson.of(document.asMap());
    }

    /** Writes a document with line breaks and indentation by two; never null. */
    public String writeIndented(Document document) {
        DefaultPrettyPrinter.Indenter lines = new DefaultIndenter("  ", "\n");
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
        printer.indentObjectsWith(lines);
        printer.indentArraysWith(lines);
        StringWriter out = new StringWriter();
        try (JsonGenerator generator = factory.createGenerator(out)) {
            generator.setPrettyPrinter(printer);
            writeValue(generator, document.asMap());
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a text in memory
        }
        return out.toString();
    }

    private static void writeValue(JsonGenerator generator, Object value) throws IOException {
        if (value instanceof Map<?, ?> map) {
            generator.writeStartObject();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                generator.writeFieldName((String) entry.getKey());
                writeValue(generator, entry.getValue());
            }
            generator.writeEndObject();
        } else if (value instanceof List<?> list) {
            generator.writeStartArray();
            for (Object element : list) {
                writeValue(generator, element);
            }
            generator.writeEndArray();
        } else if (value instanceof String text) {
            generator.writeString(text);
        } else if (value instanceof Boolean truth) {
            generator.writeBoolean(truth);
        } else if (value instanceof Long number) {
            generator.writeNumber(number);
        } else if (value instanceof BigDecimal number) {
            generator.writeNumber(text(number));
        } else {
            generator.writeNull();
        }
    }

    /** Never expanded, whatever the exponent; with a point only where the exponent stays one that can be read. */
    static String text(BigDecimal number) {
        long exponent = (long) number.precision() - 1 - number.scale();
        return exponent > Integer.MAX_VALUE ? number.unscaledValue() + "E" + -(long) number.scale() : number.toString();
    }
}
