// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.exchange;

import static dev.mooring.apiserver.rest.exchange.Parameters.Act.CHANGE;
import static dev.mooring.apiserver.rest.exchange.Parameters.Act.CREATE;
import static dev.mooring.apiserver.rest.exchange.Parameters.Act.DELETE;
import static dev.mooring.apiserver.rest.exchange.Parameters.Act.DELETE_ALL;
import static dev.mooring.apiserver.rest.exchange.Parameters.Act.GET;
import static dev.mooring.apiserver.rest.exchange.Parameters.Act.LIST;
import static dev.mooring.apiserver.rest.exchange.Parameters.Act.WATCH;

import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The parameters of a request. Each of Kubernetes' parameters that narrows a request, or changes what it does, is honoured or refused:
 * passed over, it would let the request do more than its client meant.
 */
public final class Parameters {
    /** What is done with objects. */
    enum Act {
        GET,
        LIST,
        WATCH,
        CREATE,
        CHANGE,
        DELETE,
        DELETE_ALL
    }

    private static final Set<Act> MANY = Set.of(LIST, WATCH, DELETE_ALL);
    private static final Set<Act> DELETING = Set.of(DELETE, DELETE_ALL);

    /** What honours the parameters that narrow or guard; every other act refuses them. */
    private static final Map<String, Set<Act>> HONOURED = Map.of(
            "continue", Set.of(LIST, DELETE_ALL),
            "fieldSelector", MANY,
            "gracePeriodSeconds", DELETING,
            "labelSelector", MANY,
            "orphanDependents", DELETING,
            "propagationPolicy", DELETING,
            "resourceVersion", Set.of(GET, LIST, WATCH, DELETE_ALL),
            "resourceVersionMatch", MANY,
            "sendInitialEvents", MANY,
            "uid", DELETING);

    /** Nothing here does what they ask for. */
    private static final Map<String, String> UNSUPPORTED = Map.of(
            "export", "the export parameter, deprecated since v1.14, is no longer supported",
            "exact", "the exact parameter, deprecated since v1.14, is no longer supported",
            "ignoreStoreReadErrorWithClusterBreakingPotential",
                    "ignoreStoreReadErrorWithClusterBreakingPotential is not supported",
            "shardSelector", "shardSelector is not supported");

    /** They tell how something is shown, or how long the client waits; or they change nothing where they do not belong. */
    private static final Set<String> HARMLESS = Set.of(
            "allowWatchBookmarks",
            "dryRun",
            "fieldManager",
            "fieldValidation",
            "force",
            "includeObject",
            "limit",
            "pretty",
            "timeout",
            "timeoutSeconds",
            "watch");

    /** All names, by what they are in lower-case letters alone. */
    private static final Map<String, String> NAMES = Stream.of(HONOURED.keySet(), UNSUPPORTED.keySet(), HARMLESS)
            .flatMap(Set::stream)
            .collect(Collectors.toMap(Parameters::plain, Function.identity()));

    private Parameters() {}

    /** Refuses parameters that can never be honoured, for any kind of object. */
    public static void require(ApiRequest request) {
        request.query().forEach((name, values) -> {
            String meant = NAMES.getOrDefault(plain(name), name);
            if (!meant.equals(name)) {
                throw RestFailure.badRequest("there is no parameter " + name + ": write " + meant);
            } else if (NAMES.containsKey(plain(name)) && new HashSet<>(values).size() > 1) {
                throw RestFailure.badRequest(name + " is given " + values.size() + " times, with different values");
            } else if (UNSUPPORTED.containsKey(name) && request.flag(name)) {
                throw RestFailure.badRequest(UNSUPPORTED.getOrDefault(name, ""));
            }
        });
        if (request.query().containsKey("force") && request.method().equals("PATCH") && !isApply(request)) {
            throw Statuses.invalidOptions(
                    request.optionsKind(), "force: Forbidden: may not be specified for non-apply patch");
        }
    }

    /** Clients that apply send {@code force}; by 415 they know that the server does not apply. */
    private static boolean isApply(ApiRequest request) {
        return request.contentType().startsWith("application/apply-patch+");
    }

    /** Refuses parameters that an act with objects does not honour. */
    public static void requireHonoured(ApiRequest request, RequestTarget target) {
        Act act = act(request, target);
        HONOURED.forEach((name, acts) -> {
            if (!acts.contains(act) && !request.parameter(name).isEmpty()) {
                throw unfit(name, request);
            }
        });
    }

    /** Refuses parameters where an act has no use for any of these. */
    public static void requireNone(ApiRequest request, String... names) {
        for (String name : names) {
            if (request.query().containsKey(name)) {
                throw unfit(name, request);
            }
        }
    }

    private static RestFailure unfit(String name, ApiRequest request) {
        String advice = !name.equals("resourceVersion")
                ? "leave it out"
                : "set "
                        + (request.method().equals("DELETE") ? "preconditions" : "metadata")
                        + ".resourceVersion in the body";
        return RestFailure.badRequest("the parameter " + name + " is not supported for " + request.method() + " of /"
                + String.join("/", request.path()) + ": " + advice);
    }

    private static Act act(ApiRequest request, RequestTarget target) {
        boolean one = !target.name().isEmpty();
        return switch (request.method()) {
            case "GET" -> request.flag("watch") ? WATCH : one ? GET : LIST;
            case "POST" -> CREATE;
            case "DELETE" -> one ? DELETE : DELETE_ALL;
            default -> CHANGE;
        };
    }

    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z]", "");
    }
}
