// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.exchange;

import java.util.Set;

/** What the parameters of a list have to do with each other. */
public final class ListRules {
    private static final String MATCH = "resourceVersionMatch: ";
    private static final Set<String> MATCHES = Set.of("Exact", "NotOlderThan");

    private ListRules() {}

    /** Refuses a {@code resourceVersionMatch} that cannot be kept, instead of showing something else. */
    public static void require(ApiRequest request) {
        String match = request.parameter("resourceVersionMatch");
        String version = request.parameter("resourceVersion");
        boolean goesOn = !request.parameter("continue").isEmpty();
        if (!request.parameter("sendInitialEvents").isEmpty()) {
            throw invalid("sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list");
        } else if (match.isEmpty()) {
            if (goesOn && !version.isEmpty() && !version.equals("0")) {
                // The page that follows is of the revision that its token names.
                throw RestFailure.badRequest("specifying resource version is not allowed when using continue");
            }
            return;
        }
        if (goesOn) {
            throw invalid(MATCH + "Forbidden: resourceVersionMatch is forbidden when continue is provided");
        } else if (version.isEmpty()) {
            throw invalid(MATCH + "Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided");
        } else if (!MATCHES.contains(match)) {
            throw invalid(
                    MATCH + "Unsupported value: \"" + match + "\": supported values: \"Exact\", \"NotOlderThan\"");
        } else if (match.equals("Exact") && version.equals("0")) {
            throw invalid(MATCH + "Forbidden: resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
        }
    }

    /** Refuses parameters that a watch cannot have. */
    public static void requireOfWatch(ApiRequest request) {
        String match = request.parameter("resourceVersionMatch");
        boolean initial = !request.parameter("sendInitialEvents").isEmpty();
        if (initial && !match.equals("NotOlderThan")) {
            throw invalid(MATCH + "Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
        } else if (!initial && !match.isEmpty()) {
            throw invalid(MATCH
                    + "Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
        }
    }

    private static RestFailure invalid(String why) {
        return Statuses.invalidOptions("ListOptions", why);
    }
}
