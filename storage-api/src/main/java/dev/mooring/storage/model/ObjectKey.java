// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.util.Comparator;
import org.apiguardian.api.API;

/**
 * The name of an object within its kind.
 *
 * @param namespace its namespace; empty for cluster-scoped kinds
 * @param name its name
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ObjectKey(String namespace, String name) implements Comparable<ObjectKey> {
    private static final Comparator<ObjectKey> ORDER =
            Comparator.comparing(ObjectKey::namespace).thenComparing(ObjectKey::name);

    /** An object in a namespace. */
    public static ObjectKey of(String namespace, String name) {
        return new ObjectKey(namespace, name);
    }

    /** An object of a cluster-scoped kind. */
    public static ObjectKey cluster(String name) {
        return new ObjectKey("", name);
    }

    /** The name of an object. */
    public static ObjectKey of(KubernetesObject object) {
        return new ObjectKey(object.metadata().namespace(), object.metadata().name());
    }

    @Override
    public int compareTo(ObjectKey other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }
}
