// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.user;

import dev.mooring.apiserver.rest.exchange.ApiRequest;
import dev.mooring.apiserver.rest.exchange.RestFailure;
import dev.mooring.apiserver.token.User;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Which user may do what. The server's own token may do everything. A service account may read discovery, and ask who it is and what it may
 * do, as every user may with Kubernetes ({@code system:discovery}, {@code system:basic-user}), and nothing else: there are no roles here
 * that would give it more.
 */
public final class Rights {
    private static final List<String> DISCOVERY = List.of(
            "/api",
            "/api/*",
            "/apis",
            "/apis/*",
            "/healthz",
            "/livez",
            "/openapi",
            "/openapi/*",
            "/readyz",
            "/version");

    private static final String AUTHORIZATION = "authorization.k8s.io";
    private static final String AUTHENTICATION = "authentication.k8s.io";
    private static final Map<String, Set<String>> REVIEWS = Map.of(
            AUTHORIZATION, Set.of("selfsubjectaccessreviews", "selfsubjectrulesreviews"),
            AUTHENTICATION, Set.of("selfsubjectreviews"));
    private static final int GROUP_PATH = 3;

    private Rights() {}

    /** Refuses what the user may not do. */
    public static void require(User user, ApiRequest request) {
        if (!user.isAdministrator() && !mayAll(request)) {
            throw RestFailure.of(403, "Forbidden", refusal(user, request));
        }
    }

    private static boolean mayAll(ApiRequest request) {
        List<String> path = request.path();
        if (isResource(path)) {
            return request.method().equals("POST")
                    && path.size() == GROUP_PATH + 1
                    && mayReview("create", path.get(1), path.get(GROUP_PATH));
        }
        return request.method().equals("GET") && isDiscovery("/" + String.join("/", path));
    }

    private static boolean isResource(List<String> path) {
        String first = path.isEmpty() ? "" : path.get(0);
        return (first.equals("api") && path.size() > GROUP_PATH - 1)
                || (first.equals("apis") && path.size() > GROUP_PATH);
    }

    private static boolean isDiscovery(String path) {
        return DISCOVERY.stream()
                .anyMatch(each ->
                        each.endsWith("*") ? path.startsWith(each.substring(0, each.length() - 1)) : path.equals(each));
    }

    private static boolean mayReview(String verb, String group, String resource) {
        return verb.equals("create") && REVIEWS.getOrDefault(group, Set.of()).contains(resource);
    }

    /**
     * Whether the user may do what a review asks about.
     *
     * @param about the review's {@code spec}
     */
    static boolean may(User user, Map<?, ?> about) {
        if (user.isAdministrator()) {
            return true;
        }
        if (about.get("nonResourceAttributes") instanceof Map<?, ?> asked) {
            return "get".equals(asked.get("verb")) && isDiscovery(String.valueOf(asked.get("path")));
        }
        return about.get("resourceAttributes") instanceof Map<?, ?> asked
                && mayReview(
                        String.valueOf(asked.get("verb")),
                        String.valueOf(asked.get("group")),
                        String.valueOf(asked.get("resource")));
    }

    /** The rules, as a review shows them. */
    static Map<String, Object> rules(User user) {
        List<String> all = List.of("*");
        if (user.isAdministrator()) {
            return Map.of(
                    "resourceRules", List.of(Map.of("verbs", all, "apiGroups", all, "resources", all)),
                    "nonResourceRules", List.of(Map.of("verbs", all, "nonResourceURLs", all)),
                    "incomplete", false);
        }
        List<Object> reviews = List.of(AUTHENTICATION, AUTHORIZATION).stream()
                .<Object>map(group -> Map.of(
                        "verbs",
                        List.of("create"),
                        "apiGroups",
                        List.of(group),
                        "resources",
                        REVIEWS.getOrDefault(group, Set.of()).stream().sorted().toList()))
                .toList();
        return Map.of(
                "resourceRules",
                reviews,
                "nonResourceRules",
                List.of(Map.of("verbs", List.of("get"), "nonResourceURLs", DISCOVERY)),
                "incomplete",
                false);
    }

    private static String refusal(User user, ApiRequest request) {
        List<String> path = request.path();
        String who = "User \"" + user.name() + "\" cannot ";
        if (!isResource(path)) {
            String verb = request.method().toLowerCase(Locale.ROOT);
            return "forbidden: " + who + verb + " path \"/" + String.join("/", path) + "\"";
        }
        boolean core = path.get(0).equals("api");
        List<String> rest = path.subList(core ? 2 : GROUP_PATH, path.size());
        boolean within = rest.get(0).equals("namespaces") && rest.size() > 2;
        List<String> own = within ? rest.subList(2, rest.size()) : rest;
        boolean one = own.size() > 1;
        String resource = own.get(0) + (own.size() > 2 ? "/" + own.get(2) : "");
        String named = one ? " \"" + own.get(1) + "\"" : "";
        String where = within ? " in the namespace \"" + rest.get(1) + "\"" : " at the cluster scope";
        return resource + named + " is forbidden: " + who + verb(request, one) + " resource \"" + resource
                + "\" in API group \"" + (core ? "" : path.get(1)) + "\"" + where;
    }

    private static String verb(ApiRequest request, boolean one) {
        return switch (request.method()) {
            case "GET" -> request.flag("watch") ? "watch" : one ? "get" : "list";
            case "POST" -> "create";
            case "PUT" -> "update";
            case "PATCH" -> "patch";
            case "DELETE" -> one ? "delete" : "deletecollection";
            default -> request.method();
        };
    }
}
