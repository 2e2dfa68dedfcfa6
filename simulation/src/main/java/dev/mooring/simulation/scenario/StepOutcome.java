// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import dev.mooring.simulation.world.Trace;
import dev.mooring.storage.document.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What expectations look at: the objects at the end of a step, and what happened since its start. */
final class StepOutcome {
    private final Map<ObjectRef, Document> objects;
    private final Trace trace;
    private final List<Refused> refusals;
    private final List<Refused> unexpected;

    /**
     * Makes the outcome.
     *
     * @param objects the objects by kind and name
     * @param trace what happened
     * @param refusals the acts of users that were refused
     */
    StepOutcome(Map<ObjectRef, Document> objects, Trace trace, List<Refused> refusals) {
        this.objects = objects;
        this.trace = trace;
        this.refusals = List.copyOf(refusals);
        this.unexpected = new ArrayList<>(refusals);
    }

    Optional<Document> find(ObjectRef ref) {
        return Optional.ofNullable(objects.get(ref));
    }

    Trace trace() {
        return trace;
    }

    List<Refused> refusals() {
        return refusals;
    }

    /** An expectation has named these refusals. */
    void expected(List<Refused> named) {
        unexpected.removeAll(named);
    }

    /** Refusals that no expectation checked so far has named. */
    List<Refused> unexpected() {
        return List.copyOf(unexpected);
    }

    /**
     * An act of a user that was refused.
     *
     * @param verb the act
     * @param kind the object's kind
     * @param namespace its namespace
     * @param name its name
     * @param reason in the API server's word
     * @param message for people
     */
    record Refused(String verb, String kind, String namespace, String name, String reason, String message) {
        @Override
        public String toString() {
            String object = namespace.isEmpty() ? name : namespace + "/" + name;
            return verb + " of " + kind + " " + object + " was refused: " + reason + ": " + message;
        }
    }
}
