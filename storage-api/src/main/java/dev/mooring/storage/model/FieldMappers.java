// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.compact.SharedValues;
import dev.mooring.storage.compact.SmallMap;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.FieldSelection;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
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

    private static final int LONGEST_SHARED = 64;

    private FieldMappers() {}

    /** An optional time that the API reads only with six digits behind the second; see {@link MicroTime}. */
    static FieldMapper microTime() {
        return new OptionalField(
                Instant.class, new Plain(Instant.EPOCH, FieldMappers::readInstant, v -> MICROS.format((Instant) v)));
    }

    /** A text that is written also if it is empty; see {@link Required}. */
    static FieldMapper requiredText() {
        return new Plain("", FieldMappers::readText, v -> v);
    }

    static FieldMapper of(Type type) {
        if (type instanceof ParameterizedType generic) {
            Type[] arguments = generic.getActualTypeArguments();
            if (generic.getRawType() == Optional.class) {
                return new OptionalField(arguments[0], of(arguments[0]));
            } else if (generic.getRawType() == List.class) {
                return new ListField(arguments[0], of(arguments[0]));
            } else if (generic.getRawType() == Map.class) {
                return new MapField(arguments[1], of(arguments[1]));
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
            return new Plain(Instant.EPOCH, FieldMappers::readInstant, v -> SECONDS.format((Instant) v));
        } else if (type == HiddenText.class) {
            return new Plain(new HiddenText(""), FieldMappers::readHiddenText, v -> ((HiddenText) v).revealBase64());
        } else if (type == Document.class) {
            return new DocumentField();
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

    @SuppressWarnings("unchecked") // maps in a document have text keys
    private static Map<String, Object> object(Object json, JsonPlace place) {
        if (json instanceof Map<?, ?> map) {
            return (Map<String, Object>) map;
        }
        throw wrong(place, JsonType.OBJECT.phrase(), json);
    }

    /** Whether equal values of a type stand in very many objects. Secrets are none of them. */
    private static boolean isOften(Type type) {
        return type == VolumeNodeAffinity.class
                || type == String.class
                || type == Instant.class
                || (type instanceof Class<?> c && c.isEnum());
    }

    private static boolean areFew(Collection<?> values) {
        return !values.isEmpty()
                && values.size() <= SmallMap.MOST
                && values.stream().allMatch(FieldMappers::isShort);
    }

    /** Equal amounts may be written in different ways, which is to stay so. */
    private static boolean haveTheSameValues(Map<String, Object> one, Map<String, Object> other) {
        return one.size() == other.size()
                && one.entrySet().stream().allMatch(entry -> areSame(entry.getValue(), other.get(entry.getKey())));
    }

    private static boolean areSame(Object one, @Nullable Object other) {
        return one == other || (!(one instanceof Quantity) && one.equals(other));
    }

    private static boolean isShort(Object value) {
        return !(value instanceof String text) || text.length() <= LONGEST_SHARED;
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

    private record DocumentField() implements FieldMapper {
        @Override
        public Object read(@Nullable Object json, JsonPlace place) {
            return json == null ? Document.empty() : Document.of(object(json, place));
        }

        @Override
        public @Nullable Object write(Object value) {
            return ((Document) value).asMap();
        }

        @Override
        public Object keep(Object value, FieldSelection selection) {
            return ((Document) value).keep(selection);
        }
    }

    private record OptionalField(Type type, FieldMapper element) implements FieldMapper {
        @Override
        public Object keep(Object value, FieldSelection selection) {
            Object whole = ((Optional<?>) value).orElse(null);
            Object kept = whole == null ? null : element.keep(whole, selection);
            return kept == whole ? value : Optional.of(Objects.requireNonNull(kept));
        }

        @Override
        public Object read(@Nullable Object json, JsonPlace place) {
            if (json == null) {
                return Optional.empty();
            }
            Optional<Object> value = Optional.of(element.read(json, place));
            return isOften(type) && isShort(value.get()) ? SharedValues.one(value) : value;
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

    private record ListField(Type type, FieldMapper element) implements FieldMapper {
        @Override
        public Object keep(Object value, FieldSelection selection) {
            List<?> list = (List<?>) value;
            List<Object> kept = new ArrayList<>(list.size());
            boolean same = true;
            for (Object each : list) {
                Object part = element.keep(each, selection);
                kept.add(part);
                same &= part == each;
            }
            return same ? value : kept;
        }

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
            List<Object> read = List.copyOf(values);
            return isOften(type) && areFew(read) ? SharedValues.one(read) : read;
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

    private record MapField(Type type, FieldMapper element) implements FieldMapper {
        @Override
        public Object keep(Object value, FieldSelection selection) {
            Map<String, Object> kept = new LinkedHashMap<>();
            boolean[] same = {true};
            ((Map<?, ?>) value).forEach((key, each) -> {
                FieldSelection below = selection.at((String) key);
                Object part = below.isNone() ? null : below.isAll() ? each : element.keep(each, below);
                if (part != null) {
                    kept.put((String) key, part);
                }
                same[0] &= part == each;
            });
            return same[0] ? value : kept;
        }

        @Override
        public Object read(@Nullable Object json, JsonPlace place) {
            if (json == null) {
                return Map.of();
            }
            Map<String, Object> read = read(object(json, place), place);
            return (isOften(type) || type == Quantity.class) && areFew(read.values())
                    ? SharedValues.one(read, FieldMappers::haveTheSameValues)
                    : read;
        }

        /** The same map if every value is read as it stands. */
        private Map<String, Object> read(Map<String, Object> members, JsonPlace place) {
            boolean same = members instanceof SmallMap;
            Map<String, Object> values = new LinkedHashMap<>();
            for (Map.Entry<String, Object> member : members.entrySet()) {
                Object value = element.read(member.getValue(), place.member(member.getKey()));
                if (same && value != member.getValue()) {
                    same = false;
                    members.forEach(values::putIfAbsent); // those before it, in their order; the others are replaced
                }
                if (!same) {
                    values.put(member.getKey(), value);
                }
            }
            return same ? members : SmallMap.frozen(values);
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
        public Object keep(Object value, FieldSelection selection) {
            return kept(RecordMapper.of(type), value, selection);
        }

        @SuppressWarnings("unchecked") // a mapper is given what is of its own type
        private static <T> Object kept(RecordMapper<T> mapper, Object value, FieldSelection selection) {
            return mapper.keep((T) value, selection);
        }

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
