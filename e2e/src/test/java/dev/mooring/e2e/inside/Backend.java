// SPDX-License-Identifier: Apache-2.0
package dev.mooring.e2e.inside;

import java.nio.file.Path;

/** A kind of storage as a test uses it: a server if it needs one, and volumes on it. */
interface Backend {
    /** The plugin that serves it. */
    String plugin();

    /** Starts what serves it; harmless when it runs. */
    default void start() {}

    /**
     * Makes storage for one volume.
     *
     * @param data a directory of the test's own
     */
    void make(Path data);

    /** The source of the PersistentVolume, and what else of its spec depends on the storage, as YAML in one line. */
    String spec(Path data);

    /** Objects that the source refers to, as YAML; empty if there are none. */
    default String objects() {
        return "";
    }

    /** Takes the storage away, when no pod uses it any more. */
    default void remove(Path data) {}

    /** How the volume is shown to pods: {@code Filesystem} or {@code Block}. */
    default String mode() {
        return "Filesystem";
    }

    /** Whether it has to be attached to a node. */
    default boolean attached() {
        return false;
    }
}
