// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.object;

import dev.mooring.apiserver.rest.exchange.ApiRequest;
import dev.mooring.apiserver.rest.exchange.Bodies;
import dev.mooring.apiserver.rest.exchange.RestFailure;
import dev.mooring.apiserver.rest.exchange.Statuses;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.DeleteOptions.Propagation;
import dev.mooring.storage.store.Revision;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a deletion asks for, in its body or its parameters.
 *
 * @param options for the store; what becomes of dependents counts only if the request says it
 * @param told whether the request says what becomes of dependents
 * @param dryRun whether it is a rehearsal
 */
public record Deletes(DeleteOptions options, boolean told, boolean dryRun) {
    private static final String KIND = "DeleteOptions";
    private static final String UNSAFE = "ignoreStoreReadErrorWithClusterBreakingPotential";
    private static final Set<String> FIELDS = Set.of(
            "apiVersion",
            "kind",
            "dryRun",
            "gracePeriodSeconds",
            UNSAFE,
            "orphanDependents",
            "preconditions",
            "propagationPolicy");
    private static final Set<String> PRECONDITIONS = Set.of("resourceVersion", "uid");

    public static Deletes of(ApiRequest request) {
        return of(Bodies.options(request), request);
    }

    /** The same with a body that lies in another one, and whose fields are of their types. */
    public static Deletes of(Document body, ApiRequest request) {
        Bodies.agree("kind", text(body, "kind").orElse(""), KIND);
        requireKnown(body, "", FIELDS);
        if (told(body, Boolean.class, UNSAFE).orElse(false)) {
            throw RestFailure.badRequest("DeleteOptions: " + UNSAFE + " is not supported");
        }
        Optional<Propagation> propagation = propagation(body, request);
        Optional<Long> grace =
                told(body, Long.class, "gracePeriodSeconds").or(() -> request.number("gracePeriodSeconds"));
        boolean conditional = told(body, Map.class, "preconditions").isPresent();
        if (conditional) {
            requireKnown(body.object("preconditions").orElseThrow(), "preconditions.", PRECONDITIONS);
        }
        String uid = conditional ? text(body, "preconditions", "uid").orElse("") : "";
        String queried = request.parameter("uid");
        if (!uid.isEmpty() && !queried.isEmpty() && !uid.equals(queried)) {
            throw RestFailure.badRequest("DeleteOptions: preconditions.uid is not the parameter uid");
        }
        DeleteOptions options = new DeleteOptions(
                uid.isEmpty() ? queried : uid,
                conditional
                        ? text(body, "preconditions", "resourceVersion")
                                .filter(text -> !text.isEmpty())
                                .map(Deletes::revision)
                        : Optional.empty(),
                grace,
                propagation.orElse(Propagation.BACKGROUND));
        return new Deletes(options, propagation.isPresent(), isDryRun(body) || request.isDryRun());
    }

    /** For one object: without a choice in the request, what was decided earlier about its dependents stays. */
    public DeleteOptions optionsFor(Document object) {
        Object finalizers = object.at("metadata", "finalizers").orElse(List.of());
        if (told || !(finalizers instanceof List<?> all)) {
            return options;
        }
        Propagation decided = Propagation.of(all.stream().map(String::valueOf).toList());
        return new DeleteOptions(options.uid(), options.revision(), options.gracePeriodSeconds(), decided);
    }

    /** A condition whose name is misspelt must not be taken for none. */
    private static void requireKnown(Document body, String path, Set<String> fields) {
        for (String field : body.asMap().keySet()) {
            if (!fields.contains(field)) {
                throw RestFailure.badRequest("DeleteOptions: unknown field \"" + path + field + "\"");
            }
        }
    }

    private static Optional<Propagation> propagation(Document body, ApiRequest request) {
        String policy = text(body, "propagationPolicy").orElse(request.parameter("propagationPolicy"));
        String orphan = told(body, Boolean.class, "orphanDependents")
                .or(() -> request.query().containsKey("orphanDependents")
                        ? Optional.of(request.flag("orphanDependents"))
                        : Optional.empty())
                .map(Object::toString)
                .orElse("");
        if (!policy.isEmpty() && !orphan.isEmpty()) {
            throw Statuses.invalidOptions(
                    KIND,
                    "propagationPolicy: Invalid value: \"" + policy
                            + "\": orphanDependents and deletionPropagation cannot be both set");
        }
        return switch (policy) {
            case "" ->
                orphan.isEmpty()
                        ? Optional.empty()
                        : Optional.of(orphan.equals("true") ? Propagation.ORPHAN : Propagation.BACKGROUND);
            case "Background" -> Optional.of(Propagation.BACKGROUND);
            case "Foreground" -> Optional.of(Propagation.FOREGROUND);
            case "Orphan" -> Optional.of(Propagation.ORPHAN);
            default ->
                throw unsupported("propagationPolicy", policy, "\"Foreground\", \"Background\", \"Orphan\", \"nil\"");
        };
    }

    private static Optional<String> text(Document body, String... path) {
        return told(body, String.class, path);
    }

    private static <T> Optional<T> told(Document body, Class<T> type, String... path) {
        return body.at(path).map(type::cast);
    }

    private static boolean isDryRun(Document body) {
        List<?> told = told(body, List.class, "dryRun").orElse(List.of());
        for (Object each : told) {
            if (!each.equals("All")) {
                throw unsupported("dryRun", each.toString(), "\"All\"");
            }
        }
        return !told.isEmpty();
    }

    private static RestFailure unsupported(String field, String value, String supported) {
        return Statuses.invalidOptions(
                KIND, field + ": Unsupported value: \"" + value + "\": supported values: " + supported);
    }

    public static Revision revision(String text) {
        try {
            return Revision.parse(text);
        } catch (IllegalArgumentException e) {
            throw RestFailure.badRequest("resourceVersion: Invalid value: \"" + text + "\": " + e.getMessage());
        }
    }
}
