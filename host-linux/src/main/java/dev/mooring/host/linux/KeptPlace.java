// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import java.nio.file.Path;
import org.apiguardian.api.API;

/**
 * A file or directory that a process of Mooring keeps for itself, with all below it.
 *
 * @param path where it is, or will be made; absolute, may lead through links
 * @param kind what it holds, in words, such as {@code objects and records}
 * @param owner which process keeps it, in words, such as {@code mooring standalone (process 4711)}
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record KeptPlace(Path path, String kind, String owner) {
    /** Checks that the path is absolute. */
    public KeptPlace {
        if (!path.isAbsolute()) {
            throw new IllegalArgumentException("the kept place " + path + " is not an absolute path");
        }
    }

    /** For messages, after a preposition: {@code /var/lib/mooring/access (keys and tokens of mooring standalone (process 4711))}. */
    @Override
    public String toString() {
        return path + " (" + kind + " of " + owner + ")";
    }
}
