// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.user;

import dev.mooring.apiserver.rest.exchange.Answer;
import dev.mooring.apiserver.rest.exchange.ApiRequest;
import dev.mooring.apiserver.rest.exchange.Parameters;
import dev.mooring.apiserver.rest.exchange.RestFailure;
import dev.mooring.apiserver.rest.exchange.Statuses;
import dev.mooring.apiserver.token.ServiceAccountTokens;
import dev.mooring.apiserver.token.ServiceAccountTokens.Issued;
import dev.mooring.clusterstore.DocumentStore;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.StoreResult.Failed;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code POST .../serviceaccounts/NAME/token}: a token, if what is asked for is within the bounds that Kubernetes has. */
public final class TokenRequests {
    private static final String KIND = "TokenRequest";
    private static final long USUAL_SECONDS = 3_600;
    private static final long LEAST_SECONDS = 600;
    private static final long MOST_SECONDS = 1L << 32;
    private static final int ACCOUNT_PATH = 7;

    private final DocumentStore store;
    private final ServiceAccountTokens tokens;
    private final InstantSource clock;

    public TokenRequests(DocumentStore store, ServiceAccountTokens tokens, InstantSource clock) {
        this.store = store;
        this.tokens = tokens;
        this.clock = clock;
    }

    /** Whether a path is that of an account's tokens. */
    public static boolean isAbout(List<String> path) {
        return path.size() == ACCOUNT_PATH
                && path.subList(0, 3).equals(List.of("api", "v1", "namespaces"))
                && path.get(4).equals("serviceaccounts")
                && path.get(6).equals("token");
    }

    public Answer answer(ApiRequest request) {
        if (!request.method().equals("POST")) {
            throw RestFailure.methodNotAllowed();
        }
        Parameters.requireNone(request, "dryRun"); // a token that is made is valid, whether or not a client keeps it
        String namespace = request.path().get(3);
        String name = request.path().get(5);
        Document body = TokenBodies.read(request, KIND);
        agree("name", body.text("metadata", "name").orElse(""), name);
        agree("namespace", body.text("metadata", "namespace").orElse(""), namespace);
        Document account = stored(Kinds.SERVICE_ACCOUNT, ObjectKey.of(namespace, name));
        List<String> audiences = TokenBodies.audiences(body);
        long seconds = seconds(body);
        Optional<Document> reference = body.object("spec", "boundObjectRef");
        Optional<Document> bound = reference.map(told -> bound(told, namespace, name));
        Issued issued = tokens.issue(account, bound, audiences, Duration.ofSeconds(seconds));
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("audiences", audiences.isEmpty() ? List.of(ServiceAccountTokens.ISSUER) : audiences);
        spec.put("expirationSeconds", seconds);
        reference.ifPresent(told -> spec.put("boundObjectRef", told));
        return Answer.json(201, shown(namespace, name, spec, issued));
    }

    private Document shown(String namespace, String name, Map<String, Object> spec, Issued issued) {
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("name", name);
        metadata.put("namespace", namespace);
        metadata.put("creationTimestamp", text(clock.instant()));
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("kind", KIND);
        fields.put("apiVersion", TokenBodies.API_VERSION);
        fields.put("metadata", metadata);
        fields.put("spec", spec);
        fields.put("status", Map.of("token", issued.text(), "expirationTimestamp", text(issued.expires())));
        return Document.of(fields);
    }

    private static String text(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static void agree(String field, String given, String wanted) {
        if (!given.isEmpty() && !given.equals(wanted)) {
            throw RestFailure.badRequest(
                    field + " on the token request does not match the " + field + " of the service account");
        }
    }

    private Document stored(Kind<?> kind, ObjectKey key) {
        return store.getDocument(kind, key).orThrow(failed -> Statuses.of(kind, key.name(), failed));
    }

    private static long seconds(Document body) {
        long seconds =
                body.at("spec", "expirationSeconds").map(Long.class::cast).orElse(USUAL_SECONDS);
        String problem = seconds < LEAST_SECONDS
                ? "may not specify a duration less than 10 minutes"
                : seconds > MOST_SECONDS ? "may not specify a duration larger than 2^32 seconds" : "";
        if (!problem.isEmpty()) {
            throw Statuses.invalid(
                    "authentication.k8s.io",
                    KIND,
                    body.text("metadata", "name").orElse(""),
                    "spec.expirationSeconds: Invalid value: " + seconds + ": " + problem);
        }
        return seconds;
    }

    private Document bound(Document reference, String namespace, String account) {
        String kindName = reference.text("kind").orElse("");
        String version = reference.text("apiVersion").orElse("");
        Kind<?> kind = ServiceAccountTokens.BINDING.stream()
                .filter(each ->
                        each.name().equals(kindName) && each.apiVersion().equals(version))
                .findFirst()
                .orElseThrow(() -> RestFailure.badRequest("cannot bind token for serviceaccount \"" + account
                        + "\" to object of type \"" + version + ", Kind=" + kindName + "\""));
        String name = reference.text("name").orElse("");
        Document object = stored(kind, ObjectKey.of(kind.namespaced() ? namespace : "", name));
        if (kind == Kinds.POD && !account.equals(accountOf(object))) {
            throw RestFailure.badRequest("cannot bind token for serviceaccount \"" + account
                    + "\" to pod running with different serviceaccount name.");
        }
        String uid = reference.text("uid").orElse("");
        if (!uid.isEmpty() && !object.text("metadata", "uid").equals(Optional.of(uid))) {
            throw Statuses.of(
                    kind,
                    name,
                    new Failed<Document>(
                            Failure.CONFLICT,
                            "Operation cannot be fulfilled on " + kindName + " \"" + name
                                    + "\": the UID in the bound object reference (" + uid
                                    + ") does not match the UID in record. The object might have been deleted and then recreated",
                            Optional.empty()));
        }
        return object.with(kindName, "kind");
    }

    /** A pod that names none has that of its namespace. */
    private static String accountOf(Document pod) {
        return pod.text("spec", "serviceAccountName")
                .filter(name -> !name.isEmpty())
                .orElse("default");
    }
}
