// SPDX-License-Identifier: Apache-2.0
package dev.mooring.store.embedded;

import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.JournalMode;
import org.sqlite.SQLiteConfig.LockingMode;
import org.sqlite.SQLiteConfig.SynchronousMode;
import org.sqlite.SQLiteDataSource;

/** The file of a record log: one row per key, in the order in which the keys were last written. For one thread at a time. */
final class RecordDatabase {
    /** Says whose file it is: "MoRL" in ASCII. */
    private static final int APPLICATION_ID = 0x4d6f524c;

    private static final int VERSION = 1;
    private static final String SCHEMA = """
            CREATE TABLE record (
                sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                key      TEXT NOT NULL UNIQUE,
                entry    TEXT NOT NULL,
                checksum INTEGER NOT NULL
            )""";

    private final Path file;
    private final Connection connection;

    private RecordDatabase(Path file, Connection connection) {
        this.file = file;
        this.connection = connection;
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

    static RecordDatabase open(Path file) {
        SQLiteDataSource source = new SQLiteDataSource(settings());
        source.setUrl("jdbc:sqlite:" + file);
        try {
            RecordDatabase database = new RecordDatabase(file, source.getConnection());
            try {
                database.prepare();
                database.syncDirectory();
            } catch (SQLException | RuntimeException e) {
                database.close();
                throw e;
            }
            return database;
        } catch (SQLException e) {
            throw unusable(file, e.getMessage() + hint(e), e);
        }
    }

    private static SQLiteConfig settings() {
        SQLiteConfig settings = new SQLiteConfig();
        settings.setJournalMode(JournalMode.WAL);
        settings.setSynchronous(SynchronousMode.FULL);
        settings.setLockingMode(LockingMode.EXCLUSIVE);
        settings.setBusyTimeout(0);
        return settings;
    }

    private static String hint(SQLException e) {
        return e.getErrorCode() == org.sqlite.SQLiteErrorCode.SQLITE_BUSY.code
                ? ": another process of this node has it open"
                : "";
    }

    private void prepare() throws SQLException {
        if (number("PRAGMA application_id") == 0 && number("SELECT count(*) FROM sqlite_schema") == 0) {
            create(); // nobody's, or that of a first start that was cut short
            return;
        }
        if (number("PRAGMA application_id") != APPLICATION_ID) {
            throw unusable(file, "it is a database, but not a record log", null);
        }
        long version = number("PRAGMA user_version");
        if (version != VERSION) {
            throw unusable(
                    file, "its version is " + version + ", and this program knows version " + VERSION + " only", null);
        }
        String check = text("PRAGMA quick_check(1)");
        if (!check.equals("ok")) {
            throw unusable(file, "it is damaged: " + check, null);
        }
    }

    private void create() throws SQLException {
        connection.setAutoCommit(false);
        execute(SCHEMA);
        execute("PRAGMA application_id = " + APPLICATION_ID);
        execute("PRAGMA user_version = " + VERSION);
        connection.commit();
        connection.setAutoCommit(true);
    }

    /** The file's own name has to be durable too. */
    private void syncDirectory() {
        Path directory = file.toAbsolutePath().getParent();
        if (directory == null) {
            return;
        }
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) {
            throw unusable(file, "its directory cannot be made durable: " + e.getMessage(), e);
        }
    }

    /** Writes lines in one step: all of them are durable afterwards, or the outcome says that it is not known. */
    Outcome<Nothing> write(List<Line> lines) {
        try {
            connection.setAutoCommit(false);
            try (PreparedStatement forget = connection.prepareStatement("DELETE FROM record WHERE key = ?");
                    PreparedStatement insert =
                            connection.prepareStatement("INSERT INTO record (key, entry, checksum) VALUES (?, ?, ?)")) {
                for (Line line : lines) {
                    forget.setString(1, line.key());
                    forget.executeUpdate();
                    if (!line.text().isEmpty()) {
                        insert(insert, line);
                    }
                }
            }
        } catch (SQLException e) {
            rollBack();
            return Outcome.deferred("the node's record log " + file + " cannot be written: " + e.getMessage());
        }
        try {
            connection.commit();
            return Outcome.done();
        } catch (SQLException e) {
            rollBack();
            return Outcome.uncertain("the node's record log " + file + " may not be durable: " + e.getMessage());
        }
    }

    private static void insert(PreparedStatement insert, Line line) throws SQLException {
        insert.setString(1, line.key());
        insert.setString(2, line.text());
        insert.setLong(3, checksum(line.key(), line.text()));
        insert.executeUpdate();
    }

    private void rollBack() {
        try {
            connection.rollback();
        } catch (SQLException ignored) {
            // A transaction that cannot be rolled back is rolled back by the next one, or by the next process.
        }
    }

    List<RecordEntry> read() {
        List<RecordEntry> entries = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT key, entry, checksum FROM record ORDER BY sequence")) {
            while (rows.next()) {
                String key = rows.getString(1);
                String text = rows.getString(2);
                if (rows.getLong(3) != checksum(key, text)) {
                    throw unusable(file, "the entry " + key + " is damaged", null);
                }
                entries.add(RecordText.read(text, file + ", entry " + key));
            }
        } catch (SQLException e) {
            throw unusable(file, e.getMessage(), e);
        } catch (IllegalArgumentException e) {
            throw unusable(file, e.getMessage(), e);
        }
        return List.copyOf(entries);
    }

    void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw unusable(file, "it cannot be closed: " + e.getMessage(), e);
        }
    }

    private long number(String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            return rows.next() ? rows.getLong(1) : 0;
        }
    }

    private String text(String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            return rows.next() ? rows.getString(1) : "";
        }
    }

    private void execute(String command) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(command);
        }
    }

    private static long checksum(String key, String text) {
        CRC32C sum = new CRC32C();
        sum.update(key.getBytes(StandardCharsets.UTF_8));
        sum.update(0);
        sum.update(text.getBytes(StandardCharsets.UTF_8));
        return sum.getValue();
    }

    private static UncheckedIOException unusable(
            Path file,
            @org.jspecify.annotations.Nullable String why,
            @org.jspecify.annotations.Nullable Throwable cause) {
        return new UncheckedIOException(
                new IOException("the node's record log " + file + " cannot be used: " + why, cause));
    }
}
