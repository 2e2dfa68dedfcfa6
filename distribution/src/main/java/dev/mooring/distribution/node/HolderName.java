// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.node;

import dev.mooring.apiserver.file.PrivateFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;

/**
 * Under which name an agent holds its Node's lease: made once per data directory, so that the agent knows its own lease again after a
 * restart, and two agents that were given one Node by mistake know that they are two.
 */
final class HolderName {
    private static final String PREFIX = "mooring-node_";

    private HolderName() {}

    /** The name that belongs to a data directory, made now if it has none. */
    static String in(Path data) throws IOException {
        Path file = data.resolve("holder");
        String kept = Files.exists(file) ? Files.readString(file).strip() : "";
        if (!kept.isEmpty()) {
            return kept;
        }
        // Whole or not at all: to an agent without a name no other agent would be foreign.
        String made = PREFIX + Long.toHexString(new SecureRandom().nextLong()) + "\n";
        PrivateFile.write(file, made.getBytes(StandardCharsets.US_ASCII));
        return Files.readString(file).strip();
    }
}
