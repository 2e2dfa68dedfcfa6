// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mooring.distribution.page.PageActors;
import dev.mooring.distribution.page.PageActors.Actor;
import dev.mooring.distribution.page.PageActors.Refused;
import dev.mooring.distribution.standalone.Standalone;
import dev.mooring.distribution.standalone.StandaloneServers;
import dev.mooring.kubernetes.Connection;
import dev.mooring.kubernetes.KubernetesOptions;
import dev.mooring.kubernetes.KubernetesStore;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.ServiceAccount;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** With an API server that knows an administrator, and accounts that may do nothing. */
@TestInstance(Lifecycle.PER_CLASS)
class ClusterUsersTest {
    private static final ObjectKey DISK = ObjectKey.cluster("disk");

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private static Path directory;

    @SuppressWarnings("NullAway.Init") // started before the tests
    private Standalone server;

    @SuppressWarnings("NullAway.Init") // made before the tests
    private Connection connection;

    private String token = "";

    @BeforeAll
    void start() throws Exception {
        Path data = directory.resolve("data");
        server = Standalone.start(StandaloneServers.options(data), List.of());
        connection = Connection.ofKubeconfig(data.resolve("kubeconfig"));
        token = Files.readString(data.resolve("access/token")).strip();
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @Test
    void whoMayChangeTheObjectActsInTheNameThatTheServerKnows() throws Exception {
        try (Actor actor = new ClusterUsers(connection).enter(token, "127.0.0.1", Kinds.PERSISTENT_VOLUME, DISK)) {
            assertThat(actor.name()).isEqualTo("user mooring at 127.0.0.1");
            assertThat(actor.store()
                            .get(Kinds.NAMESPACE, ObjectKey.cluster("default"))
                            .value())
                    .isPresent();
        }
    }

    @Test
    void theServersNoIsANoOfThePage() throws Exception {
        String account;
        try (KubernetesStore store = KubernetesStore.open(connection, KubernetesOptions.DEFAULT)) {
            store.create(Kinds.SERVICE_ACCOUNT, new ServiceAccount(ObjectMeta.named("default", "reader")))
                    .orThrow();
            Document request = Document.of(
                    Map.of("apiVersion", "authentication.k8s.io/v1", "kind", "TokenRequest", "spec", Map.of()));
            account = store.requestToken(ObjectKey.of("default", "reader"), request)
                    .orThrow()
                    .text("status", "token")
                    .orElseThrow();
        }
        refused(new ClusterUsers(connection), account, "you may not patch persistentvolumes disk");
    }

    /** The process has the administrator's credentials, which must not stand in for those that were shown. */
    @Test
    void aTokenThatTheServerDoesNotKnowIsNotHelpedByTheProcessesOwn() {
        refused(new ClusterUsers(connection), "x", "does not let this token in");
    }

    @Test
    void withoutTheOptionNoUserActs() {
        refused(PageActors.NONE, token, "changes nothing");
    }

    private static void refused(PageActors actors, String shown, String why) {
        assertThatExceptionOfType(Refused.class)
                .isThrownBy(() -> actors.enter(shown, "127.0.0.1", Kinds.PERSISTENT_VOLUME, DISK))
                .withMessageContaining(why);
    }
}
