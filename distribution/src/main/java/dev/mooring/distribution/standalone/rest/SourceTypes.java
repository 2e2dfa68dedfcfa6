// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone.rest;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.JsonNull;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.VolumeSource;
import java.util.ArrayList;
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

    /** What is wrong with the sources of a volume or a pod and was not so before, if anything is: what is stored stays usable. */
    static Optional<String> newProblem(Kind<?> kind, Document object, Document before) {
        List<String> problems = problems(kind, object);
        List<String> borne = problems.isEmpty() ? problems : problems(kind, before);
        return problems.stream().filter(problem -> !borne.contains(problem)).findFirst();
    }

    private static List<String> problems(Kind<?> kind, Document object) {
        List<String> problems = new ArrayList<>();
        if (kind == Kinds.PERSISTENT_VOLUME) {
            spec("spec", object.at("spec").orElse(""), VolumeSource.PERSISTENT_TYPES, problems);
        } else if (kind == Kinds.POD && object.at("spec", "volumes").orElse("") instanceof List<?> volumes) {
            for (int i = 0; i < volumes.size(); i++) {
                spec("spec.volumes[" + i + "]", volumes.get(i), VolumeSource.POD_TYPES, problems);
            }
        }
        return problems;
    }

    private static void spec(String path, Object spec, List<String> types, List<String> problems) {
        if (spec instanceof Map<?, ?> fields) {
            for (String type : types) {
                if (fields.get(type) instanceof Map<?, ?> source) {
                    source.forEach((name, value) -> field(path + "." + type, name, value, problems));
                }
            }
        }
    }

    private static void field(String path, Object name, Object value, List<String> problems) {
        if (value == JsonNull.NULL) {
            return;
        }
        String type = FLAGS.contains(name) && !(value instanceof Boolean)
                ? "a boolean"
                : NUMBERS.contains(name) && !(value instanceof Long)
                        ? "an integer"
                        : TEXTS.contains(name) && !(value instanceof String) ? "a text" : "";
        if (!type.isEmpty()) {
            problems.add(path + "." + name + ": must be " + type + ", not " + value);
        }
    }
}
