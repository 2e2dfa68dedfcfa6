// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone.rest;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of a request that ran into what nobody foresaw: whoever asked gets an answer that names the request, and the log has where
 * it happened. Texts of exceptions are left out of both: they may quote what was sent.
 */
final class Defects {
    private static final Logger LOG = LoggerFactory.getLogger(Defects.class);
    private static final int LONGEST = 300;

    private Defects() {}

    /** Logs it, and makes the answer. */
    static RestFailure of(String method, List<String> path, Throwable defect) {
        String request = request(method, path);
        LOG.error("{} failed", request, new Trace(defect, Trace.MOST_CAUSES));
        return RestFailure.of(
                500,
                "InternalError",
                "Internal error occurred: " + request + " met a defect of the server, see its log");
    }

    private static String request(String method, List<String> path) {
        String text = (method + " /" + String.join("/", path)).replaceAll("[^!-~ ]", "?");
        return text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text;
    }

    /** A copy without texts. */
    private static final class Trace extends RuntimeException {
        private static final long serialVersionUID = 1;
        private static final int MOST_CAUSES = 5;
        private static final int MOST_FRAMES = 60;

        Trace(Throwable defect, int causes) {
            super(
                    defect.getClass().getName(),
                    Optional.ofNullable(defect.getCause())
                            .filter(cause -> causes > 0)
                            .map(cause -> new Trace(cause, causes - 1))
                            .orElse(null),
                    false,
                    true);
            StackTraceElement[] frames = defect.getStackTrace();
            setStackTrace(Arrays.copyOf(frames, Math.min(frames.length, MOST_FRAMES)));
        }
    }
}
