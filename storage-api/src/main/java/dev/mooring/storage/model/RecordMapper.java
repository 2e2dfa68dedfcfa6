// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.FieldSelection;
import dev.mooring.storage.document.JsonNull;
import dev.mooring.storage.document.JsonType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes records as JSON objects: a component's name is the key, its type says how (see {@link FieldMapper}). A component of
 * type {@code Optional<VolumeSource>} named {@code source} stands for the one key that names a volume source (plugins may bring their
 * own). Everything about a record is found out once.
 *
 * @param <T> the record
 */
final class RecordMapper<T> {
    private static final Map<Class<?>, RecordMapper<?>> KNOWN = new ConcurrentHashMap<>();
    private static final Set<String> NO_SOURCES = Set.of("claimRef", "nodeAffinity", "capacity");

    private final Constructor<T> constructor;
    private final Component[] components;
    private final Set<String> names = new LinkedHashSet<>();
    private volatile @Nullable T empty; // one for all, since most records of most objects are empty

    private RecordMapper(Class<T> type) {
        RecordComponent[] parts = type.getRecordComponents();
        Class<?>[] types = new Class<?>[parts.length];
        components = new Component[parts.length];
        for (int i = 0; i < parts.length; i++) {
            types[i] = parts[i].getType();
            components[i] = new Component(
                    parts[i].getName(), parts[i].getAccessor(), isInlineSource(parts[i]), mapper(parts[i]));
            names.add(parts[i].getName());
        }
        try {
            constructor = type.getDeclaredConstructor(types);
        } catch (NoSuchMethodException e) {
            throw new IllegalArgumentException(type + " is no record", e);
        }
    }

    private static FieldMapper mapper(RecordComponent component) {
        if (component.isAnnotationPresent(MicroTime.class)) {
            return FieldMappers.microTime();
        }
        return component.isAnnotationPresent(Required.class)
                ? FieldMappers.requiredText()
                : FieldMapper.of(component.getGenericType());
    }

    @SuppressWarnings("unchecked") // a mapper is stored under its own type
    static <T> RecordMapper<T> of(Class<T> type) {
        RecordMapper<?> known = KNOWN.get(type);
        if (known == null) {
            known = new RecordMapper<>(type);
            KNOWN.putIfAbsent(type, known);
        }
        return (RecordMapper<T>) known;
    }

    private static boolean isInlineSource(RecordComponent component) {
        Type type = component.getGenericType();
        return component.getName().equals("source")
                && type instanceof ParameterizedType generic
                && generic.getRawType() == Optional.class
                && generic.getActualTypeArguments()[0] == VolumeSource.class;
    }

    T read(Document document) {
        return read(document.asMap(), JsonPlace.ROOT);
    }

    T read(Map<String, Object> fields, JsonPlace place) {
        if (!fields.isEmpty()) {
            return readFields(fields, place);
        }
        T known = empty;
        if (known == null) {
            known = readFields(fields, place);
            empty = known;
        }
        return known;
    }

    private T readFields(Map<String, Object> fields, JsonPlace place) {
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            Component component = components[i];
            if (component.inlineSource) {
                values[i] = findSource(fields, place);
            } else {
                Object value = fields.get(component.name);
                // Most components are absent, and an absent one is never wrong.
                values[i] = value == null || value == JsonNull.NULL
                        ? component.mapper.read(null, place)
                        : component.mapper.read(value, place.member(component.name));
            }
        }
        return make(values, place);
    }

    private T make(Object[] values, JsonPlace place) {
        try {
            return constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            throw new ModelException(place.toString(), String.valueOf(e.getCause()));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("a record of the model must be public: " + constructor, e);
        }
    }

    @SuppressWarnings("unchecked") // maps in a document have text keys
    private Optional<VolumeSource> findSource(Map<String, Object> fields, JsonPlace place) {
        // First, so that a newer object-valued field beside one of them is not taken for the source.
        for (String known : VolumeSource.POD_TYPES) {
            Object source = fields.get(known);
            if (source instanceof Map<?, ?> attributes) {
                return Optional.of(new VolumeSource(known, Document.of((Map<String, Object>) attributes)));
            } else if (source != null && source != JsonNull.NULL) {
                throw FieldMappers.wrong(place.member(known), JsonType.OBJECT.phrase(), source);
            }
        }
        for (Map.Entry<String, Object> entry : fields.entrySet()) {
            boolean modelled = names.contains(entry.getKey()) || NO_SOURCES.contains(entry.getKey());
            if (!modelled && entry.getValue() instanceof Map<?, ?> attributes) {
                return Optional.of(new VolumeSource(entry.getKey(), Document.of((Map<String, Object>) attributes)));
            }
        }
        return Optional.empty();
    }

    /** The record with the selected fields; the others have the values that absent ones have. */
    T keep(T object, FieldSelection selection) {
        if (selection.isAll()) {
            return object;
        }
        Object[] values = new Object[components.length];
        boolean same = true;
        for (int i = 0; i < components.length; i++) {
            Object value = components[i].get(object);
            values[i] = components[i].keep(value, selection);
            same &= values[i] == value || (isBoxed(value) && values[i].equals(value));
        }
        return same ? object : make(values, JsonPlace.ROOT);
    }

    /** Whether reflection has made it: one that is there already is not always used again. */
    private static boolean isBoxed(Object value) {
        return value instanceof Long || value instanceof Boolean;
    }

    Map<String, Object> write(Object object) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (Component component : components) {
            Object value = component.get(object);
            if (component.inlineSource) {
                ((Optional<?>) value)
                        .map(VolumeSource.class::cast)
                        .ifPresent(source ->
                                fields.put(source.type(), source.attributes().asMap()));
            } else {
                Object written = component.mapper.write(value);
                if (written != null) {
                    fields.put(component.name, written);
                }
            }
        }
        return fields;
    }

    private record Component(String name, Method accessor, boolean inlineSource, FieldMapper mapper) {
        Object get(Object object) {
            try {
                return accessor.invoke(object);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("a record of the model must be public: " + accessor, e);
            }
        }

        Object keep(Object value, FieldSelection selection) {
            if (inlineSource) {
                Optional<?> source = (Optional<?>) value;
                Optional<?> kept = source.map(VolumeSource.class::cast).flatMap(each -> each.keep(selection));
                return kept.equals(source) ? source : kept;
            }
            FieldSelection mine = selection.at(name);
            return mine.isNone() ? mapper.read(null, JsonPlace.ROOT) : mine.isAll() ? value : mapper.keep(value, mine);
        }
    }

    /** How one type of component is read and written. */
    interface FieldMapper {
        /** The component's value; an absent value reads as the type's empty one. */
        Object read(@Nullable Object json, JsonPlace place);

        /** The JSON value; null if the component is empty, and so left out. */
        @Nullable
        Object write(Object value);

        /** The value with the selected fields, of which there is at least one; the same value if nothing is left out. */
        default Object keep(Object value, FieldSelection selection) {
            return value;
        }

        static FieldMapper of(Type type) {
            return FieldMappers.of(type);
        }
    }
}
