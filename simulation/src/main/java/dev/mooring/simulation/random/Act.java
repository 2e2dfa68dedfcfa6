// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.simulation.sidecar.Sidecars;
import dev.mooring.simulation.virtual.Durations;
import dev.mooring.storage.document.Document;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * One step of a scenario, as data: what a user does to a world, or what goes wrong in it. A step that cannot be done when its turn comes,
 * such as deleting what is not there, is skipped. Immutable.
 *
 * @param what in a few words, for people; never null nor empty
 * @param step the step in the words of a scenario file but for its name, such as {@code {apply: [...], advance: 10s}}; never null
 * @param fault which class of faults it belongs to; empty for what users do; never null
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Act(String what, Document step, Optional<FaultClass> fault) {
    private static final String NAME = "name";

    /** What a user does; the world settles afterwards unless the step says otherwise. */
    public static Act of(String what, Map<String, ?> step) {
        return new Act(what, Document.of(step), Optional.empty());
    }

    /** A fault. */
    public static Act fault(FaultClass fault, String what, Map<String, ?> step) {
        return new Act(what, Document.of(step), Optional.of(fault));
    }

    /** A user creates an object, or changes everything but the status of the existing one. */
    public static Act apply(Map<String, ?> object) {
        Document document = Document.of(object);
        return of("apply " + title(document), Map.of("apply", List.of(object)));
    }

    /** A user patches an object, or its status. */
    public static Act patch(String kind, String namespace, String name, boolean status, Map<String, ?> merge) {
        Map<String, Object> patch = reference(kind, namespace, name);
        if (status) {
            patch.put("subresource", "status");
        }
        patch.put("merge", merge);
        return of("patch " + kind + " " + full(namespace, name), Map.of("patch", List.of(patch)));
    }

    /**
     * A user deletes an object.
     *
     * @param force whether a pod goes at once; of no meaning for others
     */
    public static Act delete(String kind, String namespace, String name, boolean force) {
        Map<String, Object> removal = reference(kind, namespace, name);
        if (force && kind.equals("Pod")) {
            removal.put("force", true);
        }
        String verb = removal.containsKey("force") ? "force-delete " : "delete ";
        return of(verb + kind + " " + full(namespace, name), Map.of("delete", List.of(removal)));
    }

    /** Whether a stand-in for a program from outside is started by it for the first time. */
    boolean startsProgram() {
        return fault.isEmpty()
                && step.text("restart").filter(Sidecars.NAMES::contains).isPresent();
    }

    private static Map<String, Object> reference(String kind, String namespace, String name) {
        Map<String, Object> reference = new LinkedHashMap<>();
        reference.put("kind", kind);
        if (!namespace.isEmpty()) {
            reference.put("namespace", namespace);
        }
        reference.put(NAME, name);
        return reference;
    }

    private static String full(String namespace, String name) {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }

    private static String title(Document object) {
        return object.text("kind").orElse("object") + " "
                + full(
                        object.text("metadata", "namespace").orElse(""),
                        object.text("metadata", NAME).orElse(""));
    }

    /** The same, and the next act comes while only so many effects of what it has caused were carried out. */
    public Act thenWork(int effects) {
        return with("work", effects);
    }

    /** The same, and the next act comes after so much time. */
    public Act thenAdvance(Duration time) {
        return with("advance", Durations.format(time));
    }

    private Act with(String key, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(step.asMap());
        more.put(key, value);
        return new Act(what, Document.of(more), fault);
    }

    /** The step with its name, as it stands in a scenario file. */
    Document named() {
        Map<String, Object> named = new LinkedHashMap<>();
        named.put(NAME, what);
        named.putAll(step.asMap());
        return Document.of(named);
    }
}
