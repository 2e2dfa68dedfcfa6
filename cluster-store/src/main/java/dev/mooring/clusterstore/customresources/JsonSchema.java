// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.customresources;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * What a definition says of a value, as {@code openAPIV3Schema} has it. It is read leniently: {@link StructuralRules} says what is wrong with
 * it. Immutable.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class JsonSchema {
    /** One that says nothing, and keeps everything. */
    public static final JsonSchema ANYTHING = new JsonSchema(Map.of("x-kubernetes-preserve-unknown-fields", true));

    private final Document words;
    private final Map<String, JsonSchema> properties;
    private final Optional<JsonSchema> items;
    private final Optional<JsonSchema> additionalProperties;
    private final Map<String, List<JsonSchema>> junctions = new LinkedHashMap<>();
    private final Optional<JsonSchema> not;
    private final @Nullable Pattern pattern;
    private final Set<String> required;

    private JsonSchema(Map<String, Object> words) {
        this.words = Document.of(words);
        Map<String, JsonSchema> named = new LinkedHashMap<>();
        Fields.object(this.words, "properties").asMap().forEach((name, each) -> named.put(name, of(each)));
        properties = Collections.unmodifiableMap(named);
        items = schemaAt("items");
        additionalProperties = schemaAt("additionalProperties");
        not = schemaAt("not");
        for (String junction : List.of("allOf", "anyOf", "oneOf")) {
            List<JsonSchema> all = new ArrayList<>();
            Fields.list(this.words, junction).forEach(each -> all.add(of(each)));
            junctions.put(junction, List.copyOf(all));
        }
        pattern = compiled(text("pattern"));
        required = Set.copyOf(Fields.texts(this.words, "required"));
    }

    /** Reads a schema; what is no object says nothing. */
    public static JsonSchema of(Object schema) {
        return new JsonSchema(Fields.asDocument(schema).asMap());
    }

    private Optional<JsonSchema> schemaAt(String word) {
        return words.at(word).filter(Map.class::isInstance).map(JsonSchema::of);
    }

    private static @Nullable Pattern compiled(String text) {
        try {
            return text.isEmpty() ? null : Pattern.compile(text);
        } catch (PatternSyntaxException e) {
            return null;
        }
    }

    /** All that it says, as it is written. */
    public Document words() {
        return words;
    }

    /** A word's text; empty if it says none. */
    public String text(String word) {
        return Fields.text(words, word);
    }

    /** Whether a word is said to be true. */
    public boolean is(String word) {
        return Fields.isTrue(words, word);
    }

    /** A word's number. */
    public Optional<BigDecimal> number(String word) {
        return words.at(word).flatMap(JsonSchema::decimal);
    }

    static Optional<BigDecimal> decimal(Object value) {
        return value instanceof Long whole
                ? Optional.of(BigDecimal.valueOf(whole))
                : value instanceof BigDecimal broken ? Optional.of(broken) : Optional.empty();
    }

    /** {@code object}, {@code array}, {@code string}, {@code integer}, {@code number}, {@code boolean}, or empty. */
    public String type() {
        return text("type");
    }

    /** The fields that it names, in its order; unmodifiable. */
    public Map<String, JsonSchema> properties() {
        return properties;
    }

    /** What it says of the elements of a list. */
    public Optional<JsonSchema> items() {
        return items;
    }

    /** What it says of values under other names. */
    public Optional<JsonSchema> additionalProperties() {
        return additionalProperties;
    }

    /** Whether values under other names are kept as they are. */
    public boolean allowsAdditional() {
        return is("additionalProperties");
    }

    /** Names that must be there. */
    public Set<String> required() {
        return required;
    }

    /** What stands under {@code allOf}, {@code anyOf} or {@code oneOf}. */
    public List<JsonSchema> junction(String word) {
        return junctions.getOrDefault(word, List.of());
    }

    /** What must not hold. */
    public Optional<JsonSchema> not() {
        return not;
    }

    /** The pattern of texts, if it can be read. */
    Optional<Pattern> pattern() {
        return Optional.ofNullable(pattern);
    }

    /** The value of a field that is left out. */
    Optional<Object> defaultValue() {
        return words.at("default");
    }

    boolean keepsUnknown() {
        return is("x-kubernetes-preserve-unknown-fields");
    }

    boolean isEmbedded() {
        return is("x-kubernetes-embedded-resource");
    }

    boolean isIntOrString() {
        return is("x-kubernetes-int-or-string");
    }

    boolean isNullable() {
        return is("nullable");
    }

    /** {@code atomic}, {@code set}, {@code map}, or empty. */
    String listType() {
        return text("x-kubernetes-list-type");
    }

    List<String> listMapKeys() {
        return Fields.texts(words, "x-kubernetes-list-map-keys");
    }

    @Override
    public String toString() {
        return words.toString();
    }
}
