// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import dev.mooring.storage.document.Document;
import java.util.List;
import java.util.Optional;

/**
 * Refuses what only the course of events shows to be beyond this build: a volume to be attached. The counterpart of {@link
 * Supported}, which looks at the file alone.
 */
final class SupportedCourse {
    /** Sources that a node can use only once they are attached. */
    private static final List<String> ATTACHED_SOURCES = List.of("csi", "iscsi");

    private final Place place;
    private final ClusterView objects;

    private SupportedCourse(Place place, ClusterView objects) {
        this.place = place;
        this.objects = objects;
    }

    /**
     * Checks a step.
     *
     * @param place the step
     * @param objects the objects at its end
     * @param nodes whether the agents of nodes take part
     */
    static void check(Place place, List<Document> objects, boolean nodes) {
        SupportedCourse course = new SupportedCourse(place, new ClusterView(objects));
        if (nodes) {
            course.objects.ofKind("Pod").forEach(course::checkPod);
        }
    }

    private void checkPod(Document pod) {
        if (objects.hasNode(Documents.text(pod, "spec", "nodeName"))) {
            Documents.maps(pod, "spec", "volumes").forEach(volume -> checkVolume(pod, volume));
        }
    }

    private void checkVolume(Document pod, Document volume) {
        Optional<String> type = objects.sourceOf(pod, volume)
                .flatMap(source -> ATTACHED_SOURCES.stream()
                        .filter(attached -> source.at(attached).isPresent())
                        .findFirst());
        if (type.isPresent()) {
            throw MalformedScenario.notSupported(
                    place,
                    Documents.title(pod) + " uses a volume of type '" + type.get()
                            + "', which has to be attached (controller 'attach-detach')");
        }
    }
}
