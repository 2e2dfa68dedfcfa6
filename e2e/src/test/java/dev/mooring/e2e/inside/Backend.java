// SPDX-License-Identifier: Apache-2.0
package dev.mooring.e2e.inside;

import java.nio.file.Path;

/** A kind of storage as a test uses it: a server if it needs one, and volumes on it. */
interface Backend {
    /** Its name here. */
    String name();

    /** The plugin that serves it. */
    String plugin();

    /** Starts what serves it, once for all tests of this guest; harmless when it runs. */
    void start();

    /**
     * Makes storage for one volume.
     *
     * @param data a directory of the test's own
     */
    void make(Path data);

    /** The source of the PersistentVolume, and what else of its spec depends on the storage, as YAML in one line. */
    String spec(Path data);

    /** Takes the storage away. */
    void remove(Path data);

    /** Where the file system of the volume begins for a pod; the mount itself. */
    default Path files(Path mounted) {
        return mounted;
    }
}
