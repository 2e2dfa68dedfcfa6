// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import java.nio.file.Path;
import org.apiguardian.api.API;

/**
 * A file or directory that a process of Mooring keeps, with all below it. No volume empties or destroys it or what contains it.
 *
 * @param path where it is, or will be made; absolute, may lead through links
 * @param kind what it holds, in words, such as {@code objects and records}
 * @param owner which process keeps it, in words, such as {@code mooring standalone (process 4711)}
 * @param visible whether volumes may show it and what lies in it, as the mounts of pods, which tools of a node look at; of a place that
 *     they may not show, pods that have a directory above it see an empty one
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record KeptPlace(Path path, String kind, String owner, boolean visible) {
    /** Checks that the path is absolute. */
    public KeptPlace {
        if (!path.isAbsolute()) {
            throw new IllegalArgumentException("the kept place " + path + " is not an absolute path");
        }
    }

    /** For people. */
    @Override
    public String toString() {
        return path + " (" + kind + " of " + owner + ")";
    }
}
