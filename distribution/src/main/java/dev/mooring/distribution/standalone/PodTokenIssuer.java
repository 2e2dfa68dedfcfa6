// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import dev.mooring.apiserver.token.ServiceAccountTokens;
import dev.mooring.clusterstore.DocumentStore;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.SecretValue;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.volumemanager.content.TokenIssuer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/**
 * Makes tokens for this machine's pods as the endpoint makes them for clients.
 *
 * @param store where accounts and pods are
 * @param tokens issues them
 */
public record PodTokenIssuer(DocumentStore store, ServiceAccountTokens tokens) implements TokenIssuer {
    @Override
    public Outcome<Issued> issue(PodRef pod, String account, Optional<String> audience, Duration life) {
        return find(Kinds.SERVICE_ACCOUNT, pod.namespace(), account)
                .then(found -> find(Kinds.POD, pod.namespace(), pod.name())
                        .then(bound -> bound.text("metadata", "uid").equals(Optional.of(pod.uid()))
                                ? Outcome.done(issued(found, bound, audience, life))
                                : Outcome.refused(Refusal.NOT_FOUND, "pod " + pod + " is not there any more")));
    }

    private Issued issued(Document account, Document pod, Optional<String> audience, Duration life) {
        ServiceAccountTokens.Issued token =
                tokens.issue(account, Optional.of(pod), audience.stream().toList(), life);
        return new Issued(new SecretValue(token.text().getBytes(StandardCharsets.UTF_8)), token.expires());
    }

    private Outcome<Document> find(Kind<?> kind, String namespace, String name) {
        return store.getDocument(kind, ObjectKey.of(namespace, name))
                .match(
                        Outcome::done,
                        failed -> failed.reason() == Failure.NOT_FOUND
                                ? Outcome.refused(
                                        Refusal.NOT_FOUND,
                                        kind.plural() + " \"" + name + "\" not found in namespace " + namespace)
                                : Outcome.deferred(failed.message()));
    }
}
