// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.schema;

import dev.mooring.clusterstore.schema.FieldType.Structure;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Where a value stands, in an object that is read: made for what holds others, and for what is wrong.
 *
 * @param parent null at the root
 * @param key the field or the key; empty in a list and at the root
 * @param index the place in a list, else -1
 */
record FieldPlace(@Nullable Within parent, String key, int index) {
    static final FieldPlace ROOT = new FieldPlace(null, "", -1);

    /**
     * The inside of a value that holds others.
     *
     * @param structure whose fields they are; null of a list or a mapping
     */
    record Within(FieldPlace place, @Nullable Structure structure) {
        FieldPlace child(String key, int index) {
            return new FieldPlace(this, key, index);
        }

        FieldPlace field(String name) {
            return child(name, -1);
        }
    }

    Within inside(Structure structure) {
        return new Within(this, structure);
    }

    Within inside() {
        return new Within(this, null);
    }

    /** Of all fields, keys and places: {@code spec.containers[0].env[1].value}. */
    String path() {
        if (parent == null) {
            return "";
        }
        String before = parent.place().path();
        return index >= 0 ? before + "[" + index + "]" : before.isEmpty() ? key : before + "." + key;
    }

    /** As Go names it: of the innermost structure the name, and of the structures on the way the fields, without keys and places. */
    String goField() {
        Deque<String> fields = new ArrayDeque<>();
        String struct = "";
        for (FieldPlace at = this; at.parent() != null; at = at.parent().place()) {
            Structure structure = at.parent().structure();
            if (structure != null) {
                fields.addFirst(at.key());
                struct = struct.isEmpty() ? structure.simpleName() : struct;
            }
        }
        return struct + "." + String.join(".", fields);
    }
}
