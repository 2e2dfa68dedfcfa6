// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.clusterstore.DocumentStore;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.kubernetes.Connection;
import dev.mooring.kubernetes.KubernetesOptions;
import dev.mooring.kubernetes.KubernetesStore;
import dev.mooring.kubernetes.cluster.FilledCache;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.store.ListOptions;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Our own API server, which shows a list by a watch, as Kubernetes does since 1.32. */
@Tag("long")
class FilledCacheTest {
    private final MemoryClusterStore objects = new MemoryClusterStore(
            StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new SecureRandom())));
    private final AtomicInteger watches = new AtomicInteger();

    @TempDir
    private Path directory = Path.of("");

    private ApiServer server;
    private KubernetesStore store;

    @BeforeEach
    void start() throws IOException {
        server = ApiServer.builder(counted()).start();
        Path kubeconfig = directory.resolve("kubeconfig");
        server.writeKubeconfig(kubeconfig);
        store = KubernetesStore.open(Connection.ofKubeconfig(kubeconfig), KubernetesOptions.DEFAULT);
    }

    @AfterEach
    void end() {
        store.close();
        server.close();
        objects.close();
    }

    @Test
    void aListShowsWhatPagesShow() {
        new FilledCache(store).aListShowsWhatPagesShow();
    }

    @Test
    void whatIsWrittenBeforeAListIsInIt() {
        new FilledCache(store).whatIsWrittenBeforeAListIsInIt();
    }

    @Test
    void aListAndTheWatchThatGoesOnFromItLoseNothing() throws InterruptedException {
        new FilledCache(store).aListAndTheWatchThatGoesOnFromItLoseNothing();
    }

    /** Counts the watches that the server begins. */
    private DocumentStore counted() {
        return (DocumentStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DocumentStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("watchDocuments")) {
                        watches.incrementAndGet();
                    }
                    try {
                        return method.invoke(objects, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void itIsByWatchesThatMuchIsShownAndWhatIsSelected() {
        new FilledCache(store).aListShowsWhatPagesShow();
        int before = watches.get();
        store.list(Kinds.CONFIG_MAP, ListOptions.ALL).orThrow();
        assertThat(watches.get() - before).as("more than a page").isEqualTo(1);
        store.list(Kinds.CONFIG_MAP, ListOptions.ALL.withFields("metadata.name!=a"))
                .orThrow();
        assertThat(watches.get() - before).as("a selection").isEqualTo(2);
        store.list(Kinds.NAMESPACE, ListOptions.ALL).orThrow();
        store.list(Kinds.CONFIG_MAP, ListOptions.ALL.withFields("metadata.name=a"))
                .orThrow();
        store.list(Kinds.CONFIG_MAP, ListOptions.ALL.withLimit(1)).orThrow();
        assertThat(watches.get() - before).as("little, or a page").isEqualTo(2);
    }
}
