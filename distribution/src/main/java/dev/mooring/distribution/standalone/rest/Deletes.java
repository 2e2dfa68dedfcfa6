// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone.rest;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.DeleteOptions.Propagation;
import dev.mooring.storage.store.Revision;
import java.util.Optional;

/**
 * What a deletion asks for, in its body or its parameters.
 *
 * @param options for the store
 * @param dryRun whether it is a rehearsal
 */
record Deletes(DeleteOptions options, boolean dryRun) {
    static Deletes of(ApiRequest request) {
        Document body = request.body().isBlank() ? Document.empty() : Bodies.json(request.body());
        String policy = body.text("propagationPolicy").orElse(request.parameter("propagationPolicy"));
        boolean orphan =
                body.at("orphanDependents").filter(Boolean.TRUE::equals).isPresent()
                        || request.parameter("orphanDependents").equals("true");
        Propagation propagation = switch (policy) {
            case "" -> orphan ? Propagation.ORPHAN : Propagation.BACKGROUND;
            case "Background" -> Propagation.BACKGROUND;
            case "Foreground" -> Propagation.FOREGROUND;
            case "Orphan" -> Propagation.ORPHAN;
            default -> throw RestFailure.badRequest("propagationPolicy: Unsupported value: \"" + policy + "\"");
        };
        Optional<Long> grace = body.at("gracePeriodSeconds")
                .filter(Long.class::isInstance)
                .map(Long.class::cast)
                .or(() -> request.number("gracePeriodSeconds"));
        DeleteOptions options = new DeleteOptions(
                body.text("preconditions", "uid").orElse(""),
                body.text("preconditions", "resourceVersion")
                        .filter(text -> !text.isEmpty())
                        .map(Deletes::revision),
                grace,
                propagation);
        boolean dry = request.isDryRun()
                || body.at("dryRun")
                        .filter(list -> list.toString().equals("[All]"))
                        .isPresent();
        return new Deletes(options, dry);
    }

    static Revision revision(String text) {
        try {
            return Revision.parse(text);
        } catch (IllegalArgumentException e) {
            throw RestFailure.badRequest("resourceVersion: Invalid value: \"" + text + "\": " + e.getMessage());
        }
    }
}
