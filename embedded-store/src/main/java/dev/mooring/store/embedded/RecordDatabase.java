// SPDX-License-Identifier: Apache-2.0
package dev.mooring.store.embedded;

import dev.mooring.clusterstore.DocumentStore;
import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/** The file of a record log: one row per key, in the order in which the keys were last written. For one thread at a time. */
final class RecordDatabase {
    /** Says whose file it is: "MoRL" in ASCII. */
    private static final int APPLICATION_ID = 0x4d6f524c;

    private static final String SCHEMA = """
            CREATE TABLE record (
                sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                key      TEXT NOT NULL UNIQUE,
                entry    TEXT NOT NULL,
                checksum INTEGER NOT NULL
            )""";

    /** The key of a row that only makes the file and its journal larger. */
    private static final String ROOM = "";

    private static final int ROOM_BYTES = 256 << 10;
    /** Half of the room. */
    private static final int FEW_PAGES = 32;
    /** What a disk has left if something new may begin on it: more than the room, and than what begins at the same time. */
    private static final long LEFT_BYTES = 1 << 20;

    private final DatabaseFile file;
    private boolean full;

    private RecordDatabase(DatabaseFile file) {
        this.file = file;
    }

    /**
     * An entry in the words of the file.
     *
     * @param key the entry's key
     * @param text the entry; empty if nothing shall be left of it
     */
    record Line(String key, String text) {
        static Line of(RecordEntry entry) {
            return new Line(entry.key(), entry.phase() == RecordPhase.GONE ? "" : RecordText.write(entry));
        }
    }

    static RecordDatabase open(Path path) {
        RecordDatabase database =
                new RecordDatabase(DatabaseFile.open("record log", path, APPLICATION_ID, List.of(SCHEMA)));
        database.makeRoom();
        return database;
    }

    /**
     * Makes the file and its journal large enough for what ends on a full disk. SQLite keeps pages that were freed, and writes to its journal
     * from the beginning after a checkpoint, so that neither of them grows then. The file grows here only: what the journal alone has of a
     * file that grew could not be brought into it on a full disk.
     */
    private void makeRoom() {
        Line room = new Line(ROOM, "0".repeat(ROOM_BYTES));
        if (attempt(List.of(room)).isDone()
                && attempt(List.of(new Line(ROOM, ""))).isDone()) {
            boolean unused = file.restartJournal(); // a write that finds the disk full tries it again
        }
    }

    /** Whether the disk has space for what is new: the room is for what ends. */
    boolean maySomethingBegin() {
        return file.path().toFile().getUsableSpace() >= LEFT_BYTES;
    }

    Outcome<Nothing> nothingMayBegin() {
        return Outcome.deferred("the record log " + file.path() + " takes nothing new, as " + DocumentStore.DISK_FULL
                + ": make room on it");
    }

    /** Writes lines in one step: all of them are durable afterwards, or the outcome says that it is not known. */
    Outcome<Nothing> write(List<Line> lines) {
        Outcome<Nothing> outcome = attempt(lines);
        if (full && file.restartJournal()) {
            outcome = attempt(lines);
        }
        if (outcome.isDone() && file.freePages() < FEW_PAGES && maySomethingBegin()) {
            makeRoom();
            full = false;
        }
        return outcome;
    }

    /** Whether the last write found the disk full. */
    boolean isFull() {
        return full;
    }

    private Outcome<Nothing> attempt(List<Line> lines) {
        full = false;
        try {
            file.begin();
            try (PreparedStatement forget = file.connection().prepareStatement("DELETE FROM record WHERE key = ?");
                    PreparedStatement insert = file.connection()
                            .prepareStatement("INSERT INTO record (key, entry, checksum) VALUES (?, ?, ?)")) {
                for (Line line : lines) {
                    forget.setString(1, line.key());
                    forget.executeUpdate();
                    if (!line.text().isEmpty()) {
                        insert(insert, line);
                    }
                }
            }
        } catch (SQLException e) {
            file.rollBack();
            full = DatabaseFile.isFull(e);
            return notWritten(e);
        }
        try {
            file.commit();
            return Outcome.done();
        } catch (SQLException e) {
            file.rollBack();
            full = DatabaseFile.isFull(e);
            return DatabaseFile.isSurelyUndone(e)
                    ? notWritten(e)
                    : Outcome.uncertain(
                            "the record log " + file.path() + " may not be durable: " + DatabaseFile.reason(e));
        }
    }

    private static void insert(PreparedStatement insert, Line line) throws SQLException {
        insert.setString(1, line.key());
        insert.setString(2, line.text());
        insert.setLong(3, checksum(line.key(), line.text()));
        insert.executeUpdate();
    }

    private Outcome<Nothing> notWritten(SQLException e) {
        return Outcome.deferred("the record log " + file.path() + " cannot be written: " + DatabaseFile.reason(e));
    }

    List<RecordEntry> read() {
        List<RecordEntry> entries = new ArrayList<>();
        try (Statement statement = file.connection().createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT key, entry, checksum FROM record WHERE key <> '' ORDER BY sequence")) {
            while (rows.next()) {
                String key = rows.getString(1);
                String text = rows.getString(2);
                if (rows.getLong(3) != checksum(key, text)) {
                    throw file.unusable("the entry " + key + " is damaged");
                }
                entries.add(RecordText.read(text, file.path() + ", entry " + key));
            }
        } catch (SQLException e) {
            throw file.unusable(String.valueOf(e.getMessage()), e);
        } catch (IllegalArgumentException e) {
            throw file.unusable(String.valueOf(e.getMessage()), e);
        }
        return List.copyOf(entries);
    }

    void close() {
        file.close();
    }

    private static long checksum(String key, String text) {
        CRC32C sum = new CRC32C();
        sum.update(key.getBytes(StandardCharsets.UTF_8));
        sum.update(0);
        sum.update(text.getBytes(StandardCharsets.UTF_8));
        return sum.getValue();
    }
}
