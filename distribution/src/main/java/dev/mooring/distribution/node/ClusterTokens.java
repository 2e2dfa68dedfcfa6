// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.node;

import dev.mooring.kubernetes.KubernetesStore;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.SecretValue;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.StoreResult.Failed;
import dev.mooring.volumemanager.content.TokenIssuer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Asks the cluster's API server for tokens of service accounts, as a kubelet does.
 *
 * @param cluster the API server; stays the caller's
 */
record ClusterTokens(KubernetesStore cluster) implements TokenIssuer {
    /** Tokens of an API server; none where there is no such server. */
    static TokenIssuer of(ClusterStore store) {
        return store instanceof KubernetesStore cluster ? new ClusterTokens(cluster) : NONE;
    }

    @Override
    public Outcome<Issued> issue(PodRef pod, String account, Optional<String> audience, Duration life) {
        return cluster.requestToken(ObjectKey.of(pod.namespace(), account), request(pod, audience, life))
                .match(ClusterTokens::issued, ClusterTokens::failed);
    }

    private static Document request(PodRef pod, Optional<String> audience, Duration life) {
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("audiences", audience.stream().toList());
        spec.put("expirationSeconds", life.toSeconds());
        spec.put(
                "boundObjectRef",
                Map.of(
                        "apiVersion", Kinds.POD.apiVersion(),
                        "kind", Kinds.POD.name(),
                        "name", pod.name(),
                        "uid", pod.uid()));
        return Document.of(Map.of("apiVersion", "authentication.k8s.io/v1", "kind", "TokenRequest", "spec", spec));
    }

    private static Outcome<Issued> issued(Document answer) {
        Optional<String> token = answer.text("status", "token").filter(text -> !text.isEmpty());
        Optional<Instant> expires = answer.text("status", "expirationTimestamp").flatMap(ClusterTokens::instant);
        if (token.isEmpty() || expires.isEmpty()) {
            return Outcome.deferred("the API server answered a request for a token without one");
        }
        return Outcome.done(new Issued(new SecretValue(token.get().getBytes(StandardCharsets.UTF_8)), expires.get()));
    }

    private static Optional<Instant> instant(String text) {
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    private static Outcome<Issued> failed(Failed<?> failed) {
        return switch (failed.reason()) {
            case NOT_FOUND -> Outcome.refused(Refusal.NOT_FOUND, failed.message());
            case FORBIDDEN -> Outcome.refused(Refusal.DENIED, failed.message());
            case INVALID -> Outcome.refused(Refusal.INVALID, failed.message());
            default -> new Outcome.Deferred<>("the cluster gives no token: " + failed.message(), failed.retryAfter());
        };
    }
}
