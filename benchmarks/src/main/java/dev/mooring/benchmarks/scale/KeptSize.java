// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.scale;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Quantity;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How many bytes of heap objects of the model take, by the layout of a 64-bit HotSpot with compressed references: the same on every machine.
 * What two objects share counts once. Not thread-safe.
 */
public final class KeptSize {
    private static final int HEADER = 12;
    private static final int ARRAY = 16;
    private static final int REFERENCE = 4;
    private static final int LONG = 8;
    private static final int ALIGNMENT = 8;
    private static final int LARGE_MAP = 16;

    private final Set<Object> counted = Collections.newSetFromMap(new IdentityHashMap<>());
    private long bytes;

    /** The bytes of all that was added. */
    public long bytes() {
        return bytes;
    }

    /** Adds an object and all that hangs on it. */
    public void add(Object object) {
        boolean shared = object instanceof Enum || object instanceof Boolean || object == Quantity.ZERO;
        if (shared || !counted.add(object)) {
            return;
        }
        if (object instanceof String text) {
            boolean latin = text.chars().allMatch(c -> c < 256);
            take(HEADER + REFERENCE + 5);
            take(ARRAY + (latin ? 1 : 2) * text.length());
        } else if (object instanceof Optional<?> optional) {
            optional.ifPresent(value -> {
                take(HEADER + REFERENCE);
                add(value);
            });
        } else if (object instanceof Instant || object instanceof Long) {
            take(HEADER + LONG + REFERENCE);
        } else if (object instanceof Quantity) {
            take(HEADER + 2 * REFERENCE + LONG);
            take(HEADER + 3 * REFERENCE + 2 * LONG); // its BigDecimal
        } else if (object instanceof Document document) {
            take(HEADER + REFERENCE);
            add(document.asMap());
        } else if (object instanceof List<?> list) {
            addList(list);
        } else if (object instanceof Map<?, ?> map) {
            addMap(map);
        } else if (object instanceof Record) {
            addRecord(object);
        } else {
            throw new IllegalArgumentException("no size is known for a " + object.getClass());
        }
    }

    private void addList(List<?> list) {
        if (!list.isEmpty()) {
            take(HEADER + 2 * REFERENCE);
            take(list.size() <= 2 ? 0 : ARRAY + REFERENCE * list.size());
            list.forEach(this::add);
        }
    }

    private void addMap(Map<?, ?> map) {
        if (map.isEmpty()) {
            return;
        }
        String type = map.getClass().getSimpleName();
        if (type.equals("SmallMap") || type.equals("LargeMap")) { // whose table is made when a key is asked for
            take(HEADER + 3 * REFERENCE);
            take(ARRAY + 2 * REFERENCE * map.size());
        } else {
            take(HEADER + 4 * REFERENCE); // unmodifiable
            take(HEADER + 11 * REFERENCE); // hashed and linked
            take(ARRAY + REFERENCE * Math.max(LARGE_MAP, 2 * map.size()));
            map.forEach((key, value) -> take(HEADER + 7 * REFERENCE));
        }
        map.forEach((key, value) -> {
            add(key);
            add(value);
        });
    }

    private void addRecord(Object object) {
        long size = HEADER;
        for (RecordComponent component : object.getClass().getRecordComponents()) {
            Class<?> type = component.getType();
            size += type == long.class || type == double.class ? LONG : type == boolean.class ? 1 : REFERENCE;
            if (!type.isPrimitive()) {
                try {
                    add(component.getAccessor().invoke(object));
                } catch (ReflectiveOperationException e) {
                    throw new IllegalArgumentException("a record of the model is public", e);
                }
            }
        }
        take(size);
    }

    private void take(long size) {
        bytes += (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
}
