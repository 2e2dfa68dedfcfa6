// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import dev.mooring.clusterstore.schema.FieldType;
import dev.mooring.clusterstore.schema.FieldType.Mapping;
import dev.mooring.clusterstore.schema.FieldType.Plain;
import dev.mooring.clusterstore.schema.FieldType.Sequence;
import dev.mooring.clusterstore.schema.FieldType.Structure;
import dev.mooring.clusterstore.schema.Schema;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.model.Kind;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Objects of all kinds in which a few fields have other values, of right and of wrong types, are missing, or do not exist. */
final class MutatedObjects {
    private static final int DEPTH = 4;
    private static final String META =
            "\"metadata\":{\"name\":\"x\",\"labels\":{\"a\":\"b\"},\"annotations\":{\"c\":\"d\"}}";

    private static final List<String> TEXTS = List.of(
            "", "x", "web", "Always", "Never", "1Gi", "/data", "None", "example.com/x", "Filesystem", "true", "7");

    private final Random random;

    MutatedObjects(long seed) {
        random = new Random(seed);
    }

    /** What an object of a kind has to have. */
    private static String base(Kind<?> kind) {
        return switch (kind.name()) {
            case "PersistentVolume" -> """
                    "spec":{"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],
                     "csi":{"driver":"d.example.com","volumeHandle":"h","volumeAttributes":{"share":"true"}}}""";
            case "PersistentVolumeClaim" -> """
                    "spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}""";
            case "Pod" -> """
                    "spec":{"containers":[{"name":"main","image":"i","env":[{"name":"E","value":"v"}],
                      "volumeMounts":[{"name":"s","mountPath":"/s"}]}],
                     "volumes":[{"name":"s","secret":{"secretName":"s","items":[{"key":"k","path":"p"}]}},
                      {"name":"p","projected":{"sources":[{"configMap":{"name":"c"}}]}}]}""";
            case "StorageClass" -> "\"provisioner\":\"p.example.com\",\"parameters\":{\"a\":\"b\"}";
            case "VolumeAttributesClass" -> "\"driverName\":\"d.example.com\",\"parameters\":{\"a\":\"b\"}";
            case "VolumeAttachment" -> """
                    "spec":{"attacher":"a.example.com","nodeName":"n","source":{"persistentVolumeName":"pv"}}""";
            case "CSIDriver" -> "\"spec\":{\"attachRequired\":true}";
            case "CSINode" -> "\"spec\":{\"drivers\":[{\"name\":\"d\",\"nodeID\":\"n\",\"topologyKeys\":[\"k\"]}]}";
            case "CSIStorageCapacity" -> "\"storageClassName\":\"c\",\"capacity\":\"1Gi\"";
            case "Event" -> """
                    "involvedObject":{"kind":"Pod","name":"p","namespace":"default"},"reason":"R","message":"m","type":"Normal\"""";
            case "Lease" -> "\"spec\":{\"holderIdentity\":\"h\",\"leaseDurationSeconds\":15}";
            case "Secret" -> "\"data\":{\"k\":\"dg==\"},\"stringData\":{\"s\":\"t\"}";
            case "ConfigMap" -> "\"data\":{\"k\":\"v\"}";
            case "Node" -> "\"spec\":{\"taints\":[{\"key\":\"k\",\"effect\":\"NoSchedule\"}]}";
            default -> "";
        };
    }

    /** The next object of a kind, as a body. */
    String next(Kind<?> kind, int number) {
        String rest = base(kind);
        Map<String, Object> object = copy(KubernetesJson.standard()
                .read(
                        "{\"apiVersion\":\"" + kind.apiVersion() + "\",\"kind\":\"" + kind.name() + "\"," + META
                                + (rest.isEmpty() ? "" : "," + rest) + "}",
                        "base")
                .asMap());
        Structure root = Schema.standard().type(kind).orElseThrow();
        int mutations = 1 + random.nextInt(3);
        for (int i = 0; i < mutations; i++) {
            mutate(object, root);
        }
        if (object.get("metadata") instanceof Map<?, ?> metadata) {
            cast(metadata).put("name", "x" + number);
        }
        object.put("apiVersion", kind.apiVersion());
        object.put("kind", kind.name());
        return json(object);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> cast(Map<?, ?> map) {
        return (Map<String, Object>) map;
    }

    private record Point(Map<String, Object> fields, Structure type) {}

    private void mutate(Map<String, Object> object, Structure root) {
        List<Point> points = new ArrayList<>();
        collect(object, root, points);
        Point point = points.get(random.nextInt(points.size()));
        List<String> names = List.copyOf(point.type().fields().keySet());
        String name = names.get(random.nextInt(names.size()));
        FieldType type = point.type().fields().get(name);
        switch (random.nextInt(10)) {
            case 0, 1, 2, 3 -> point.fields().put(name, right(type, 0));
            case 4, 5 -> point.fields().put(name, wrong());
            case 6 -> point.fields().put(name, null);
            case 7 -> point.fields().put("unknown" + random.nextInt(3), wrong());
            case 8 ->
                point.fields()
                        .remove(List.copyOf(point.fields().keySet())
                                .get(random.nextInt(Math.max(1, point.fields().size()))));
            default -> point.fields().put(name.toUpperCase(Locale.ROOT), right(type, 0));
        }
    }

    private void collect(Object value, FieldType type, List<Point> points) {
        if (type instanceof Structure structure && value instanceof Map<?, ?> map && !map.isEmpty()) {
            points.add(new Point(cast(map), structure));
            map.forEach((name, each) -> {
                FieldType field = structure.fields().get(name);
                if (field != null) {
                    collect(each, field, points);
                }
            });
        } else if (type instanceof Sequence sequence && value instanceof List<?> list) {
            list.forEach(each -> collect(each, sequence.element(), points));
        }
    }

    private Object right(FieldType type, int depth) {
        if (type instanceof Structure structure) {
            Map<String, Object> fields = new LinkedHashMap<>();
            if (depth < DEPTH) {
                structure.fields().forEach((name, field) -> {
                    if (random.nextInt(3) == 0) {
                        fields.put(name, right(field, depth + 1));
                    }
                });
            }
            return fields;
        } else if (type instanceof Sequence sequence) {
            List<Object> list = new ArrayList<>();
            for (int i = random.nextInt(3); i > 0; i--) {
                list.add(right(sequence.element(), depth + 1));
            }
            return list;
        } else if (type instanceof Mapping mapping) {
            return new LinkedHashMap<>(Map.of("key", right(mapping.values(), depth + 1)));
        }
        return switch (((Plain) type).form()) {
            case STRING -> text();
            case BOOLEAN -> random.nextBoolean();
            case INT32, INT64 -> (long) random.nextInt(1000) - 1;
            case BYTE -> "dg==";
            case TIME -> "2026-01-02T03:04:05Z";
            case MICRO_TIME -> "2026-01-02T03:04:05.000006Z";
            case QUANTITY -> random.nextBoolean() ? "1Gi" : (Object) 5L;
            case INT_OR_STRING -> random.nextBoolean() ? "http" : (Object) 80L;
            case ANY, JSON -> wrong();
        };
    }

    private String text() {
        return TEXTS.get(random.nextInt(TEXTS.size()));
    }

    private Object wrong() {
        return switch (random.nextInt(8)) {
            case 0 -> text();
            case 1 -> 5L;
            case 2 -> true;
            case 3 -> new LinkedHashMap<>(Map.of("a", "b"));
            case 4 -> new ArrayList<>(List.of("a"));
            case 5 -> new BigDecimal("1.5");
            case 6 -> 1L << 40;
            default -> new ArrayList<>();
        };
    }

    private static Map<String, Object> copy(Map<String, Object> map) {
        Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((name, value) -> copy.put(name, copied(value)));
        return copy;
    }

    private static Object copied(Object value) {
        if (value instanceof Map<?, ?> map) {
            return copy(cast(map));
        }
        return value instanceof List<?> list
                ? list.stream().map(MutatedObjects::copied).collect(Collectors.toCollection(ArrayList::new))
                : value;
    }

    private static String json(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(entry -> "\"" + entry.getKey() + "\":" + json(entry.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
        } else if (value instanceof List<?> list) {
            return list.stream().map(MutatedObjects::json).collect(Collectors.joining(",", "[", "]"));
        }
        return value instanceof String text ? "\"" + text + "\"" : String.valueOf(value);
    }
}
