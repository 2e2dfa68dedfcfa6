// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest;

import dev.mooring.apiserver.resource.Resources;
import dev.mooring.apiserver.rest.exchange.Answer;
import dev.mooring.apiserver.rest.exchange.ApiRequest;
import dev.mooring.apiserver.rest.exchange.Parameters;
import dev.mooring.apiserver.rest.exchange.RequestTarget;
import dev.mooring.apiserver.rest.exchange.RestFailure;
import dev.mooring.apiserver.rest.object.Finalizing;
import dev.mooring.apiserver.rest.object.PodActs;
import dev.mooring.apiserver.rest.object.ServedStore;
import dev.mooring.apiserver.rest.user.Reviews;
import dev.mooring.apiserver.rest.user.Rights;
import dev.mooring.apiserver.rest.user.TokenRequests;
import dev.mooring.apiserver.rest.user.TokenReviews;
import dev.mooring.apiserver.rest.watch.WatchPaths;
import dev.mooring.apiserver.schema.OpenApi;
import dev.mooring.apiserver.token.ServiceAccountTokens;
import dev.mooring.apiserver.token.User;
import dev.mooring.clusterstore.DocumentStore;
import dev.mooring.clusterstore.customresources.CustomResources;
import dev.mooring.storage.document.Document;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Finds who answers a request. What goes wrong is thrown as a {@link RestFailure}. Thread-safe. */
final class Router {
    /** The version of Kubernetes whose dialect this is. */
    private static final String DIALECT = "v1.32.0";

    /** The beginnings of paths for discovery, beside resources. */
    private static final Set<String> TOLD = Set.of("", "api", "apis", "version", "openapi");

    private static final Set<String> CONTAINERS = Set.of("log", "exec", "attach", "portforward");

    private final DocumentStore store;
    private final Verbs verbs;
    private volatile Served served;
    private final Optional<Backups> backups;
    private final TokenRequests tokenRequests;
    private final TokenReviews tokenReviews;
    private final PodActs podActs;
    private final Finalizing finalizing;

    Router(
            DocumentStore store,
            InstantSource clock,
            InstantSource objectClock,
            Optional<Backups> backups,
            ServiceAccountTokens tokens,
            Predicate<String> isOwnToken) {
        this.backups = backups;
        tokenRequests = new TokenRequests(store, tokens, clock);
        tokenReviews = new TokenReviews(tokens, isOwnToken);
        podActs = new PodActs(store);
        finalizing = new Finalizing(store);
        this.store = store;
        served = Served.of(store);
        verbs = new Verbs(new ServedStore(store), objectClock);
    }

    /** What there is, as long as the same kinds are defined. */
    private record Served(CustomResources defined, Resources resources, Discovery discovery, OpenApi openApi) {
        static Served of(DocumentStore store) {
            CustomResources defined = store.customResources();
            Resources resources = Resources.of(store.kinds(), defined);
            return new Served(defined, resources, new Discovery(resources), new OpenApi(resources));
        }
    }

    @SuppressWarnings("ReferenceEquality") // each change of what is defined makes another one
    private Served served() {
        Served known = served;
        if (known.defined() != store.customResources()) {
            known = Served.of(store);
            served = known;
        }
        return known;
    }

    /**
     * The answer to a request of a known user.
     *
     * @throws RestFailure if it cannot be served
     */
    Answer answer(ApiRequest request, User user) {
        Rights.require(user, request);
        Parameters.require(request);
        List<String> path = request.path();
        String first = path.isEmpty() ? "" : path.get(0);
        boolean resource = (first.equals("api") && path.size() > 2) || (first.equals("apis") && path.size() > 3);
        if (TOLD.contains(first) && !resource && !reads(request.method())) {
            throw RestFailure.methodNotAllowed();
        }
        return switch (first) {
            case "api" ->
                path.size() == 1
                        ? served().discovery().core(request)
                        : path.size() == 2 ? served().discovery().resources("", path.get(1)) : resource(request, user);
            case "apis" ->
                switch (path.size()) {
                    case 1 -> served().discovery().groups(request);
                    case 2 -> served().discovery().group(path);
                    case 3 -> served().discovery().resources(path.get(1), path.get(2));
                    default -> resource(request, user);
                };
            case "version" -> Answer.json(200, version());
            case "openapi" -> openApi(request);
            case "mooring" -> {
                if (!path.equals(List.of("mooring", "backup"))) {
                    throw RestFailure.notFound();
                }
                yield backups.orElseThrow(RestFailure::notFound).make(request);
            }
            case "" ->
                Answer.json(
                        200,
                        Document.of(
                                Map.of("paths", List.of("/api", "/apis", "/openapi/v2", "/openapi/v3", "/version"))));
            default -> throw RestFailure.notFound();
        };
    }

    /** Whether a method asks for what is there. */
    static boolean reads(String method) {
        return method.equals("GET") || method.equals("HEAD");
    }

    private Answer resource(ApiRequest request, User user) {
        Optional<Answer> review = Reviews.of(request, user);
        if (review.isPresent()) {
            return review.get();
        } else if (TokenRequests.isAbout(request.path())) {
            return tokenRequests.answer(request);
        } else if (TokenReviews.isAbout(request.path())) {
            return tokenReviews.answer(request);
        } else if (PodActs.isAbout(request.path())) {
            return podActs.answer(request);
        } else if (Finalizing.isAbout(request.path())) {
            return finalizing.answer(request);
        }
        ApiRequest meant = WatchPaths.meant(request);
        RequestTarget target = RequestTarget.of(served().resources(), meant.path())
                .filter(each -> meant.equals(request) || each.subresource().isEmpty())
                .orElseThrow(() -> notServed(request.path()));
        return verbs.perform(meant, target);
    }

    /** Whether a path leads into a container of a pod. */
    static boolean isOfContainer(List<String> path) {
        return path.contains("pods") && CONTAINERS.contains(path.get(path.size() - 1));
    }

    /** Says why, where people expect something. */
    private static RestFailure notServed(List<String> path) {
        String last = path.get(path.size() - 1);
        if (isOfContainer(path)) {
            return RestFailure.of(
                    404, "NotFound", "pods/" + last + ": this server mounts volumes, it does not run containers");
        }
        return RestFailure.notFound();
    }

    private Answer openApi(ApiRequest request) {
        List<String> path = request.path();
        if (path.size() == 2 && path.get(1).equals("v2")) {
            return OpenApi.wantsProtobuf(request.accept())
                    ? Answer.binary(OpenApi.PROTOBUF, served().openApi().v2Protobuf())
                    : Answer.json(200, served().openApi().v2());
        }
        if (path.size() == 2 && path.get(1).equals("v3")) {
            return Answer.json(200, served().openApi().v3Index());
        }
        if (path.size() > 2 && path.get(1).equals("v3")) {
            return served().openApi()
                    .v3(path.subList(2, path.size()))
                    .map(document -> Answer.json(200, document))
                    .orElseThrow(RestFailure::notFound);
        }
        throw RestFailure.notFound();
    }

    private static Document version() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("major", "1");
        fields.put("minor", "32");
        fields.put("gitVersion", DIALECT + "+mooring");
        fields.put("gitCommit", "");
        fields.put("gitTreeState", "");
        fields.put("buildDate", "1970-01-01T00:00:00Z");
        fields.put("goVersion", "");
        fields.put("compiler", "");
        fields.put("platform", "jvm");
        return Document.of(fields);
    }
}
