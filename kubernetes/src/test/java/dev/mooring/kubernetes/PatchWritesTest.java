// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.kubernetes.KubernetesOptions.RequestLimit;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.PersistentVolumeSpec;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.Deletion;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is sent. */
class PatchWritesTest {
    private final FakeServer server = new FakeServer();
    private final KubernetesStore store = server.store(FakeServer.AMPLE);

    @AfterEach
    void close() {
        store.close();
        server.close();
    }

    @Test
    void aChangeIsAMergePatchOfWhatChangedWithThePrecondition() {
        PersistentVolume base = volume();
        PersistentVolume edited = base.withMetadata(base.metadata().withAnnotation("example.com/a", "b"))
                .withStatus(base.status().withPhase(PersistentVolumePhase.BOUND));
        store.update(Kinds.PERSISTENT_VOLUME, new Change<>(base, edited)).orThrow();
        assertThat(only())
                .startsWith("PATCH /api/v1/persistentvolumes/a HTTP")
                .containsIgnoringCase("content-type: application/merge-patch+json")
                .endsWith(
                        "{\"metadata\":{\"annotations\":{\"example.com/a\":\"b\"},\"resourceVersion\":\"1\",\"uid\":\"u\"}}");
    }

    @Test
    void aStatusGoesToItsSubResourceAlone() {
        PersistentVolume base = volume();
        PersistentVolume edited = base.withMetadata(base.metadata().withAnnotation("example.com/a", "b"))
                .withStatus(base.status().withPhase(PersistentVolumePhase.BOUND));
        store.updateStatus(Kinds.PERSISTENT_VOLUME, new Change<>(base, edited)).orThrow();
        assertThat(only())
                .startsWith("PATCH /api/v1/persistentvolumes/a/status HTTP")
                .endsWith("{\"status\":{\"phase\":\"Bound\"},\"metadata\":{\"resourceVersion\":\"1\",\"uid\":\"u\"}}");
    }

    @Test
    void aDeletionCarriesItsPreconditionsAndWishes() {
        DeleteOptions options = DeleteOptions.exactly("u", new Revision(1)).withGracePeriodSeconds(0);
        Deletion<PersistentVolume> deletion = store.delete(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster("a"), options)
                .orThrow();
        assertThat(deletion.removed()).isTrue();
        assertThat(only())
                .startsWith("DELETE /api/v1/persistentvolumes/a HTTP")
                .contains("\"preconditions\":{\"uid\":\"u\",\"resourceVersion\":\"1\"}")
                .contains("\"gracePeriodSeconds\":0", "\"propagationPolicy\":\"Background\"");
    }

    @Test
    void anAnswerToADeletionThatIsAMereStatusTellsWhoWentAtLeast() {
        server.answer(200, "", "{\"kind\":\"Status\",\"status\":\"Success\",\"details\":{\"uid\":\"u\"}}");
        Deletion<PersistentVolume> deletion = store.delete(
                        Kinds.PERSISTENT_VOLUME, ObjectKey.cluster("a"), DeleteOptions.DEFAULT)
                .orThrow();
        assertThat(deletion.removed()).isTrue();
        assertThat(deletion.object().metadata().uid()).isEqualTo("u");
        assertThat(deletion.object().metadata().name()).isEqualTo("a");
    }

    @Test
    void creationLeavesTheStatusOut() {
        PersistentVolume wanted = volume().withStatus(volume().status().withPhase(PersistentVolumePhase.BOUND));
        store.create(Kinds.PERSISTENT_VOLUME, wanted).orThrow();
        assertThat(only()).startsWith("POST /api/v1/persistentvolumes HTTP").doesNotContain("\"status\"");
    }

    @Test
    void namesAndSelectorsAreEscaped() {
        store.list(
                        Kinds.PERSISTENT_VOLUME,
                        dev.mooring.storage.store.ListOptions.ALL
                                .withFields("metadata.name=a&watch=1")
                                .withLimit(2)
                                .after("t/+"))
                .orThrow();
        assertThat(only())
                .startsWith(
                        "GET /api/v1/persistentvolumes?fieldSelector=metadata.name%3Da%26watch%3D1&limit=2&continue=t%2F%2B HTTP");
    }

    @Test
    void aLimitLetsABurstPassAndThenOneAtATime() {
        Throttle.Bucket bucket = new Throttle.Bucket();
        RequestLimit limit = new RequestLimit(10, 3);
        long start = -5_000_000_000L;
        assertThat(bucket.take(limit, start)).isZero();
        assertThat(bucket.take(limit, start)).isZero();
        assertThat(bucket.take(limit, start)).isZero();
        assertThat(bucket.take(limit, start)).isEqualTo(100_000_000);
        assertThat(bucket.take(limit, start)).isEqualTo(200_000_000);
        assertThat(bucket.take(limit, start + 60_000_000_000L))
                .as("after a pause")
                .isZero();
    }

    @Test
    void aTokenIsAskedForByTheAccountsSubResourceAndOnlyOnce() {
        server.answer(201, "", "{\"kind\":\"TokenRequest\",\"status\":{\"token\":\"t\"}}");
        StoreResult<Document> token = store.requestToken(
                ObjectKey.of("ns", "builder"),
                Document.of(Map.of("kind", "TokenRequest", "spec", Map.of("expirationSeconds", 600L))));
        assertThat(token.orThrow().text("status", "token")).contains("t");
        assertThat(only())
                .startsWith("POST /api/v1/namespaces/ns/serviceaccounts/builder/token HTTP")
                .contains("\"expirationSeconds\":600");
    }

    @Test
    void aTokenThatIsRefusedIsToldAsItIs() {
        server.answer(403, "", "{\"kind\":\"Status\",\"reason\":\"Forbidden\",\"message\":\"not yours\",\"code\":403}");
        StoreResult<Document> token =
                store.requestToken(ObjectKey.of("ns", "builder"), Document.of(Map.of("kind", "TokenRequest")));
        assertThat(token.failure()).contains(StoreResult.Failure.FORBIDDEN);
    }

    private String only() {
        assertThat(server.texts()).hasSize(1);
        return server.texts().get(0);
    }

    private static PersistentVolume volume() {
        PersistentVolume volume = PersistentVolume.of("a", PersistentVolumeSpec.EMPTY);
        return volume.withMetadata(volume.metadata().withResourceVersion("1").withUid("u"))
                .withSpec(volume.spec().withStorageClassName(Optional.of("c")));
    }
}
