// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.access.Credentials;
import dev.mooring.apiserver.token.ServiceAccountTokens;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Container;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodSpec;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.volumemanager.content.TokenIssuer.Issued;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PodTokenIssuerTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration HOUR = Duration.ofHours(1);

    @TempDir
    private Path directory = Path.of("");

    private final MemoryClusterStore store =
            new MemoryClusterStore(StoreOptions.of(Kinds.standard(), () -> NOW, IdSource.random(new Random(1))));

    @SuppressWarnings("NullAway.Init") // made before each test
    private ServiceAccountTokens tokens;

    @SuppressWarnings("NullAway.Init") // made before each test
    private PodTokenIssuer issuer;

    @SuppressWarnings("NullAway.Init") // made before each test
    private PodRef pod;

    @BeforeEach
    void prepare() throws IOException {
        Credentials credentials = Credentials.in(directory, List.of("localhost"), new SecureRandom(), NOW);
        tokens = new ServiceAccountTokens(store, credentials.signed(), () -> NOW, IdSource.random(new Random(2)));
        issuer = new PodTokenIssuer(store, tokens);
        Document account = Document.of(Map.of("metadata", Map.of("name", "builder", "namespace", "ns")));
        assertThat(store.createDocument(Kinds.SERVICE_ACCOUNT, account).value()).isPresent();
        Container main = new Container("main", "none", List.of(), List.of());
        Pod made = store.create(Kinds.POD, Pod.of("ns", "web", PodSpec.EMPTY.withContainers(List.of(main))))
                .orThrow();
        pod = new PodRef("ns", "web", made.metadata().uid());
    }

    private Outcome<Issued> issue(PodRef reader, String account) {
        return issuer.issue(reader, account, Optional.empty(), HOUR);
    }

    private static Optional<Refusal> refusal(Outcome<?> outcome) {
        return outcome.match(
                done -> Optional.empty(),
                refused -> Optional.of(refused.refusal()),
                uncertain -> Optional.empty(),
                deferred -> Optional.empty(),
                elsewhere -> Optional.empty());
    }

    @Test
    void aTokenIsGoodAsLongAsThePodIsThere() {
        Issued issued = issue(pod, "builder").result().orElseThrow();
        String token = new String(issued.value().reveal(), StandardCharsets.UTF_8);
        assertThat(issued.expires()).isEqualTo(NOW.plus(HOUR));
        assertThat(tokens.user(token))
                .hasValueSatisfying(user -> assertThat(user.name()).isEqualTo("system:serviceaccount:ns:builder"));
        store.delete(Kinds.POD, ObjectKey.of("ns", "web"), DeleteOptions.DEFAULT.withGracePeriodSeconds(0))
                .orThrow();
        assertThat(tokens.user(token)).isEmpty();
    }

    @Test
    void anAccountThatIsNotThereIsNamed() {
        Outcome<Issued> outcome = issue(pod, "missing");
        assertThat(refusal(outcome)).contains(Refusal.NOT_FOUND);
        assertThat(outcome.message()).contains("serviceaccounts \"missing\" not found in namespace ns");
    }

    @Test
    void anotherPodOfTheNameGetsNone() {
        assertThat(refusal(issue(new PodRef("ns", "web", "another"), "builder")))
                .contains(Refusal.NOT_FOUND);
    }
}
