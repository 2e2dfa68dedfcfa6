// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.exchange;

import dev.mooring.runtime.TextlessTrace;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of a request that met an unforeseen failure: the client gets an answer that names the request, and the log has where
 * it happened. Texts of exceptions are left out of both: they may quote what was sent.
 */
public final class UnforeseenFailures {
    private static final Logger LOG = LoggerFactory.getLogger(UnforeseenFailures.class);
    private static final int LONGEST = 300;

    private UnforeseenFailures() {}

    /** Logs it, and makes the answer. */
    public static RestFailure of(String method, List<String> path, Throwable defect) {
        String request = request(method, path);
        LOG.error("{} failed", request, TextlessTrace.of(defect));
        return RestFailure.of(
                500,
                "InternalError",
                "Internal error occurred: " + request + " met a defect of the server, see its log");
    }

    private static String request(String method, List<String> path) {
        String text = (method + " /" + String.join("/", path)).replaceAll("[^!-~ ]", "?");
        return text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text;
    }
}
