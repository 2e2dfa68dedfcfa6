// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.FieldSelection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * A kind of object: its names and how its documents are read and written. Compared by identity; {@link Kinds} holds the known ones.
 * Immutable.
 *
 * @param <T> the Java type
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Kind<T extends KubernetesObject> {
    private final String group;
    private final String version;
    private final String name;
    private final String plural;
    private final boolean namespaced;
    private final boolean hasStatus;
    private final Class<T> type;
    private final RecordMapper<T> mapper;

    /**
     * Makes a kind.
     *
     * @param group API group; empty for the core group
     * @param version API version, such as {@code v1}
     * @param name the name in documents, such as {@code PersistentVolume}
     * @param plural the name in paths, such as {@code persistentvolumes}
     * @param namespaced whether its objects live in namespaces
     * @param hasStatus whether the status is a sub-resource
     * @param type a public record in an exported package whose component names are field names
     */
    public Kind(
            String group,
            String version,
            String name,
            String plural,
            boolean namespaced,
            boolean hasStatus,
            Class<T> type) {
        this.group = group;
        this.version = version;
        this.name = name;
        this.plural = plural;
        this.namespaced = namespaced;
        this.hasStatus = hasStatus;
        this.type = type;
        this.mapper = RecordMapper.of(type);
    }

    /** API group; empty for the core group. */
    public String group() {
        return group;
    }

    /** API version within the group. */
    public String version() {
        return version;
    }

    /** Group and version as documents have it. */
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** The name in documents. */
    public String name() {
        return name;
    }

    /** The name in paths. */
    public String plural() {
        return plural;
    }

    /** Whether its objects live in namespaces. */
    public boolean namespaced() {
        return namespaced;
    }

    /** Whether the status is a sub-resource. */
    public boolean hasStatus() {
        return hasStatus;
    }

    /** The Java type. */
    public Class<T> type() {
        return type;
    }

    /**
     * Reads an object; what the type does not know is left aside.
     *
     * @throws ModelException if a known field is of a wrong type
     */
    public T read(Document document) {
        return mapper.read(document);
    }

    /** The object with the selected fields only; the others read as absent. The same object if it has no others. */
    public T keep(T object, FieldSelection selection) {
        return mapper.keep(object, selection);
    }

    /** Writes an object with apiVersion and kind; absent fields are left out. */
    public Document write(T object) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("apiVersion", apiVersion());
        fields.put("kind", name);
        fields.putAll(mapper.write(object));
        return Document.of(fields);
    }

    @Override
    public String toString() {
        return name;
    }
}
