// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.token;

import dev.mooring.apiserver.access.SignedTokens;
import dev.mooring.clusterstore.DocumentStore;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Issues tokens of service accounts with Kubernetes' claims, and says whose a token is as long as it is good: until its time is over, or
 * the account, or the object that it is bound to, has gone. Thread-safe.
 */
public final class ServiceAccountTokens {
    /** The issuer, and the audience of tokens for this server. */
    public static final String ISSUER = "https://kubernetes.default.svc.cluster.local";

    /** What a token may be bound to. */
    public static final List<Kind<?>> BINDING = List.of(Kinds.POD, Kinds.SECRET, Kinds.NODE);

    private static final String PRIVATE = "kubernetes.io";
    /** So long the tokens of what is being deleted are good, as with Kubernetes. */
    private static final Duration LEEWAY = Duration.ofSeconds(60);

    private final DocumentStore store;
    private final SignedTokens signed;
    private final InstantSource clock;
    private final IdSource ids;

    /**
     * Nothing is done yet.
     *
     * @param store where accounts and pods are; stays the caller's
     * @param ids names each token
     */
    public ServiceAccountTokens(DocumentStore store, SignedTokens signed, InstantSource clock, IdSource ids) {
        this.store = store;
        this.signed = signed;
        this.clock = clock;
        this.ids = ids;
    }

    /**
     * A token.
     *
     * @param text what proves it: a secret
     * @param expires when it ends
     */
    public record Issued(String text, Instant expires) {
        @Override
        public String toString() {
            return "a token until " + expires;
        }
    }

    /**
     * Issues one.
     *
     * @param account the service account, as it is stored
     * @param bound the object with which the token ends, as it is stored; of one of {@link #BINDING}
     * @param audiences which servers it is for; none for this server
     */
    public Issued issue(Document account, Optional<Document> bound, List<String> audiences, Duration life) {
        Instant now = Instant.ofEpochSecond(clock.instant().getEpochSecond());
        Instant expires = now.plus(life);
        String namespace = account.text("metadata", "namespace").orElse("");
        Map<String, Object> kubernetes = new LinkedHashMap<>();
        kubernetes.put("namespace", namespace);
        bound.ifPresent(object -> {
            kubernetes.put(object.text("kind").orElse("").toLowerCase(Locale.ROOT), reference(object));
            nodeOf(object).ifPresent(node -> kubernetes.putIfAbsent("node", reference(node)));
        });
        kubernetes.put("serviceaccount", reference(account));
        Map<String, Object> claims = new LinkedHashMap<>();
        claims.put("aud", audiences.isEmpty() ? List.of(ISSUER) : audiences);
        claims.put("exp", expires.getEpochSecond());
        claims.put("iat", now.getEpochSecond());
        claims.put("iss", ISSUER);
        claims.put("jti", ids.newUid());
        claims.put(PRIVATE, kubernetes);
        claims.put("nbf", now.getEpochSecond());
        claims.put("sub", "system:serviceaccount:" + namespace + ":" + name(account));
        return new Issued(signed.sign(Document.of(claims)), expires);
    }

    private Optional<Document> nodeOf(Document object) {
        return object.text("spec", "nodeName")
                .filter(name -> !name.isEmpty() && object.text("kind").equals(Optional.of(Kinds.POD.name())))
                .flatMap(name ->
                        store.getDocument(Kinds.NODE, ObjectKey.cluster(name)).value());
    }

    private static Map<String, Object> reference(Document object) {
        Map<String, Object> reference = new LinkedHashMap<>();
        reference.put("name", name(object));
        reference.put("uid", object.text("metadata", "uid").orElse(""));
        return reference;
    }

    private static String name(Document object) {
        return object.text("metadata", "name").orElse("");
    }

    /** The owner of a token; empty if this server did not make it, it is for another server, or it is no longer valid. */
    public Optional<User> user(String token) {
        return review(token, List.of(ISSUER)).map(Reviewed::user);
    }

    /**
     * What is known of a token that is good.
     *
     * @param user whose it is
     * @param audiences which servers it is for, of those that were asked about
     */
    public record Reviewed(User user, List<String> audiences) {}

    /**
     * The same for any audience.
     *
     * @param audiences who asks; at least one of them has to be among those that the token is for
     */
    public Optional<Reviewed> review(String token, List<String> audiences) {
        return signed.claims(token).filter(this::isInTime).flatMap(claims -> {
            List<?> named = claims.at("aud")
                    .map(all -> all instanceof List<?> list ? list : List.of())
                    .orElse(List.of());
            List<String> meant = audiences.stream().filter(named::contains).toList();
            return meant.isEmpty() ? Optional.empty() : user(claims).map(user -> new Reviewed(user, meant));
        });
    }

    private boolean isInTime(Document claims) {
        long now = clock.instant().getEpochSecond();
        return claims.at("exp")
                        .filter(end -> end instanceof Long time && now < time)
                        .isPresent()
                && claims.at("nbf")
                        .filter(begin -> begin instanceof Long time && now >= time)
                        .isPresent();
    }

    private Optional<User> user(Document claims) {
        Document kubernetes = claims.object(PRIVATE).orElse(Document.empty());
        String namespace = kubernetes.text("namespace").orElse("");
        if (!stands(Kinds.SERVICE_ACCOUNT, namespace, kubernetes, "serviceaccount")) {
            return Optional.empty();
        }
        Map<String, List<String>> extra = new LinkedHashMap<>();
        claims.text("jti")
                .ifPresent(id -> extra.put("authentication.kubernetes.io/credential-id", List.of("JTI=" + id)));
        boolean ofPod = kubernetes.object("pod").isPresent();
        for (Kind<?> kind : BINDING) {
            String claim = kind.name().toLowerCase(Locale.ROOT);
            if (kubernetes.object(claim).isEmpty()) {
                continue;
            }
            // Beside a pod the node only tells where that was.
            boolean tells = kind == Kinds.NODE && ofPod;
            if (!tells && !stands(kind, kind.namespaced() ? namespace : "", kubernetes, claim)) {
                return Optional.empty();
            }
            if (kind != Kinds.SECRET) {
                for (String field : List.of("name", "uid")) {
                    extra.put(
                            "authentication.kubernetes.io/" + claim + "-" + field,
                            List.of(kubernetes.text(claim, field).orElse("")));
                }
            }
        }
        return Optional.of(User.account(
                namespace,
                kubernetes.text("serviceaccount", "name").orElse(""),
                kubernetes.text("serviceaccount", "uid").orElse(""),
                extra));
    }

    private boolean stands(Kind<?> kind, String namespace, Document kubernetes, String claim) {
        ObjectKey key = ObjectKey.of(namespace, kubernetes.text(claim, "name").orElse(""));
        return store.getDocument(kind, key)
                .value()
                .filter(found -> found.text("metadata", "uid").equals(kubernetes.text(claim, "uid")))
                .filter(found -> !isGone(found))
                .isPresent();
    }

    private boolean isGone(Document object) {
        return object.text("metadata", "deletionTimestamp")
                .filter(text -> !text.isEmpty())
                .filter(text -> {
                    try {
                        return clock.instant().isAfter(Instant.parse(text).plus(LEEWAY));
                    } catch (DateTimeParseException e) {
                        return true;
                    }
                })
                .isPresent();
    }
}
