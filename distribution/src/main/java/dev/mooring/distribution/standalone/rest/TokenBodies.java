// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone.rest;

import dev.mooring.storage.document.Document;
import java.util.ArrayList;
import java.util.List;

/** Reads what is asked about tokens. */
final class TokenBodies {
    static final String API_VERSION = "authentication.k8s.io/v1";

    private TokenBodies() {}

    /** The body without nulls: clients in Go send them for what they leave open. */
    static Document read(ApiRequest request, String kind) {
        return Bodies.typed(request, API_VERSION, kind).withoutNulls();
    }

    /** {@code spec.audiences}; empty if none is named. */
    static List<String> audiences(Document body) {
        List<String> all = new ArrayList<>();
        Object told = body.at("spec", "audiences").orElse(List.of());
        if (!(told instanceof List<?> list)) {
            throw RestFailure.badRequest("spec.audiences is a list of texts");
        }
        for (Object each : list) {
            if (!(each instanceof String text)) {
                throw RestFailure.badRequest("spec.audiences is a list of texts");
            }
            all.add(text);
        }
        return all;
    }
}
