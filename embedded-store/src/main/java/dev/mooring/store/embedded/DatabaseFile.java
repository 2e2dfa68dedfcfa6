// SPDX-License-Identifier: Apache-2.0
package dev.mooring.store.embedded;

import dev.mooring.clusterstore.DocumentStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.JournalMode;
import org.sqlite.SQLiteConfig.LockingMode;
import org.sqlite.SQLiteConfig.SynchronousMode;
import org.sqlite.SQLiteDataSource;
import org.sqlite.SQLiteErrorCode;

/**
 * A SQLite file that is ours alone: opened, told from other files, checked and brought to the present layout. Whatever is wrong with it,
 * it is named and left as it is. For one thread at a time.
 */
final class DatabaseFile implements AutoCloseable {
    private static final int JOURNAL_BYTES = 64 << 20;
    private static final List<String> JOURNALS = List.of("-wal", "-shm", "-journal");

    private final String what;
    private final Path path;
    private final Connection connection;

    private DatabaseFile(String what, Path path, Connection connection) {
        this.what = what;
        this.path = path;
        this.connection = connection;
    }

    /**
     * Opens a file, or begins one.
     *
     * @param what what it is, for messages; without article
     * @param applicationId says whose file it is
     * @param layouts the first makes an empty file one of version 1, each other one makes the next version of the one before; statements
     *     are separated by semicolons
     */
    static DatabaseFile open(String what, Path path, int applicationId, List<String> layouts) {
        // Opening it would write to it: the way in which the journal is kept is noted in the file.
        if (FileStart.of(path).filter(start -> start.isForeignTo(applicationId)).isPresent()) {
            throw unusable(what, path, "it is a database, but not a " + what, null);
        }
        keepPrivate(what, path);
        SQLiteDataSource source = new SQLiteDataSource(settings());
        source.setUrl("jdbc:sqlite:" + path);
        try {
            DatabaseFile file = new DatabaseFile(what, path, source.getConnection());
            try {
                file.prepare(applicationId, layouts);
            } catch (SQLException | RuntimeException e) {
                file.close();
                throw e;
            }
            return file;
        } catch (SQLException e) {
            throw unusable(what, path, e.getMessage() + hint(e), e);
        }
    }

    /** Secrets lie in it, and SQLite would give it the mode of any file. Its journals get the mode that it has. */
    private static void keepPrivate(String what, Path path) {
        try {
            OwnersFile.make(path);
            for (String journal : JOURNALS) {
                OwnersFile.tighten(path.resolveSibling(path.getFileName() + journal));
            }
        } catch (IOException e) {
            throw unusable(what, path, "it cannot be made readable for its owner alone: " + e.getMessage(), e);
        }
    }

    private static SQLiteConfig settings() {
        SQLiteConfig settings = new SQLiteConfig();
        settings.setJournalMode(JournalMode.WAL);
        settings.setSynchronous(SynchronousMode.FULL);
        settings.setLockingMode(LockingMode.EXCLUSIVE);
        settings.setJournalSizeLimit(JOURNAL_BYTES);
        settings.setBusyTimeout(0);
        return settings;
    }

    private static String hint(SQLException e) {
        return e.getErrorCode() == SQLiteErrorCode.SQLITE_BUSY.code
                ? ": another process has it open; end that one, or take another directory"
                : "";
    }

    private void prepare(int applicationId, List<String> layouts) throws SQLException {
        boolean empty = number("PRAGMA application_id") == 0 && number("SELECT count(*) FROM sqlite_schema") == 0;
        // An empty database has no owner, or is that of a first start that was cut short.
        if (!empty && number("PRAGMA application_id") != applicationId) {
            throw unusable("it is a database, but not a " + what); // one that only its journal tells of
        }
        long version = empty ? 0 : number("PRAGMA user_version");
        if (version > layouts.size()) {
            throw unusable("its version is " + version + ", and this program knows versions up to " + layouts.size()
                    + ": use the newer program that wrote it");
        }
        if (!empty) {
            String check = text("PRAGMA quick_check(1)");
            if (!check.equals("ok")) {
                throw unusable("it is damaged: " + check);
            }
        }
        for (int next = (int) version; next < layouts.size(); next++) {
            changeLayout(applicationId, layouts.get(next), next + 1);
        }
        syncDirectoryOf(path);
    }

    private void changeLayout(int applicationId, String statements, int version) throws SQLException {
        begin();
        for (String statement : statements.split(";", -1)) {
            if (!statement.isBlank()) {
                execute(statement);
            }
        }
        execute("PRAGMA application_id = " + applicationId);
        execute("PRAGMA user_version = " + version);
        commit();
    }

    private void syncDirectoryOf(Path file) {
        Path directory = file.toAbsolutePath().getParent();
        if (directory != null) {
            sync(directory);
        }
    }

    private void sync(Path target) {
        try (FileChannel channel = FileChannel.open(target, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) {
            throw unusable(what, path, target + " cannot be made durable: " + e.getMessage(), e);
        }
    }

    Connection connection() {
        return connection;
    }

    Path path() {
        return path;
    }

    /**
     * Copies the file as it is now to a new one, which is durable afterwards and for its owner alone. Whatever fails, nothing is there by the name of the target; a
     * process that is killed leaves a file of that name with ".part" at its end, which the next copy to the target replaces.
     *
     * @throws IOException if the target exists or cannot be written
     */
    void copyTo(Path target) throws IOException {
        if (Files.exists(target)) {
            throw new FileAlreadyExistsException(target + " exists");
        }
        Path part = target.resolveSibling(target.getFileName() + ".part");
        Files.deleteIfExists(part);
        OwnersFile.make(part); // SQLite takes one that is empty
        try {
            copy(part, target);
            Files.move(part, target);
        } finally {
            Files.deleteIfExists(part);
        }
        syncDirectoryOf(target);
    }

    private void copy(Path part, Path target) throws IOException {
        try (PreparedStatement copy = connection.prepareStatement("VACUUM INTO ?")) {
            copy.setString(1, part.toString());
            copy.executeUpdate();
        } catch (SQLException e) {
            throw new IOException(path + " cannot be copied to " + target + ": " + copyFailure(e), e);
        }
        try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    private static String copyFailure(SQLException e) {
        if (isFull(e)) {
            return DocumentStore.DISK_FULL;
        }
        return isOf(e, SQLiteErrorCode.SQLITE_CANTOPEN) || isOf(e, SQLiteErrorCode.SQLITE_READONLY)
                ? "its directory is missing or cannot be written (" + e.getMessage() + ")"
                : String.valueOf(e.getMessage());
    }

    /** An extended code has more than the plain one in its upper bits. */
    private static boolean isOf(SQLException e, SQLiteErrorCode code) {
        return (e.getErrorCode() & 0xff) == code.code;
    }

    /** Begins a transaction. By statement: the driver's own way loses count when SQLite rolls back by itself, as it does on a full disk. */
    void begin() throws SQLException {
        execute("BEGIN IMMEDIATE");
    }

    void commit() throws SQLException {
        execute("COMMIT");
    }

    void rollBack() {
        try {
            execute("ROLLBACK");
        } catch (SQLException ignored) {
            // SQLite has done so already, or the next process will.
        }
    }

    /** Brings what the journal holds into the file: the next write begins the journal from its start. False if that failed. */
    boolean restartJournal() {
        try {
            execute("PRAGMA wal_checkpoint(RESTART)");
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    /** How many pages of the file are free. */
    long freePages() {
        try {
            return number("PRAGMA freelist_count");
        } catch (SQLException e) {
            return Long.MAX_VALUE; // the file is closed or the disk fails, which the next write says
        }
    }

    static boolean isFull(SQLException e) {
        return e.getErrorCode() == SQLiteErrorCode.SQLITE_FULL.code;
    }

    /** Whether a commit that failed with this left surely no trace: the part that makes it count was not written. */
    static boolean isSurelyUndone(SQLException e) {
        return isFull(e) || e.getErrorCode() == SQLiteErrorCode.SQLITE_READONLY.code;
    }

    /** What failed, in words. */
    static String reason(SQLException e) {
        if (isFull(e)) {
            return DocumentStore.DISK_FULL + ": make room on it, and writes are taken again";
        }
        return e.getMessage() + ": the disk fails or has become read-only, as the kernel's log says; reads go on";
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

    UncheckedIOException unusable(String why) {
        return unusable(what, path, why, null);
    }

    UncheckedIOException unusable(String why, Throwable cause) {
        return unusable(what, path, why, cause);
    }

    private static UncheckedIOException unusable(String what, Path path, String why, @Nullable Throwable cause) {
        String message = "the " + what + " " + path + " cannot be used: " + why;
        return new UncheckedIOException(message, new IOException(message, cause));
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw unusable("it cannot be closed: " + e.getMessage(), e);
        }
    }
}
