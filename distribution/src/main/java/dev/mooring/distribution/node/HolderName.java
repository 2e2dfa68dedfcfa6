// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.node;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
        if (!Files.exists(file)) {
            try {
                String name = PREFIX + Long.toHexString(new SecureRandom().nextLong());
                Files.writeString(file, name + "\n", StandardOpenOption.CREATE_NEW);
            } catch (FileAlreadyExistsException e) {
                return Files.readString(file).strip();
            }
        }
        return Files.readString(file).strip();
    }
}
