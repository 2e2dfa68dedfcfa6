// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.user;

import dev.mooring.apiserver.rest.exchange.ApiRequest;
import dev.mooring.apiserver.rest.exchange.Bodies;
import dev.mooring.storage.document.Document;
import java.util.ArrayList;
import java.util.List;

/** Reads what is asked about tokens. */
public final class TokenBodies {
    static final String API_VERSION = "authentication.k8s.io/v1";

    private TokenBodies() {}

    /** The body. */
    static Document read(ApiRequest request, String kind) {
        return Bodies.typed(request, API_VERSION, kind);
    }

    /** {@code spec.audiences}; empty if none is named. */
    static List<String> audiences(Document body) {
        List<String> all = new ArrayList<>();
        if (body.at("spec", "audiences").orElse(List.of()) instanceof List<?> told) {
            told.forEach(each -> all.add(each.toString()));
        }
        return all;
    }
}
