// SPDX-License-Identifier: Apache-2.0
package dev.mooring.store.embedded;

import dev.mooring.clusterstore.Commit;
import dev.mooring.clusterstore.EngineException;
import dev.mooring.clusterstore.StoredDocument;
import dev.mooring.clusterstore.customresources.CustomKinds;
import dev.mooring.clusterstore.customresources.CustomResourceDefinition;
import dev.mooring.storage.codec.CodecException;
import dev.mooring.storage.codec.CodecLimits;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ModelException;
import dev.mooring.storage.store.Revision;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The file of a cluster store: every version that is current or that history still needs, each with the revision that made it. A write
 * adds one row; forgetting a step takes away the version before it. For one thread at a time.
 */
final class VersionFile implements AutoCloseable {
    /** Says whose file it is: "MoCS" in ASCII. */
    private static final int APPLICATION_ID = 0x4d6f4353;

    static final List<String> LAYOUTS = List.of("""
            CREATE TABLE version (
                revision INTEGER PRIMARY KEY,
                kind     TEXT NOT NULL,
                removed  INTEGER NOT NULL,
                document BLOB NOT NULL,
                checksum INTEGER NOT NULL
            );
            CREATE TABLE bounds (
                only     INTEGER PRIMARY KEY CHECK (only = 1),
                horizon  INTEGER NOT NULL,
                revision INTEGER NOT NULL
            );
            INSERT INTO bounds VALUES (1, 0, 0)""");

    private static final int MAX_BYTES = 256 << 20;
    private static final int MAX_DEPTH = 220;
    private static final KubernetesJson JSON = KubernetesJson.ofOwnTexts(new CodecLimits(MAX_BYTES, MAX_DEPTH, 0));

    private final DatabaseFile file;
    private static final String DEFINITIONS =
            CustomResourceDefinition.KIND.apiVersion() + "/" + CustomResourceDefinition.KIND.name();

    private final Kinds kinds;
    private final CustomKinds customs;
    private final Map<String, Kind<?>> defined = new HashMap<>();

    private VersionFile(DatabaseFile file, Kinds kinds, CustomKinds customs) {
        this.customs = customs;
        this.file = file;
        this.kinds = kinds;
    }

    /** A step and its document as it is stored. */
    static final class Row {
        private final Commit step;
        private final byte[] document;

        private Row(Commit step, byte[] document) {
            this.step = step;
            this.document = document;
        }

        static Row of(Commit step) {
            return new Row(step, bytes(step.after().document()));
        }

        Versions.Sized sized() {
            return new Versions.Sized(step, document.length);
        }
    }

    static VersionFile open(Path path, Kinds kinds, CustomKinds customs, List<String> layouts) {
        return new VersionFile(DatabaseFile.open("cluster store", path, APPLICATION_ID, layouts), kinds, customs);
    }

    /** UTF-8 knows no half of a surrogate pair; JSON does, if it is escaped. */
    private static byte[] bytes(Document document) {
        String text = JSON.write(document);
        if (StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean pair = Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1));
            if (pair) {
                escaped.append(c).append(text.charAt(++i));
            } else if (Character.isSurrogate(c)) {
                escaped.append(String.format("\\u%04x", (int) c));
            } else {
                escaped.append(c);
            }
        }
        return escaped.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Reads everything. */
    void readInto(Versions versions) {
        try (Statement statement = file.connection().createStatement()) {
            Revision horizon;
            Revision revision;
            try (ResultSet bounds = statement.executeQuery("SELECT horizon, revision FROM bounds")) {
                if (!bounds.next()) {
                    throw file.unusable("it is damaged: its bounds are missing");
                }
                horizon = new Revision(bounds.getLong(1));
                revision = new Revision(bounds.getLong(2));
            }
            learnDefinitions(statement);
            try (ResultSet rows = statement.executeQuery(
                    "SELECT revision, kind, removed, document, checksum FROM version ORDER BY revision")) {
                while (rows.next()) {
                    restore(rows, versions, horizon, revision);
                }
            }
            versions.restoreBounds(horizon, revision);
        } catch (SQLException | IllegalArgumentException e) {
            throw file.unusable(String.valueOf(e.getMessage()), e);
        }
    }

    /** Objects may be older than what is left of the history of their definition. */
    private void learnDefinitions(Statement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery(
                "SELECT document, revision FROM version WHERE kind = '" + DEFINITIONS + "' ORDER BY revision")) {
            while (rows.next()) {
                String source = DEFINITIONS + " of revision " + rows.getLong(2);
                CustomResourceDefinition definition =
                        CustomKinds.accepted(JSON.read(new String(rows.getBytes(1), StandardCharsets.UTF_8), source));
                defined.put(definition.group() + "/" + definition.names().kind(), customs.stored(definition));
            }
        } catch (CodecException e) {
            throw file.unusable("a definition cannot be read: " + e.getMessage(), e);
        }
    }

    private void restore(ResultSet rows, Versions versions, Revision horizon, Revision last) throws SQLException {
        Revision revision = new Revision(rows.getLong(1));
        String kindText = rows.getString(2);
        boolean removed = rows.getBoolean(3);
        byte[] bytes = rows.getBytes(4);
        if (rows.getLong(5) != checksum(revision, kindText, removed, bytes) || revision.isAfter(last)) {
            throw file.unusable("it is damaged: the version of revision " + revision + " is not as it was written");
        }
        StoredDocument object = read(kindText, revision, bytes);
        Optional<StoredDocument> before = versions.get(object.kind(), object.key());
        if (revision.isAfter(horizon)) {
            versions.restoreStep(new Versions.Sized(new Commit(before, object, removed), bytes.length));
        } else if (!removed) {
            versions.restoreObject(object);
        }
    }

    private static String withoutVersion(String kindText) {
        return kindText.replaceFirst("/[^/]*/", "/");
    }

    private StoredDocument read(String kindText, Revision revision, byte[] bytes) {
        int slash = kindText.lastIndexOf('/');
        Kind<?> kind = kinds.byName(kindText.substring(0, Math.max(slash, 0)), kindText.substring(slash + 1))
                .or(() -> Optional.ofNullable(defined.get(withoutVersion(kindText))))
                .orElseThrow(() -> file.unusable("it holds objects of a kind that this program does not know: "
                        + kindText + " (revision " + revision + ")"));
        String source = kindText + " of revision " + revision;
        try {
            return StoredDocument.of(kind, revision, JSON.read(new String(bytes, StandardCharsets.UTF_8), source));
        } catch (CodecException | ModelException e) {
            throw file.unusable(source + " cannot be read: " + e.getMessage(), e);
        }
    }

    /**
     * Writes steps and forgets others, all or nothing.
     *
     * @throws EngineException if that failed; then nothing was written, or the exception says that it is not known
     */
    void write(List<Row> rows, List<Commit> forgotten, Revision horizon, Revision revision) {
        try {
            file.begin();
            insert(rows);
            forget(forgotten);
            moveBounds(horizon, revision);
        } catch (SQLException e) {
            file.rollBack();
            throw failed(e, false);
        }
        try {
            file.commit();
        } catch (SQLException e) {
            file.rollBack();
            throw failed(e, !DatabaseFile.isSurelyUndone(e));
        }
    }

    private void insert(List<Row> rows) throws SQLException {
        try (PreparedStatement insert = connection()
                .prepareStatement(
                        "INSERT INTO version (revision, kind, removed, document, checksum) VALUES (?, ?, ?, ?, ?)")) {
            for (Row row : rows) {
                Commit step = row.step;
                String kind = step.kind().apiVersion() + "/" + step.kind().name();
                insert.setLong(1, step.revision().value());
                insert.setString(2, kind);
                insert.setBoolean(3, step.removed());
                insert.setBytes(4, row.document);
                insert.setLong(5, checksum(step.revision(), kind, step.removed(), row.document));
                insert.executeUpdate();
            }
        }
    }

    private void forget(List<Commit> forgotten) throws SQLException {
        try (PreparedStatement delete = connection().prepareStatement("DELETE FROM version WHERE revision = ?")) {
            for (Commit step : forgotten) {
                if (step.before().isPresent()) {
                    delete.setLong(1, step.before().get().revision().value());
                    delete.executeUpdate();
                }
                if (step.removed()) {
                    delete.setLong(1, step.revision().value());
                    delete.executeUpdate();
                }
            }
        }
    }

    private void moveBounds(Revision horizon, Revision revision) throws SQLException {
        try (PreparedStatement move = connection().prepareStatement("UPDATE bounds SET horizon = ?, revision = ?")) {
            move.setLong(1, horizon.value());
            move.setLong(2, revision.value());
            move.executeUpdate();
        }
    }

    private Connection connection() {
        return file.connection();
    }

    private EngineException failed(SQLException e, boolean maybeApplied) {
        String verb = maybeApplied ? " may not be durable: " : " cannot be written: ";
        return new EngineException("the cluster store " + file.path() + verb + DatabaseFile.reason(e), e, maybeApplied);
    }

    private static long checksum(Revision revision, String kind, boolean removed, byte[] document) {
        CRC32C sum = new CRC32C();
        sum.update((revision + "/" + kind + "/" + removed + "/").getBytes(StandardCharsets.UTF_8));
        sum.update(document);
        return sum.getValue();
    }

    void copyTo(Path target) throws IOException {
        file.copyTo(target);
    }

    @Override
    public void close() {
        file.close();
    }
}
