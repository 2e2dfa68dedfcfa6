// SPDX-License-Identifier: Apache-2.0
package dev.mooring.store.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The first bytes of a SQLite file, from which it is told whose it is without opening it: SQLite's own way changes the file.
 *
 * @param applicationId who made it; 0 if that was not said
 * @param hasTables whether there is anything in it
 */
record FileStart(int applicationId, boolean hasTables) {
    private static final byte[] MAGIC = "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII);
    private static final int APPLICATION_ID_AT = 68;
    /** Where the header ends and the first page of the schema begins: its type, and behind that the number of its entries. */
    private static final int SCHEMA_AT = 100;

    private static final int ENTRIES_AT = SCHEMA_AT + 3;
    private static final int LENGTH = ENTRIES_AT + 2;
    private static final byte LEAF = 0x0d;

    /** What a file begins with; empty if it is not there, cannot be read or is no database. */
    static Optional<FileStart> of(Path path) {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(path)) {
            bytes = in.readNBytes(LENGTH);
        } catch (IOException e) {
            return Optional.empty(); // opening it says why
        }
        ByteBuffer start = ByteBuffer.wrap(bytes);
        if (bytes.length < LENGTH || !start.slice(0, MAGIC.length).equals(ByteBuffer.wrap(MAGIC))) {
            return Optional.empty();
        }
        boolean empty = start.get(SCHEMA_AT) == LEAF && start.getShort(ENTRIES_AT) == 0;
        return Optional.of(new FileStart(start.getInt(APPLICATION_ID_AT), !empty));
    }

    /** Whether it is surely another program's. An empty one may be that of a first start that was cut short. */
    boolean isForeignTo(int ownId) {
        return applicationId != ownId && (applicationId != 0 || hasTables);
    }
}
