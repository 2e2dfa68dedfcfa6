// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;

/** An answer to a browser. */
record PageAnswer(int status, String type, String body) {
    static final int NO_CONTENT = 204;
    private static final String PLAIN = "text/plain; charset=utf-8";
    private static final String JSON = "application/json";

    static PageAnswer text(int status, String text) {
        return new PageAnswer(status, PLAIN, text);
    }

    static PageAnswer json(Document document) {
        return new PageAnswer(200, JSON, KubernetesJson.standard().write(document));
    }
}
