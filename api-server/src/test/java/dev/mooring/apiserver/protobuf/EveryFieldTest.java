// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.protobuf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.StoredKinds;
import dev.mooring.clusterstore.schema.FieldType;
import dev.mooring.clusterstore.schema.FieldType.Mapping;
import dev.mooring.clusterstore.schema.FieldType.Plain;
import dev.mooring.clusterstore.schema.FieldType.Sequence;
import dev.mooring.clusterstore.schema.FieldType.Structure;
import dev.mooring.clusterstore.schema.Schema;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each kind with all its fields goes through protocol buffers unchanged. */
class EveryFieldTest {
    /** Fields that Kubernetes has removed, with their numbers. */
    private static final Set<String> REMOVED = Set.of(
            "meta.v1.ObjectMeta.clusterName",
            "core.v1.EphemeralVolumeSource.readOnly",
            "core.v1.ServiceSpec.topologyKeys");

    /** Fields in their first release, of which no published message tells the number yet: JSON alone has them. */
    private static final Set<String> WITHOUT_NUMBER =
            Set.of("core.v1.PodSpec.schedulingGroup", "core.v1.PodStatus.nodeAllocatableResourceClaimStatuses");

    /** What an object inside another one is, its place tells: messages leave it out. */
    private static final Set<String> TYPE = Set.of("apiVersion", "kind");

    /** Kubernetes defines them in JSON's own terms: they are served in JSON alone. */
    private static final String DEFINITIONS = "CustomResourceDefinition";

    private final Set<String> open = new HashSet<>();

    static Stream<Kind<?>> kinds() {
        return StoredKinds.withStandard().all().stream()
                .filter(kind -> !kind.name().equals(DEFINITIONS) && kind.group().indexOf("snapshot") < 0);
    }

    private Map<String, Object> filled(Structure type, boolean texts) {
        Map<String, Object> fields = new LinkedHashMap<>();
        if (open.add(type.name())) { // types may contain themselves
            type.fields().forEach((name, field) -> {
                String full = type.name() + "." + name;
                boolean isType = TYPE.contains(name) && type.fields().containsKey("metadata");
                if (!isType && !REMOVED.contains(full) && !WITHOUT_NUMBER.contains(full)) {
                    fields.put(name, value(field, texts, name));
                }
            });
            open.remove(type.name());
        }
        return fields;
    }

    private Object value(FieldType type, boolean texts, String name) {
        if (type instanceof Structure structure) {
            return filled(structure, texts);
        } else if (type instanceof Sequence sequence) {
            return List.of(value(sequence.element(), texts, name + 1), value(sequence.element(), texts, name + 2));
        } else if (type instanceof Mapping mapping) {
            return name.equals("fieldsV1")
                    ? Map.of("f:metadata", Map.of("f:labels", Map.of(".", Map.of())))
                    : new TreeMap<>(Map.of("a/key", value(mapping.values(), texts, name)));
        }
        return switch (((Plain) type).form()) {
            case STRING -> name + "é";
            case BOOLEAN -> true;
            case INT32 -> texts ? -7L : Integer.MAX_VALUE;
            case INT64 -> texts ? -8L : Long.MAX_VALUE;
            case BYTE -> "AP/+";
            case TIME -> "2026-01-02T03:04:05Z";
            case MICRO_TIME -> "2026-01-02T03:04:05.000006Z";
            case QUANTITY -> "1500m";
            case INT_OR_STRING -> texts ? "25%" : (Object) 3L;
            case ANY, JSON -> Map.of("x", List.of(1L, "y", Map.of("z", false)));
        };
    }

    private static Document typed(Kind<?> kind, Map<String, Object> fields) {
        fields.put("apiVersion", kind.apiVersion());
        fields.put("kind", kind.name());
        return Document.of(fields);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void eachFieldComesBack(Kind<?> kind) {
        Structure type = Schema.standard().type(kind).orElseThrow();
        for (boolean texts : List.of(true, false)) {
            Document object = typed(kind, filled(type, texts));
            byte[] written = ProtobufObjects.write(object).orElseThrow();
            Document read = ProtobufObjects.read(written).orElseThrow();
            assertThat(paths("", read.asMap())).isEqualTo(paths("", object.asMap()));
            assertThat(ProtobufObjects.write(read)).hasValue(written);
        }
    }

    /** Each value with where it stands: a difference is told by its path alone. */
    private static Set<String> paths(String path, Object value) {
        Set<String> all = new TreeSet<>();
        if (value instanceof Map<?, ?> map && !map.isEmpty()) {
            map.forEach((key, each) -> all.addAll(paths(path + "." + key, each)));
        } else if (value instanceof List<?> list && !list.isEmpty()) {
            for (int i = 0; i < list.size(); i++) {
                all.addAll(paths(path + "[" + i + "]", list.get(i)));
            }
        } else {
            all.add(path + " = " + value);
        }
        return all;
    }
}
