// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import dev.mooring.apiserver.access.Credentials;
import dev.mooring.apiserver.rest.ApiEndpoint;
import dev.mooring.apiserver.rest.Backups;
import dev.mooring.apiserver.token.ServiceAccountTokens;
import dev.mooring.clusterstore.DocumentStore;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.distribution.standalone.ProgramClient.Reply;
import dev.mooring.storage.model.Kinds;
import dev.mooring.store.embedded.EmbeddedClusterStore;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** An unforeseen failure, such as a defect of the store below, never leaves a request without its answer. */
class UnforeseenFailuresTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String SECRET = "planted-secret";
    private static final Map<String, Throwable> DEFECTS = Map.of(
            "listDocuments", new NullPointerException(SECRET),
            "getDocument", new StackOverflowError(SECRET),
            "watchDocuments", new IllegalStateException("outer", new AssertionError(SECRET)));

    @TempDir
    private Path directory = Path.of("");

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.mooring.apiserver.rest");

    @SuppressWarnings("NullAway.Init") // opened before each test
    private EmbeddedClusterStore store;

    @SuppressWarnings("NullAway.Init") // started before each test
    private ApiEndpoint endpoint;

    @SuppressWarnings("NullAway.Init") // made before each test
    private ProgramClient client;

    @BeforeEach
    void start() throws Exception {
        log.start();
        logger.addAppender(log);
        SecureRandom random = new SecureRandom();
        InstantSource clock = InstantSource.system();
        store = EmbeddedClusterStore.open(
                directory.resolve("cluster.db"), StoreOptions.of(Kinds.standard(), clock, IdSource.random(random)));
        Credentials credentials =
                Credentials.in(directory.resolve("access"), List.of("localhost", "127.0.0.1"), random, clock.instant());
        ServiceAccountTokens tokens =
                new ServiceAccountTokens(store, credentials.signed(), clock, IdSource.random(random));
        endpoint = ApiEndpoint.builder(failing(store), credentials, tokens, clock)
                .backups(new Backups(directory.resolve("backups"), store::backup))
                .start(InetAddress.getLoopbackAddress(), 0);
        Path kubeconfig = directory.resolve("kubeconfig");
        Files.writeString(kubeconfig, credentials.kubeconfig("https://127.0.0.1:" + endpoint.port()));
        client = new ProgramClient(kubeconfig);
    }

    @AfterEach
    void stop() {
        endpoint.close();
        store.close();
        logger.detachAppender(log);
    }

    private static DocumentStore failing(DocumentStore store) {
        return (DocumentStore) Proxy.newProxyInstance(
                UnforeseenFailuresTest.class.getClassLoader(),
                new Class<?>[] {DocumentStore.class},
                (proxy, method, arguments) -> {
                    // The beginning of a watch looks what there is, one object of it.
                    boolean look = method.getName().equals("listDocuments")
                            && arguments[1].toString().contains("limit=1,");
                    Throwable defect = DEFECTS.get(method.getName());
                    if (defect != null && !look) {
                        throw defect;
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {MAPS, MAPS + "/some", "/apis/storage.k8s.io/v1/storageclasses/some"})
    void theAnswerIsAStatusThatNamesTheRequest(String path) throws Exception {
        Reply reply = client.get(path);

        assertThat(reply.status()).isEqualTo(500);
        assertThat(reply.text("kind")).isEqualTo("Status");
        assertThat(reply.text("reason")).isEqualTo("InternalError");
        assertThat(reply.text("message")).contains("GET " + path).doesNotContain(SECRET);
        isLoggedOnceWithoutSecrets(path);
    }

    @Test
    void aWatchEndsWithTheError() throws Exception {
        HttpResponse<InputStream> watch = client.stream(MAPS + "?watch=1&resourceVersion=1");

        String lines = new String(watch.body().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(lines).contains("\"ERROR\"", "\"code\":500", "GET " + MAPS).doesNotContain(SECRET);
        isLoggedOnceWithoutSecrets(MAPS);
    }

    @Test
    void theConnectionServesTheNextRequest() throws Exception {
        assertThat(client.get(MAPS).status()).isEqualTo(500);
        assertThat(client.get("/version").status()).isEqualTo(200);
    }

    private void isLoggedOnceWithoutSecrets(String path) {
        assertThat(log.list).hasSize(1);
        ILoggingEvent event = log.list.get(0);
        String text = event.getFormattedMessage() + "\n" + ThrowableProxyUtil.asString(event.getThrowableProxy());
        assertThat(text).contains("GET " + path, "UnforeseenFailuresTest").doesNotContain(SECRET);
    }
}
