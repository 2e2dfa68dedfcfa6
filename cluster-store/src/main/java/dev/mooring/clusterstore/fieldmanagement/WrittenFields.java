// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.fieldmanagement;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Fields as {@link FieldsV1} writes them, put down one after the other, each once, and then read from the first to the last. */
final class WrittenFields extends AbstractMap<String, Object> {
    private static final String SELF = ".";

    private final String[] keys;
    private final Object[] values;
    private final boolean self;
    private int size;

    /**
     * Without fields yet.
     *
     * @param most how many there will be at most
     * @param self whether the path itself counts, too
     */
    WrittenFields(int most, boolean self) {
        keys = new String[most + 1];
        values = new Object[most + 1];
        this.self = self;
        if (self) {
            put(SELF, Map.of());
        }
    }

    /** Adds a field that is not there yet. */
    @Override
    public @Nullable Object put(String key, Object value) {
        keys[size] = key;
        values[size] = value;
        size++;
        return null;
    }

    /** The same; nothing if there is nothing below the path, which then needs no mark. */
    Map<String, Object> withoutSelfAlone() {
        return self && size == 1 ? Map.of() : this;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public void forEach(BiConsumer<? super String, ? super Object> action) {
        for (int i = 0; i < size; i++) {
            action.accept(keys[i], values[i]);
        }
    }

    @Override
    public Set<Entry<String, Object>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public int size() {
                return size;
            }

            @Override
            public Iterator<Entry<String, Object>> iterator() {
                return new Iterator<>() {
                    private int at;

                    @Override
                    public boolean hasNext() {
                        return at < size;
                    }

                    @Override
                    public Entry<String, Object> next() {
                        if (!hasNext()) {
                            throw new NoSuchElementException();
                        }
                        at++;
                        return Map.entry(keys[at - 1], values[at - 1]);
                    }
                };
            }
        };
    }
}
