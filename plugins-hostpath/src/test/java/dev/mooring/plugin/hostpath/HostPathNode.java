// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.host.linux.KeptPlaces;
import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.storage.model.HostPathSource;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Notice;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.VolumeNotes;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.VolumeTemplate;
import dev.mooring.storage.spi.host.HostCapabilities;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.testkit.host.PlainCall;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** A node on the real kernel with the plugin, in a directory of its own; everything is unmounted again in the end. */
public final class HostPathNode implements AutoCloseable {
    public static final NodeRef HERE = new NodeRef("node-1", "node-uid-1");
    public static final PodRef POD = new PodRef("ns", "pod", "pod-uid");

    public final Path base;
    public final Path root;
    public final LinuxHost host;
    /** The places of this test's processes. */
    final KeptPlaces places;

    HostPathPlugin plugin;
    public final Notes notes = new Notes();
    /** What was told to people. */
    public final List<String> told = new CopyOnWriteArrayList<>();

    private NodeRef self = HERE;

    /** Skips the test, with the reason, where a feature is missing; then nothing has been made yet. */
    public HostPathNode() {
        Optional<LinuxHost> here = LinuxHost.ofThisMachine(LinuxHostLayout.below(Path.of("/nowhere")));
        assumeTrue(here.isPresent(), "needs Linux on x86_64 or aarch64");
        HostCapabilities capabilities = here.orElseThrow().capabilities();
        for (HostFeature feature : List.of(HostFeature.ROOT, HostFeature.ATOMIC_BIND, HostFeature.RESOLVE_RULES)) {
            assumeTrue(
                    capabilities.has(feature),
                    () -> feature + ": " + capabilities.whyMissing(feature).orElse(""));
        }
        try {
            base = Files.createTempDirectory("mooring-hostpath").toRealPath();
            root = Files.createDirectories(base.resolve("state/hostpath"));
            Files.createDirectories(base.resolve("pods"));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        places = KeptPlaces.in(base.resolve("places"));
        host = LinuxHost.ofThisMachine(new LinuxHostLayout(base.resolve("state"), base.resolve("orphans"), places))
                .orElseThrow();
        plugin = configured(Map.of());
    }

    /** The plugin with settings from here on. */
    void set(Map<String, String> settings) {
        plugin = configured(settings);
    }

    private HostPathPlugin configured(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.putIfAbsent("root", root.toString());
        return (HostPathPlugin) value(new HostPathPlugin().configured(all));
    }

    public void becomes(NodeRef other) {
        self = other;
    }

    public Path target() {
        return base.resolve("pods/target");
    }

    /** A call as the host makes it: whatever is Mooring's own and not the plugin's is kept from it. */
    public OperationContext context() {
        return context(services());
    }

    /** What the host does for the plugins of these tests. */
    HostServices services() {
        return host.forPlugin(
                HostPathPlugin.NAME, List.of(root, base.resolve("state/localvolume"), base.resolve("pods")));
    }

    public OperationContext context(HostServices services) {
        return context(services, notes);
    }

    /** A call for a volume whose notes are its own. */
    public OperationContext context(HostServices services, VolumeNotes own) {
        return new Context(services, Optional.of(self), Instant.now().plusSeconds(60), own, told::add);
    }

    /** A call on a host of the test's own. */
    static OperationContext contextOn(HostServices services) {
        return new Context(services, Optional.of(HERE), Instant.now().plusSeconds(60), VolumeNotes.NONE, message -> {});
    }

    /** A call on a host that refuses to open or change anything. */
    OperationContext harmlessContext() {
        return context(HostServices.none());
    }

    static VolumeSource source(String path, String type) {
        return new HostPathSource(path, type).toSource();
    }

    static VolumeSpec volume(String name, VolumeSource source) {
        return new VolumeSpec(
                name, "pv-uid", source, List.of(), VolumeMode.FILESYSTEM, Quantity.parse("1Gi"), List.of(), Map.of());
    }

    Outcome<PluginState> publish(Path path, String type, boolean readOnly) {
        return publish(volume("vol", source(path.toString(), type)), readOnly);
    }

    Outcome<PluginState> publish(VolumeSpec volume, boolean readOnly) {
        return plugin.publish(
                context(),
                new PublishRequest(volume, POD, target(), Optional.empty(), readOnly, PublishRequest.Occasion.INITIAL));
    }

    Outcome<Nothing> unpublish(Path path, PluginState state) {
        return unpublishAt(target(), path, state);
    }

    Outcome<Nothing> unpublishAt(Path target, Path path, PluginState state) {
        return plugin.unpublish(context(), plugin.identify(source(path.toString(), "")), POD, target, state);
    }

    static ProvisionRequest request(String name, Map<String, String> parameters) {
        return new ProvisionRequest(
                name,
                ObjectKey.of("ns", "claim"),
                "claim-uid",
                Map.of(),
                Map.of(),
                Quantity.parse("1Gi"),
                List.of(),
                VolumeMode.FILESYSTEM,
                "class",
                parameters,
                Map.of(),
                List.of(),
                ReclaimPolicy.DELETE,
                Optional.of(HERE),
                Map.of());
    }

    Outcome<VolumeTemplate> provision(ProvisionRequest request) {
        return plugin.plan(request).then(plan -> plugin.provision(context(), request, plan));
    }

    VolumeSpec provisioned(String name) {
        return volume(name, value(provision(request(name, Map.of()))).source());
    }

    public Path file(String name, String content) {
        try {
            Path file = base.resolve(name);
            Files.createDirectories(file.getParent());
            return Files.writeString(file, content);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    public Path directory(String name) {
        try {
            return Files.createDirectories(base.resolve(name));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    public List<MountEntry> mounts() {
        return value(host.mounts().table()).below(base);
    }

    public static <T> T value(Outcome<T> outcome) {
        assertThat(outcome.isDone()).as(outcome::toString).isTrue();
        return outcome.result().orElseThrow();
    }

    /** {@code done}, the refusal, or the kind of the outcome. */
    public static String answer(Outcome<?> outcome) {
        return outcome.match(
                done -> "done",
                refused -> refused.refusal().toString(),
                uncertain -> "uncertain",
                deferred -> "deferred",
                elsewhere -> "elsewhere");
    }

    public static String tool(String... words) {
        try {
            Process process =
                    new ProcessBuilder(words).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(String.join(" ", words) + ": " + output);
            }
            return output;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    public void unmountAll() {
        List<MountEntry> left = mounts();
        for (int i = left.size() - 1; i >= 0; i--) {
            tool("umount", "-l", left.get(i).mountPoint().toString());
        }
    }

    @Override
    public void close() throws IOException {
        unmountAll();
        Files.walkFileTree(base, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, IOException failure) throws IOException {
                Files.delete(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private record Context(
            HostServices host, Optional<NodeRef> node, Instant deadline, VolumeNotes notes, Consumer<String> people)
            implements PlainCall {
        @Override
        public void report(Notice notice) {
            people.accept(notice.toString());
        }
    }
}
