// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import dev.mooring.storage.model.ObjectKey;
import java.util.Comparator;
import org.apiguardian.api.API;

/**
 * What one decision is about: an object, or an aspect of it, within one controller.
 *
 * @param type what kind of thing, such as {@code claim}
 * @param object its name
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Key(String type, ObjectKey object) implements Comparable<Key> {
    private static final Comparator<Key> ORDER = Comparator.comparing(Key::type).thenComparing(Key::object);

    @Override
    public int compareTo(Key other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return type + " " + object;
    }
}
