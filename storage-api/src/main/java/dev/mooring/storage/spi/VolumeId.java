// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import org.apiguardian.api.API;

/**
 * What makes a volume this volume: two volume objects with equal identity are the same storage. {@link StoragePlugin#identify} gives it;
 * it is kept in records, so that undoing never depends on guessing it again.
 *
 * @param plugin whose volume it is
 * @param backend normalised name of the storage within the plugin, such as {@code server/export}; one that begins with {@code /} is a path
 *     of the node, whichever plugin's volume it is
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record VolumeId(PluginName plugin, String backend) {
    /** Checks that there is a back-end name. */
    public VolumeId {
        if (backend.isEmpty()) {
            throw new IllegalArgumentException("a volume identity of " + plugin + " needs a back-end name");
        }
    }

    /**
     * Whether one is, contains or lies in the storage of the other: the back-end names are equal, or one is the other's prefix up to a
     * {@code /} (semantics/plugins §2.8). Names of different plugins are compared only if both are paths of the node. Where that says too
     * much, a person is asked.
     */
    public boolean overlaps(VolumeId other) {
        return contains(other) || other.contains(this);
    }

    /** Whether the storage of the other is this one's or lies in it, judged as {@link #overlaps} does. */
    public boolean contains(VolumeId other) {
        boolean comparable = plugin.equals(other.plugin) || (backend.startsWith("/") && other.backend.startsWith("/"));
        return comparable && isWithin(other.backend, backend);
    }

    private static boolean isWithin(String inner, String outer) {
        return inner.equals(outer) || inner.startsWith(outer.endsWith("/") ? outer : outer + "/");
    }

    @Override
    public String toString() {
        return plugin + "/" + backend;
    }
}
