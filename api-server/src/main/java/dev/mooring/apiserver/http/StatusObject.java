// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.http;

import dev.mooring.storage.document.Document;
import java.util.LinkedHashMap;
import java.util.Map;

/** The API server's object that tells what became of a request. */
public final class StatusObject {
    private static final String FAILURE = "Failure";

    private StatusObject() {}

    /** A request failed. */
    public static Document failure(int code, String reason, String message) {
        return of(FAILURE, code, reason, message, Map.of());
    }

    /**
     * A Status.
     *
     * @param outcome {@code Success} or {@code Failure}
     * @param code of HTTP; 0 to leave it out
     * @param reason the word by which programs know it; empty to leave it out
     * @param message for people; empty to leave it out
     * @param details those of a failure are there even if they are empty: clients look into them without asking
     */
    public static Document of(String outcome, int code, String reason, String message, Map<String, Object> details) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("kind", "Status");
        fields.put("apiVersion", "v1");
        fields.put("metadata", Map.of());
        fields.put("status", outcome);
        if (!message.isEmpty()) {
            fields.put("message", message);
        }
        if (!reason.isEmpty()) {
            fields.put("reason", reason);
        }
        if (!details.isEmpty() || outcome.equals(FAILURE)) {
            fields.put("details", details);
        }
        if (code != 0) {
            fields.put("code", code);
        }
        return Document.of(fields);
    }
}
