// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.JsonType;
import dev.mooring.storage.model.RecordMapper.FieldMapper;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** How the types of record components stand in JSON. */
final class FieldMappers {
    private static final DateTimeFormatter SECONDS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss'Z'").withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private FieldMappers() {}

    /** An optional time that the API reads only with six digits behind the second; see {@link MicroTime}. */
    static FieldMapper microTime() {
        return new OptionalField(new Plain(Instant.EPOCH, FieldMappers::readInstant, v -> MICROS.format((Instant) v)));
    }

    /** A text that is written also if it is empty; see {@link Required}. */
    static FieldMapper requiredText() {
        return new Plain("", FieldMappers::readText, v -> v);
    }

    static FieldMapper of(Type type) {
        if (type instanceof ParameterizedType generic) {
            Type[] arguments = generic.getActualTypeArguments();
            if (generic.getRawType() == Optional.class) {
                return new OptionalField(of(arguments[0]));
            } else if (generic.getRawType() == List.class) {
                return new ListField(of(arguments[0]));
            } else if (generic.getRawType() == Map.class) {
                return new MapField(of(arguments[1]));
            }
        }
        if (type == boolean.class || type == Boolean.class) {
            return new Plain(
                    false, FieldMappers::readBoolean, v -> type == boolean.class && v.equals(false) ? null : v);
        } else if (type == long.class || type == Long.class) {
            return new Plain(0L, FieldMappers::readLong, v -> type == long.class && v.equals(0L) ? null : v);
        } else if (type == String.class) {
            return new Plain("", FieldMappers::readText, v -> v.equals("") ? null : v);
        } else if (type == Quantity.class) {
            return new Plain(Quantity.ZERO, FieldMappers::readQuantity, Object::toString);
        } else if (type == Instant.class) {
            return new Plain(Instant.EPOCH, FieldMappers::readInstant, v -> writeInstant((Instant) v));
        } else if (type == HiddenText.class) {
            return new Plain(new HiddenText(""), FieldMappers::readHiddenText, v -> ((HiddenText) v).revealBase64());
        } else if (type == Document.class) {
            return new Plain(
                    Document.empty(), (json, place) -> Document.of(object(json, place)), v -> ((Document) v).asMap());
        } else if (type instanceof Class<?> c && c.isEnum()) {
            return enumField(c);
        } else if (type instanceof Class<?> c && c.isRecord()) {
            return new RecordField(c);
        }
        throw new IllegalArgumentException("the model has no way to write " + type);
    }

    private static FieldMapper enumField(Class<?> type) {
        Object[] constants = type.getEnumConstants();
        Map<String, Object> byWireName = new LinkedHashMap<>();
        Arrays.stream(constants).forEach(constant -> byWireName.put(((WireEnum) constant).wireName(), constant));
        Object unknown = Objects.requireNonNull(byWireName.get("Unknown"));
        Object absent = defaultOf(type, constants);
        return new Plain(
                absent,
                (json, place) -> byWireName.getOrDefault((String) readText(json, place), unknown),
                value -> ((WireEnum) value).wireName());
    }

    private static Object defaultOf(Class<?> type, Object[] constants) {
        // Retain is what an absent policy of a volume means; phases begin with Pending.
        return type == ConditionStatus.class ? ConditionStatus.UNKNOWN : constants[0];
    }

    static ModelException wrong(JsonPlace place, String wanted, Object json) {
        return new ModelException(place.toString(), "must be " + wanted + ", not " + JsonType.described(json));
    }

    private static Object readBoolean(Object json, JsonPlace place) {
        if (json instanceof Boolean) {
            return json;
        }
        throw wrong(place, JsonType.BOOLEAN.phrase(), json);
    }

    private static Object readLong(Object json, JsonPlace place) {
        if (json instanceof Long) {
            return json;
        }
        throw wrong(place, "an integer", json);
    }

    private static Object readText(Object json, JsonPlace place) {
        if (json instanceof String) {
            return json;
        }
        throw wrong(place, JsonType.STRING.phrase(), json);
    }

    private static Object readHiddenText(Object json, JsonPlace place) {
        if (json instanceof String text) {
            return new HiddenText(text);
        }
        throw new ModelException(
                place.toString(),
                "must be " + JsonType.STRING.phrase() + ", not "
                        + JsonType.of(json).phrase());
    }

    private static Object readQuantity(Object json, JsonPlace place) {
        if (json instanceof String || json instanceof Long || json instanceof BigDecimal) {
            try {
                return Quantity.parse(json.toString());
            } catch (IllegalArgumentException e) {
                throw new ModelException(place.toString(), String.valueOf(e.getMessage()));
            }
        }
        throw wrong(place, "a quantity", json);
    }

    private static Object readInstant(Object json, JsonPlace place) {
        try {
            return OffsetDateTime.parse((String) readText(json, place)).toInstant();
        } catch (DateTimeException e) {
            throw wrong(place, "a time such as 2026-01-31T12:00:00Z", json);
        }
    }

    private static String writeInstant(Instant instant) {
        return (instant.equals(instant.truncatedTo(ChronoUnit.SECONDS)) ? SECONDS : MICROS).format(instant);
    }

    @SuppressWarnings("unchecked") // maps in a document have text keys
    private static Map<String, Object> object(Object json, JsonPlace place) {
        if (json instanceof Map<?, ?> map) {
            return (Map<String, Object>) map;
        }
        throw wrong(place, JsonType.OBJECT.phrase(), json);
    }

    private record Plain(
            Object absent, BiFunction<Object, JsonPlace, Object> reader, Function<Object, @Nullable Object> writer)
            implements FieldMapper {
        @Override
        public Object read(@Nullable Object json, JsonPlace place) {
            return json == null ? absent : reader.apply(json, place);
        }

        @Override
        public @Nullable Object write(Object value) {
            return writer.apply(value);
        }
    }

    private record OptionalField(FieldMapper element) implements FieldMapper {
        @Override
        public Object read(@Nullable Object json, JsonPlace place) {
            return json == null ? Optional.empty() : Optional.of(element.read(json, place));
        }

        @Override
        public @Nullable Object write(Object value) {
            Optional<?> optional = (Optional<?>) value;
            if (optional.isEmpty()) {
                return null;
            }
            Object written = element.write(optional.get());
            // What is present but empty still means something: a class of "" is no class at all.
            return written != null ? written : optional.get() instanceof Record ? Map.of() : "";
        }
    }

    private record ListField(FieldMapper element) implements FieldMapper {
        @Override
        public Object read(@Nullable Object json, JsonPlace place) {
            if (json == null) {
                return List.of();
            }
            if (!(json instanceof List<?> list)) {
                throw wrong(place, JsonType.ARRAY.phrase(), json);
            }
            List<Object> values = new ArrayList<>(list.size());
            for (int i = 0; i < list.size(); i++) {
                values.add(element.read(list.get(i), place.element(i)));
            }
            return values;
        }

        @Override
        public @Nullable Object write(Object value) {
            List<?> list = (List<?>) value;
            if (list.isEmpty()) {
                return null;
            }
            List<Object> written = new ArrayList<>(list.size());
            for (Object each : list) {
                Object json = element.write(each);
                written.add(json == null ? "" : json);
            }
            return written;
        }
    }

    private record MapField(FieldMapper element) implements FieldMapper {
        @Override
        public Object read(@Nullable Object json, JsonPlace place) {
            if (json == null) {
                return Map.of();
            }
            Map<String, Object> members = object(json, place);
            boolean same = true;
            for (Map.Entry<String, Object> member : members.entrySet()) {
                Object value = member.getValue();
                same &= isSame(value, element.read(value, place.member(member.getKey())));
            }
            return same ? members : changed(members, place);
        }

        private static boolean isSame(Object json, Object value) {
            return json == value;
        }

        private Map<String, Object> changed(Map<String, Object> members, JsonPlace place) {
            Map<String, Object> values = new LinkedHashMap<>();
            members.forEach((key, value) -> values.put(key, element.read(value, place.member(key))));
            return values;
        }

        @Override
        public @Nullable Object write(Object value) {
            Map<?, ?> map = (Map<?, ?>) value;
            if (map.isEmpty()) {
                return null;
            }
            Map<String, Object> written = new LinkedHashMap<>();
            map.forEach((key, each) -> {
                Object json = element.write(each);
                written.put((String) key, json == null ? "" : json);
            });
            return written;
        }
    }

    /** The mapper is looked up when it is needed, since records may contain themselves. */
    private record RecordField(Class<?> type) implements FieldMapper {
        @Override
        public Object read(@Nullable Object json, JsonPlace place) {
            return RecordMapper.of(type).read(json == null ? Map.of() : object(json, place), place);
        }

        @Override
        public @Nullable Object write(Object value) {
            // Never left out: an object that is empty for us may hold what we do not know, and must not look removed.
            return RecordMapper.of(type).write(value);
        }
    }
}
