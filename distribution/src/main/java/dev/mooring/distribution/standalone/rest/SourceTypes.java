// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone.rest;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.JsonNull;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.VolumeSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The types of the fields of volumes' sources. The model has sources open, for those of other plugins, so that reading an object says
 * nothing about them; and who writes {@code readOnly: "true"} means something.
 */
final class SourceTypes {
    private static final Set<String> FLAGS = Set.of("readOnly", "chapAuthDiscovery", "chapAuthSession", "optional");
    private static final Set<String> NUMBERS = Set.of("lun", "partition", "defaultMode");
    private static final Set<String> TEXTS = Set.of(
            "claimName",
            "driver",
            "fsType",
            "initiatorName",
            "iqn",
            "iscsiInterface",
            "medium",
            "path",
            "secretName",
            "server",
            "targetPortal",
            "type",
            "volumeHandle",
            "volumeID");

    private SourceTypes() {}

    /** What is wrong with the sources of a volume or a pod, if anything is. */
    static Optional<String> problem(Kind<?> kind, Document object) {
        if (kind == Kinds.PERSISTENT_VOLUME) {
            return ofSpec("spec", object.at("spec").orElse(""), VolumeSource.PERSISTENT_TYPES);
        }
        if (kind != Kinds.POD || !(object.at("spec", "volumes").orElse("") instanceof List<?> volumes)) {
            return Optional.empty();
        }
        for (int i = 0; i < volumes.size(); i++) {
            Optional<String> problem = ofSpec("spec.volumes[" + i + "]", volumes.get(i), VolumeSource.POD_TYPES);
            if (problem.isPresent()) {
                return problem;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> ofSpec(String path, Object spec, List<String> types) {
        if (!(spec instanceof Map<?, ?> fields)) {
            return Optional.empty();
        }
        for (String type : types) {
            if (fields.get(type) instanceof Map<?, ?> source) {
                for (Map.Entry<?, ?> field : source.entrySet()) {
                    Optional<String> problem = ofField(path + "." + type, field.getKey(), field.getValue());
                    if (problem.isPresent()) {
                        return problem;
                    }
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<String> ofField(String path, Object name, Object value) {
        if (value == JsonNull.NULL) {
            return Optional.empty();
        }
        String type = FLAGS.contains(name) && !(value instanceof Boolean)
                ? "a boolean"
                : NUMBERS.contains(name) && !(value instanceof Long)
                        ? "an integer"
                        : TEXTS.contains(name) && !(value instanceof String) ? "a text" : "";
        return type.isEmpty()
                ? Optional.empty()
                : Optional.of(path + "." + name + ": must be " + type + ", not " + value);
    }
}
