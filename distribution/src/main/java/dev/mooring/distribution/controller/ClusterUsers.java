// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller;

import dev.mooring.distribution.page.PageActors;
import dev.mooring.kubernetes.Connection;
import dev.mooring.kubernetes.KubernetesOptions;
import dev.mooring.kubernetes.KubernetesStore;
import dev.mooring.runtime.EventSink;
import dev.mooring.runtime.StoreEventSink;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.storage.codec.CodecException;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.StoreResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * Users of the cluster, who act with a token of their own: all that they read and write by the page, the API server lets them, and its
 * audit log names them. The controller's rights are not lent. Thread-safe.
 */
public final class ClusterUsers implements PageActors {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int PARTS_OF_A_JWT = 3;

    private final Connection cluster;
    private final KubernetesOptions options;

    /**
     * Knows no user.
     *
     * @param cluster where the API server is; its credentials are not used
     */
    public ClusterUsers(Connection cluster) {
        this.cluster = cluster;
        this.options = KubernetesOptions.DEFAULT.withUserAgent("mooring-page").withRequestTimeout(PATIENCE);
    }

    @Override
    public Whose whose() {
        return Whose.CLUSTER;
    }

    @Override
    public Actor enter(String token, String address, Kind<?> kind, ObjectKey object) throws Refused {
        KubernetesStore store = KubernetesStore.open(cluster.withToken(token), options);
        try {
            StoreResult<Boolean> may = store.mayI("patch", kind, object);
            if (may.failure().isPresent()) {
                throw new Refused(
                        403,
                        "the API server does not let this token in, or does not answer: "
                                + may.match(each -> "", failed -> failed.message()));
            }
            if (!may.orThrow()) {
                throw new Refused(403, "you may not patch " + kind.plural() + " " + object + " in this cluster");
            }
            return new Entered(store, "user " + name(store, token) + " at " + address);
        } catch (Refused | RuntimeException e) {
            store.close();
            throw e;
        }
    }

    /** As the server knows them; an older server does not say, but has accepted what the token itself says. */
    private static String name(KubernetesStore store, String token) {
        return store.whoAmI()
                .value()
                .filter(name -> !name.isEmpty())
                .or(() -> subject(token))
                .orElse("with a token of the API server");
    }

    private static Optional<String> subject(String token) {
        List<String> parts = List.of(token.split("\\.", -1));
        if (parts.size() != PARTS_OF_A_JWT) {
            return Optional.empty();
        }
        try {
            String claims = new String(Base64.getUrlDecoder().decode(parts.get(1)), StandardCharsets.UTF_8);
            return KubernetesJson.standard().read(claims, "the token").text("sub");
        } catch (IllegalArgumentException | CodecException e) {
            return Optional.empty(); // no JWT
        }
    }

    private static final class Entered implements Actor {
        private final KubernetesStore store;
        private final String name;

        Entered(KubernetesStore store, String name) {
            this.store = store;
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public ClusterStore store() {
            return store;
        }

        @Override
        public EventSink events() {
            return new StoreEventSink(store, TimeSource.system());
        }

        @Override
        public void close() {
            store.close();
        }
    }
}
