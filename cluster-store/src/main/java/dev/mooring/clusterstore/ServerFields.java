// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The fields that are the server's: identity, versions, times. Pure functions. */
final class ServerFields {
    private static final String STATUS = "status";
    private static final String[] FIXED = {"uid", "deletionGracePeriodSeconds"};

    /** Of these kinds Kubernetes keeps only the spec from a write of the status; of attachments and custom resources, metadata too. */
    private static final Set<Kind<?>> METADATA_WITH_STATUS =
            Set.of(Kinds.NAMESPACE, Kinds.NODE, Kinds.PERSISTENT_VOLUME, Kinds.PERSISTENT_VOLUME_CLAIM, Kinds.POD);

    private ServerFields() {}

    /** The document with the kind's names in front. */
    static Document typed(Kind<?> kind, Document document) {
        boolean typed = Fields.text(document, "kind").equals(kind.name())
                && Fields.text(document, "apiVersion").equals(kind.apiVersion());
        if (typed) {
            return document;
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("apiVersion", kind.apiVersion());
        fields.put("kind", kind.name());
        document.asMap().forEach(fields::putIfAbsent);
        fields.put("apiVersion", kind.apiVersion());
        fields.put("kind", kind.name());
        return Document.of(fields);
    }

    /**
     * A new object: an identity of its own, no past, and no status if that is a sub-resource. Only a Node has its status from the start, as
     * in Kubernetes, whose kubelets register with it.
     */
    static Document created(Kind<?> kind, Document wanted, String name, String uid, Instant now) {
        Document object = wanted.with(name, "metadata", "name")
                .with(uid, "metadata", "uid")
                .with(Fields.timeText(now), "metadata", "creationTimestamp")
                .without("metadata", "deletionTimestamp")
                .without("metadata", "deletionGracePeriodSeconds")
                .without("metadata", "generation");
        if (Fields.isSet(object, "spec")) {
            object = object.with(1L, "metadata", "generation");
        }
        return kind.hasStatus() && !kind.equals(Kinds.NODE) ? object.without(STATUS) : object;
    }

    /** A changed object: what a client left out of the server's fields is as before; so is the part that is not written. */
    static Document changed(Kind<?> kind, Document before, Document wanted, boolean statusOnly) {
        Document object = statusOnly
                ? withStatus(kind, before, wanted)
                : kind.hasStatus() ? copied(before, wanted, STATUS) : wanted;
        for (String field : FIXED) {
            if (!Fields.isSet(object, "metadata", field)) {
                object = copied(before, object, "metadata", field);
            }
        }
        if (Fields.isDeleting(before) || !Fields.isSet(object, "metadata", "deletionTimestamp")) {
            object = copied(before, object, "metadata", "deletionTimestamp");
        }
        // Those of another object's manifest mean nothing here, as with Kubernetes.
        object = copied(before, object, "metadata", "creationTimestamp");
        object = copied(before, object, "metadata", "generation");
        object = copied(before, object, "metadata", "managedFields");
        return copied(before, object, "metadata", "resourceVersion");
    }

    private static Document withStatus(Kind<?> kind, Document before, Document wanted) {
        Document object = copied(wanted, before, STATUS);
        if (!METADATA_WITH_STATUS.contains(kind)) {
            return object;
        }
        object = copied(wanted, object, "metadata");
        if (kind != Kinds.POD) {
            return object;
        }
        // Kubelets report pods by whole objects, and old ones garble these.
        object = copied(before, object, "metadata", "ownerReferences");
        return copied(before, object, "metadata", "deletionTimestamp");
    }

    /** The target with the source's value at a path, or without one if the source has none. */
    private static Document copied(Document source, Document target, String... path) {
        Optional<Object> value = source.at(path);
        if (value.equals(target.at(path))) {
            return target;
        }
        return value.map(each -> target.with(each, path)).orElseGet(() -> target.without(path));
    }

    /** Counts a change of a custom resource: of everything but its metadata, and its status if that is a sub-resource. */
    static Document countedWhole(Kind<?> kind, Document before, Document after) {
        return counts(kind, before).equals(counts(kind, after)) ? after : nextGeneration(before, after);
    }

    private static Document counts(Kind<?> kind, Document object) {
        Document rest = object.without("metadata").without("apiVersion");
        return kind.hasStatus() ? rest.without(STATUS) : rest;
    }

    /** Counts a change of the spec. */
    static Document counted(Document before, Document after) {
        return before.at("spec").equals(after.at("spec")) ? after : nextGeneration(before, after);
    }

    /** The next generation. */
    static Document nextGeneration(Document before, Document after) {
        long generation = Fields.integer(before, "metadata", "generation").orElse(0L);
        return after.with(generation + 1, "metadata", "generation");
    }

    /** The name of an object within its kind. */
    static ObjectKey key(Document document) {
        return ObjectKey.of(Fields.namespace(document), Fields.name(document));
    }
}
