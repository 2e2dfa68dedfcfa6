// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.attachdetach.AttachDetachOptions;
import dev.mooring.distribution.node.NodeProcess;
import dev.mooring.distribution.node.NodeProcesses;
import dev.mooring.distribution.standalone.Standalone;
import dev.mooring.distribution.standalone.StandaloneServers;
import dev.mooring.host.linux.KeptPlace;
import dev.mooring.host.linux.KeptPlaces;
import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.kubernetes.Connection;
import dev.mooring.kubernetes.KubernetesOptions;
import dev.mooring.kubernetes.KubernetesStore;
import dev.mooring.runtime.plugin.UnwatchedContext;
import dev.mooring.storage.model.HostPathSource;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.Deleting;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.Provisioning;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.Publishing;
import dev.mooring.storage.spi.Recycling;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.spi.host.MountEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server, a node's agent and the controllers run on one machine. Whatever one of them keeps, no call of a fourth process shows it, makes
 * something in it, empties it or destroys it, whichever way the volume names it.
 */
class KeptPlacesOfAllProcessesTest {
    private static final String PLUGIN = "kubernetes.io/host-path";
    private static final NodeRef HERE = new NodeRef("n1", "n1-uid");

    @TempDir
    private Path temp = Path.of("");

    private Path directory = Path.of("");
    private LinuxHost host =
            LinuxHost.ofThisMachine(LinuxHostLayout.below(Path.of("/nowhere"))).orElse(null);
    private final List<String> wrong = new ArrayList<>();
    private int ways;
    private int tried;

    /** A way in which a volume can name a place. */
    private enum Way {
        PATH,
        SYMBOLIC_LINK,
        BIND_MOUNT,
        OWN_PROCESS
    }

    private record Calling(HostServices host, Instant deadline) implements UnwatchedContext {
        @Override
        public NodeRef here() {
            return HERE;
        }

        @Override
        public InstantSource clock() {
            return Clock.systemUTC();
        }

        @Override
        public String idempotencyKey() {
            return "test";
        }
    }

    @BeforeEach
    void thisMachineMounts() throws IOException {
        assumeTrue(host != null, "needs Linux on x86_64 or aarch64");
        for (HostFeature feature : List.of(HostFeature.ROOT, HostFeature.ATOMIC_BIND, HostFeature.RESOLVE_RULES)) {
            assumeTrue(
                    host.capabilities().has(feature),
                    () -> feature + ": "
                            + host.capabilities().whyMissing(feature).orElse(""));
        }
        directory = temp.toRealPath();
        Files.createDirectories(directory.resolve("pods"));
        host = LinuxHost.ofThisMachine(
                        new LinuxHostLayout(directory.resolve("state"), directory.resolve("orphans"), reader()))
                .orElseThrow();
    }

    private KeptPlaces reader() {
        return KeptPlaces.in(directory.resolve("places"));
    }

    @Test
    void noneIsShownMadeInEmptiedOrDestroyedInAnyWay() throws Exception {
        Path data = directory.resolve("server");
        try (Standalone server = Standalone.start(StandaloneServers.options(data), List.of())) {
            assertThat(server.sickness()).isEmpty();
            Connection connection = Connection.ofKubeconfig(data.resolve("kubeconfig"));
            NodeProcess node = new NodeProcess(NodeProcesses.settings(
                    () -> KubernetesStore.open(connection, KubernetesOptions.DEFAULT),
                    "n1",
                    directory.resolve("node")));
            ControllerProcess controller = new ControllerProcess(ControllerSettingsBuilder.builder()
                    .name("test")
                    .connection(connection)
                    .options(KubernetesOptions.DEFAULT)
                    .plugins(List.of())
                    .endpoints(Map.of())
                    .served(Map.of())
                    .attachDetach(AttachDetachOptions.DEFAULT)
                    .root(Files.createDirectories(directory.resolve("controller")))
                    .places(KeptPlaces.in(directory.resolve("places")))
                    .build());
            CompletableFuture<Boolean> agent = NodeProcesses.run(node);
            CompletableFuture<Boolean> controllers =
                    CompletableFuture.supplyAsync(controller::run, task -> new Thread(task, "controllers").start());
            try {
                List<KeptPlace> places = allNoted(agent, controllers);
                for (KeptPlace place : places) {
                    if (place.path().startsWith(directory) && Files.exists(place.path())) {
                        look(place);
                    }
                }
                whoSeesTheRootSeesNone(places);
                assertThat(server.sickness()).isEmpty();
            } finally {
                controller.stop();
                node.stop();
                unmountAll();
            }
            assertThat(agent.join()).isTrue();
            assertThat(controllers.join()).isTrue();
        }
        System.out.println(tried + " calls for kept places named in " + ways + " ways, all refused");
        assertThat(wrong).isEmpty();
    }

    private List<KeptPlace> allNoted(CompletableFuture<?>... running) {
        while (true) {
            List<KeptPlace> noted = reader().all().result().orElseThrow();
            Set<String> owners = noted.stream()
                    .filter(place -> Files.exists(place.path()))
                    .map(place -> place.owner().replaceAll(" \\(.*", ""))
                    .collect(Collectors.toSet());
            if (owners.containsAll(Set.of("mooring standalone", "mooring node", "mooring controller"))) {
                return noted;
            }
            for (CompletableFuture<?> each : running) {
                assertThat(each).as("noted until now: " + noted).isNotDone();
            }
            assertThat(Thread.interrupted()).as("it lasts too long").isFalse();
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    // ---- the calls ----

    private void look(KeptPlace place) throws IOException {
        for (Way way : Way.values()) {
            Optional<Path> named = named(place.path(), way);
            if (named.isPresent()) {
                ways++;
                String what = place + " by " + way;
                if (!place.visible() || way == Way.OWN_PROCESS) {
                    refused(what + ": publish", publish(named.get(), ""));
                    refused(what + ": make in it", publish(named.get().resolve("new/deep"), "DirectoryOrCreate"));
                    refused(what + ": provision", provision(named.get()));
                }
                refused(what + ": recycle", recycle(named.get()));
                refused(what + ": delete", delete(named.get()));
                assertThat(Files.exists(place.path().resolve("new"))).isFalse();
                assertThat(Files.exists(place.path().resolve("v")))
                        .as("where volumes are made")
                        .isFalse();
                assertThat(place.path()).exists();
            }
        }
    }

    private Optional<Path> named(Path place, Way way) throws IOException {
        String name = "way-" + ways;
        return switch (way) {
            case PATH -> Optional.of(place);
            case SYMBOLIC_LINK -> Optional.of(Files.createSymbolicLink(directory.resolve(name), place));
            case BIND_MOUNT -> {
                Path bound = directory.resolve(name);
                if (Files.isDirectory(place)) {
                    Files.createDirectory(bound);
                } else {
                    Files.createFile(bound);
                }
                tool("mount", "--bind", place.toString(), bound.toString());
                yield Optional.of(bound);
            }
            case OWN_PROCESS -> Optional.of(Path.of("/proc/self/root" + place));
        };
    }

    private void refused(String what, Outcome<?> outcome) {
        tried++;
        boolean refused = outcome.match(done -> false, no -> true, uncertain -> false, deferred -> false, e -> false);
        if (!refused) {
            wrong.add(what + ": " + outcome);
        }
    }

    private static StoragePlugin plugin(Map<String, String> settings) {
        StoragePlugin found = ServiceLoader.load(StoragePlugin.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(each -> each.describe().name().value().equals(PLUGIN))
                .findFirst()
                .orElseThrow();
        return found.configured(settings).result().orElseThrow();
    }

    private <C> C plugin(Class<C> capability, Map<String, String> settings) {
        return capability.cast(plugin(settings));
    }

    private Map<String, String> settings() throws IOException {
        return Map.of(
                "root",
                Files.createDirectories(directory.resolve("state/hostpath")).toString());
    }

    private OperationContext context(Path root) {
        HostServices services =
                host.forPlugin(plugin(Map.of()).describe().name(), List.of(root, directory.resolve("pods")));
        return new Calling(services, Instant.now().plusSeconds(60));
    }

    private OperationContext context() {
        return context(directory.resolve("state/hostpath"));
    }

    private static VolumeSpec volume(Path path, String type) {
        return new VolumeSpec(
                "pv",
                "pv-uid",
                new HostPathSource(path.toString(), type).toSource(),
                List.of(),
                VolumeMode.FILESYSTEM,
                Quantity.parse("1Gi"),
                List.of(),
                Map.of());
    }

    private Outcome<PluginState> publish(Path path, String type) throws IOException {
        Outcome<PluginState> outcome = plugin(Publishing.class, settings())
                .publish(
                        context(),
                        new PublishRequest(
                                volume(path, type),
                                new PodRef("other", "pod", "pod-uid"),
                                target(),
                                Optional.empty(),
                                true,
                                PublishRequest.Occasion.INITIAL));
        return outcome;
    }

    private Path target() {
        return directory.resolve("pods/target");
    }

    private Outcome<?> recycle(Path path) throws IOException {
        return plugin(Recycling.class, settings()).recycle(context(), volume(path, ""));
    }

    private Outcome<?> delete(Path path) throws IOException {
        return plugin(Deleting.class, settings()).delete(context(), volume(path, ""));
    }

    /** Directories for claims would be made in it. */
    private Outcome<?> provision(Path root) {
        ProvisionRequest request = new ProvisionRequest(
                "pvc-1",
                ObjectKey.of("other", "claim"),
                "claim-uid",
                Map.of(),
                Map.of(),
                Quantity.parse("1Gi"),
                List.of(),
                VolumeMode.FILESYSTEM,
                "class",
                Map.of(),
                Map.of(),
                List.of(),
                ReclaimPolicy.DELETE,
                Optional.of(HERE),
                Map.of());
        Provisioning plugin = plugin(Provisioning.class, Map.of("root", root.toString()));
        return plugin.plan(request).then(plan -> plugin.provision(context(), request, plan));
    }

    // ---- what contains them ----

    private void whoSeesTheRootSeesNone(List<KeptPlace> places) throws IOException {
        assertThat(publish(Path.of("/"), "").isDone()).isTrue();
        for (KeptPlace place : places) {
            Path seen = Path.of(target().toString() + place.path());
            if (!place.visible() && Files.isDirectory(place.path())) {
                assertThat(seen).as("what a pod sees of " + place).isEmptyDirectory();
            } else if (!place.visible() && Files.exists(seen)) {
                assertThat(seen).as("what a pod sees of " + place).isEmptyFile();
            }
        }
    }

    private void unmountAll() throws IOException {
        List<MountEntry> left = host.mounts().table().result().orElseThrow().below(directory).stream()
                .filter(entry -> entry.mountPoint().startsWith(directory.resolve("pods"))
                        || entry.mountPoint().toString().contains("/way-"))
                .toList();
        for (int i = left.size() - 1; i >= 0; i--) {
            tool("umount", "-l", left.get(i).mountPoint().toString());
        }
    }

    private static void tool(String... words) throws IOException {
        try {
            assertThat(new ProcessBuilder(words).inheritIO().start().waitFor()).isZero();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
