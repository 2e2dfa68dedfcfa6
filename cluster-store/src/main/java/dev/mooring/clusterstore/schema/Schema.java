// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.schema;

import dev.mooring.clusterstore.schema.FieldType.Form;
import dev.mooring.clusterstore.schema.FieldType.Mapping;
import dev.mooring.clusterstore.schema.FieldType.Plain;
import dev.mooring.clusterstore.schema.FieldType.Sequence;
import dev.mooring.clusterstore.schema.FieldType.Structure;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The fields that Kubernetes' kinds have and what each may hold, also those of which Mooring has no model. It is made of two resources, each
 * with a line for each type: {@code kubernetes-1.20.types} comes from the OpenAPI document of an API server, {@code later.types} is kept by
 * hand. Immutable; thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Schema {
    private static final Map<String, Plain> PLAIN = Map.ofEntries(
            Map.entry("string", new Plain(Form.STRING)),
            Map.entry("boolean", new Plain(Form.BOOLEAN)),
            Map.entry("int32", new Plain(Form.INT32)),
            Map.entry("int64", new Plain(Form.INT64)),
            Map.entry("byte", new Plain(Form.BYTE)),
            Map.entry("time", new Plain(Form.TIME)),
            Map.entry("microTime", new Plain(Form.MICRO_TIME)),
            Map.entry("quantity", new Plain(Form.QUANTITY)),
            Map.entry("intOrString", new Plain(Form.INT_OR_STRING)),
            Map.entry("any", new Plain(Form.ANY)),
            Map.entry("json", new Plain(Form.JSON)));
    private static final String NAMED_STRING = "string(";
    private static final String ATOMIC = "=atomic";
    private static final String GRANULAR = "~";

    private static final Schema STANDARD = new Schema(List.of("kubernetes-1.20.types", "later.types"));

    private final Map<String, Structure> types = new HashMap<>();

    private Schema(List<String> resources) {
        resources.forEach(this::read);
        types.values().stream()
                .filter(type -> type.fields().isEmpty())
                .findFirst()
                .ifPresent(type -> {
                    throw new IllegalStateException("no line describes " + type);
                });
    }

    /** That of the kinds that Mooring knows, from Kubernetes 1.20 to 1.36; never null. */
    public static Schema standard() {
        return STANDARD;
    }

    private void read(String resource) {
        try (InputStream in = Schema.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException(resource + " is missing");
            }
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .forEach(this::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void add(String line) {
        String[] parts = line.split(" ", -1);
        Structure structure = structure(parts[0]);
        for (int i = 1; i < parts.length; i++) {
            if (parts[i].equals(ATOMIC)) {
                structure.makeAtomic();
                continue;
            }
            int colon = parts[i].indexOf(':');
            boolean isRequired = parts[i].charAt(colon - 1) == '!';
            String field = parts[i].substring(0, isRequired ? colon - 1 : colon);
            String text = parts[i].substring(colon + 1);
            if (text.startsWith(GRANULAR)) {
                structure.makeGranular(field);
            }
            FieldType type = type(text.startsWith(GRANULAR) ? text.substring(GRANULAR.length()) : text);
            structure.add(field, type, isRequired);
        }
    }

    private FieldType type(String text) {
        Plain plain = PLAIN.get(text);
        if (plain != null) {
            return plain;
        } else if (text.startsWith(NAMED_STRING)) {
            return new Plain(Form.STRING, text.substring(NAMED_STRING.length(), text.length() - 1));
        } else if (text.startsWith("{}")) {
            return new Mapping(type(text.substring(2)));
        } else if (text.startsWith("[")) {
            int end = text.indexOf(']');
            String[] keys = text.substring(1, end).split(";", 2);
            String listKeys = keys[keys.length - 1];
            return new Sequence(
                    type(text.substring(end + 1)),
                    keys[0],
                    listKeys.isEmpty() ? List.of() : List.of(listKeys.split("\\+", -1)));
        }
        return structure(text);
    }

    private Structure structure(String name) {
        return types.computeIfAbsent(name, Structure::new);
    }

    /**
     * A type by its name with group and version, such as {@code meta.v1.DeleteOptions}; empty if it is not known.
     *
     * @param name never null
     */
    public Optional<Structure> type(String group, String version, String name) {
        if (group.contains(".") && !group.endsWith(".k8s.io")) {
            return Optional.empty(); // a group of a user's own, whatever its first part
        }
        String start = group.isEmpty() ? "core" : group.replaceFirst("\\..*", "");
        return Optional.ofNullable(types.get(start + "." + version + "." + name));
    }

    /** The type of a kind; empty if it is not known. */
    public Optional<Structure> type(Kind<?> kind) {
        return type(kind.group(), kind.version(), kind.name());
    }

    /**
     * Reads an object of a kind as the API server does, in one pass. Of a kind that is not known only nulls are taken out.
     *
     * @param kind never null
     * @param object never null
     */
    public Decoded decode(Kind<?> kind, Document object) {
        return type(kind).map(type -> decode(type, object)).orElseGet(() -> free(object));
    }

    /** The same with the type. */
    public Decoded decode(Structure type, Document object) {
        return new Decoding(type).decode(object);
    }

    private static Decoded free(Document object) {
        return new Decoded(object.withoutNulls(), WrongFields.NONE, List.of());
    }
}
