// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.attachdetach.AttachDetachOptions;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.distribution.Deciders;
import dev.mooring.distribution.operations.OperationsAddress;
import dev.mooring.distribution.page.PageActors;
import dev.mooring.distribution.standalone.Standalone;
import dev.mooring.distribution.standalone.StandaloneServers;
import dev.mooring.host.linux.KeptPlaces;
import dev.mooring.kubernetes.Connection;
import dev.mooring.kubernetes.KubernetesOptions;
import dev.mooring.kubernetes.KubernetesStore;
import dev.mooring.kubernetes.LeaderOptions;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.ClusterStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControllerProcessTest {
    private static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    /** Not the usual one, which the server holds itself. */
    private static final ObjectKey LEASE = ObjectKey.of("kube-system", "another");

    @TempDir
    private Path directory = Path.of("");

    private static ServerSocket listening(int port) throws IOException {
        return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
    }

    private static InetSocketAddress address(ServerSocket socket) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), socket.getLocalPort());
    }

    private ControllerSettings settings(InetSocketAddress operations, InetSocketAddress page) throws IOException {
        Path kubeconfig = Files.writeString(directory.resolve("config"), """
            clusters: [{name: c, cluster: {server: "http://127.0.0.1:1"}}]
            users: [{name: u, user: {token: t}}]
            contexts: [{name: c, context: {cluster: c, user: u}}]
            current-context: c
            """);
        return ControllerSettingsBuilder.builder()
                .name("test")
                .connection(Connection.ofKubeconfig(kubeconfig))
                .options(KubernetesOptions.DEFAULT)
                .operations(Optional.of(new OperationsAddress(operations, "")))
                .plugins(List.of())
                .endpoints(Map.of())
                .served(Map.of())
                .page(Optional.of(new PageSettings(page, token -> false, PageActors.NONE, new SecureRandom())))
                .attachDetach(AttachDetachOptions.DEFAULT)
                .root(directory.resolve("root"))
                .places(KeptPlaces.in(directory.resolve("places")))
                .build();
    }

    @Test
    void whatWasChosenForLostNodesReachesTheControllers() throws IOException {
        ControllerSettings told = settings(ANY, ANY);
        AttachDetachOptions chosen = AttachDetachOptions.DEFAULT.withFenceLostNodes(true);
        ControllerProcess process = new ControllerProcess(told.withAttachDetach(chosen));
        MemoryClusterStore store = new MemoryClusterStore(
                StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new SecureRandom())));
        assertThat(process.parts(store).attachDetach()).isEqualTo(chosen);
    }

    /** A process that decides nothing any more must not keep the lease; its supervisor starts it again. */
    @Test
    void endsAndGivesTheLeaseBackWhenItsControllersHaveEnded() throws Exception {
        Path data = directory.resolve("server");
        try (Standalone server = Standalone.start(StandaloneServers.options(data), List.of())) {
            assertThat(server.sickness()).isEmpty();
            Connection connection = Connection.ofKubeconfig(data.resolve("kubeconfig"));
            Set<Thread> others = Deciders.now();
            ControllerProcess process = new ControllerProcess(ControllerSettingsBuilder.builder()
                    .name("test")
                    .connection(connection)
                    .options(KubernetesOptions.DEFAULT)
                    .election(Optional.of(LeaderOptions.of(LEASE, "me")))
                    .plugins(List.of())
                    .endpoints(Map.of())
                    .served(Map.of())
                    .attachDetach(AttachDetachOptions.DEFAULT)
                    .root(directory.resolve("root"))
                    .places(KeptPlaces.in(directory.resolve("places")))
                    .build());
            CompletableFuture<Boolean> run =
                    CompletableFuture.supplyAsync(process::run, task -> new Thread(task, "controller-process").start());
            Deciders.endAllBut(others);
            assertThat(run.join()).isFalse();
            try (ClusterStore store = KubernetesStore.open(connection, KubernetesOptions.DEFAULT)) {
                assertThat(store.get(Kinds.LEASE, LEASE).orThrow().spec().holderIdentity())
                        .isEmpty();
            }
        }
    }

    /**
     * A port that the kernel gives only to a program that asks for it by its number. Another process could get one of the others between
     * this look and its use, for a connection too.
     */
    private static int freePort(InetAddress own) throws IOException {
        // By a reader with a buffer: a reader that reads a part gets nothing more from the kernel.
        String range = Files.readAllLines(Path.of("/proc/sys/net/ipv4/ip_local_port_range"))
                .get(0);
        int first = Integer.parseInt(range.split("\\s+", -1)[0]);
        for (int port = first - 1; port > 1024; port--) {
            try (ServerSocket free = new ServerSocket(port, 1, own)) {
                return free.getLocalPort();
            } catch (BindException e) {
                // another process listens there
            }
        }
        throw new IOException("no port below " + first + " is free");
    }

    @Test
    void whatCannotBeShownLeavesNothingRunning() throws IOException {
        InetAddress own = InetAddress.getByName("127.0.47.11");
        InetSocketAddress free = new InetSocketAddress(own, freePort(own));
        try (ServerSocket taken = listening(0)) {
            ControllerProcess process = new ControllerProcess(settings(free, address(taken)));
            assertThatThrownBy(process::run)
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("cannot listen on 127.0.0.1:" + taken.getLocalPort());
            process.stop();
            try (ServerSocket again = new ServerSocket(free.getPort(), 1, own)) {
                assertThat(again.isBound()).isTrue();
            }
        }
    }
}
