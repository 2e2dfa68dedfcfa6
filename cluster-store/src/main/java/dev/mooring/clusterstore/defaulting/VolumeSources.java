// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.defaulting;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.JsonNull;
import dev.mooring.storage.model.VolumeSource;
import java.util.List;
import java.util.Map;

/** The fields of volume sources that the API server fills in, in volumes and in pods (k8s.io/kubernetes pkg/apis/core/v1/defaults.go). */
final class VolumeSources {
    private static final long FILE_MODE = 0644;
    private static final long TOKEN_SECONDS = 3600;
    private static final String[] POD_VOLUMES = {"spec", "volumes"};
    private static final String[] CLAIM_SPEC = {"ephemeral", "volumeClaimTemplate", "spec"};
    private static final List<String> WITH_DEFAULTS = List.of("hostPath", "iscsi");
    private static final List<String> WITH_FILE_MODE = List.of("secret", "configMap", "downwardAPI", "projected");

    private VolumeSources() {}

    static Document ofVolume(Document volume) {
        return filled(volume, "spec");
    }

    static Document ofPod(Document pod) {
        return DocumentLists.each(pod, VolumeSources::podVolume, POD_VOLUMES);
    }

    private static Document podVolume(Document volume) {
        // What is named and nothing else is an empty directory.
        Document source = isOnlyNamed(volume) ? volume.with(Map.of(), "emptyDir") : filled(volume);
        for (String kind : WITH_FILE_MODE) {
            source = inside(source, FILE_MODE, "defaultMode", kind);
        }
        source = DocumentLists.each(withVolumeMode(source), VolumeSources::item, "downwardAPI", "items");
        return DocumentLists.each(source, VolumeSources::projection, "projected", "sources");
    }

    private static boolean isOnlyNamed(Document volume) {
        if (!Fields.isSet(volume, "name")) {
            return false;
        }
        for (Map.Entry<String, Object> field : volume.asMap().entrySet()) {
            if (field.getValue() != JsonNull.NULL && !field.getKey().equals("name")) {
                return false;
            }
        }
        return true;
    }

    /** Of the claim that is made for an ephemeral volume. */
    private static Document withVolumeMode(Document volume) {
        boolean missing = volume.object(CLAIM_SPEC)
                .filter(spec -> !Fields.isSet(spec, "volumeMode"))
                .isPresent();
        return missing ? volume.with("Filesystem", "ephemeral", "volumeClaimTemplate", "spec", "volumeMode") : volume;
    }

    private static Document projection(Document projection) {
        return DocumentLists.each(
                inside(projection, TOKEN_SECONDS, "expirationSeconds", "serviceAccountToken"),
                VolumeSources::item,
                "downwardAPI",
                "items");
    }

    /** An empty text counts as none, as where it is read by Kubernetes. */
    private static boolean isEmpty(Document object, String field) {
        return !Fields.isSet(object, field)
                || object.text(field).filter(String::isEmpty).isPresent();
    }

    private static Document item(Document item) {
        return inside(item, "v1", "apiVersion", "fieldRef");
    }

    private static Document filled(Document object, String... parent) {
        Document filled = object;
        for (String type : WITH_DEFAULTS) {
            String[] path = path(parent, type);
            if (object.at(path).filter(Map.class::isInstance).isPresent()) {
                VolumeSource source = new VolumeSource(type, Fields.object(object, path));
                filled = filled.with(source.withDefaults().attributes().asMap(), path);
            }
        }
        return filled;
    }

    private static String[] path(String[] parent, String last) {
        return parent.length == 0 ? new String[] {last} : new String[] {parent[0], last};
    }

    /** A field of an object that is there. */
    private static Document inside(Document document, Object value, String field, String... parent) {
        if (document.at(parent).filter(Map.class::isInstance).isEmpty()) {
            return document;
        }
        Document object = Fields.object(document, parent);
        return !isEmpty(object, field)
                ? document
                : document.with(object.with(value, field).asMap(), parent);
    }
}
