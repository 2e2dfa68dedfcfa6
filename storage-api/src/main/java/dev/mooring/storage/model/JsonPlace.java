// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import org.jspecify.annotations.Nullable;

/**
 * Where a value stands in a document that is read. Its text, such as {@code spec.capacity.storage}, is made only for what is wrong: for
 * 100,000 values it would cost more than all else.
 */
final class JsonPlace {
    static final JsonPlace ROOT = new JsonPlace(null, "", -1);

    private final @Nullable JsonPlace parent;
    private final String key;
    private final int index;

    private JsonPlace(@Nullable JsonPlace parent, String key, int index) {
        this.parent = parent;
        this.key = key;
        this.index = index;
    }

    JsonPlace member(String name) {
        return new JsonPlace(this, name, -1);
    }

    JsonPlace element(int at) {
        return new JsonPlace(this, "", at);
    }

    /** The keys from the root, with points between them, and places in lists in brackets. */
    @Override
    public String toString() {
        if (parent == null) {
            return "";
        }
        String before = parent.toString();
        return index >= 0 ? before + "[" + index + "]" : before.isEmpty() ? key : before + "." + key;
    }
}
