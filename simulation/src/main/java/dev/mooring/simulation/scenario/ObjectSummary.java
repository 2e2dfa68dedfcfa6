// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import dev.mooring.storage.document.Document;
import java.util.stream.Collectors;

/** The few words about an object that stand in a table. */
final class ObjectSummary {
    private static final String METADATA = "metadata";
    private static final String STATUS = "status";
    private static final String SPEC = "spec";

    private ObjectSummary() {}

    /** Where the object stands. */
    static String phase(Document object) {
        String phase = switch (Documents.text(object, "kind")) {
            case "Node" -> ready(object);
            case "VolumeAttachment" ->
                object.at(STATUS, "attached").filter(Boolean.TRUE::equals).isPresent() ? "Attached" : "Detached";
            default -> Documents.text(object, STATUS, "phase");
        };
        boolean deleting = object.at(METADATA, "deletionTimestamp").isPresent();
        return deleting ? (phase.isEmpty() ? "Terminating" : phase + " (Terminating)") : phase;
    }

    private static String ready(Document node) {
        return Documents.maps(node, STATUS, "conditions").stream()
                .filter(condition -> Documents.text(condition, "type").equals("Ready"))
                .map(condition -> switch (Documents.text(condition, STATUS)) {
                    case "True" -> "Ready";
                    case "False" -> "NotReady";
                    default -> "Unknown";
                })
                .findFirst()
                .orElse("");
    }

    /** What the object is bound or attached to. */
    static String boundTo(Document object) {
        return switch (Documents.text(object, "kind")) {
            case "PersistentVolume" -> claim(object);
            case "PersistentVolumeClaim" -> Documents.text(object, SPEC, "volumeName");
            case "Pod", "VolumeAttachment" -> Documents.text(object, SPEC, "nodeName");
            case "Node" ->
                Documents.maps(object, STATUS, "volumesAttached").stream()
                        .map(volume -> Documents.text(volume, "name"))
                        .collect(Collectors.joining(" "));
            default -> "";
        };
    }

    private static String claim(Document volume) {
        String namespace = Documents.text(volume, SPEC, "claimRef", "namespace");
        String name = Documents.text(volume, SPEC, "claimRef", "name");
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }
}
