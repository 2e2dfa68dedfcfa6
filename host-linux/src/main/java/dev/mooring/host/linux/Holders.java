// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import dev.mooring.host.linux.process.OpenLinks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Which processes keep a mount busy, as far as the links in /proc tell. */
final class Holders {
    private static final int MOST = 5;

    private Holders() {}

    /** A text to append to a message; empty if none was found. */
    static String of(Path mountPoint) {
        List<Path> found;
        try {
            found = new OpenLinks(Path.of("/proc"))
                    .holders(link -> link.target().startsWith(mountPoint), MOST);
        } catch (IOException notReadable) {
            return ""; // the message is true without them
        }
        return found.isEmpty()
                ? ""
                : found.stream()
                        .map(process -> String.valueOf(process.getFileName()))
                        .collect(Collectors.joining(", ", ", held by the processes ", ""));
    }
}
