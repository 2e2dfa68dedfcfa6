// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.mooring.host.linux.KeptPlaces;
import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.RecordEntry.Stage;
import dev.mooring.runtime.record.RecordEntryStageBuilder;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.StageRequest;
import dev.mooring.storage.spi.Staging;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.volumemanager.machine.RecordingCall;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What pods have left goes if it is empty, and only then. */
class HostWorkTest {
    @TempDir
    private Path temp;

    private Path pods = Path.of("/");
    private Optional<HostWork> work = Optional.empty();

    @BeforeEach
    void onLinux() throws IOException {
        Optional<LinuxHost> host = LinuxHost.ofThisMachine(new LinuxHostLayout(
                temp.resolve("state"), temp.resolve("orphans"), KeptPlaces.in(temp.resolve("places"))));
        assumeThat(host).as("Linux on x86_64 or aarch64").isPresent();
        assumeThat(host.get().capabilities().whyMissing(HostFeature.RESOLVE_RULES))
                .as("why paths cannot be confined")
                .isEmpty();
        Path root = Files.createDirectories(temp.resolve("kubelet")).toRealPath();
        pods = root.resolve("pods");
        work = Optional.of(new HostWork(root, PluginRegistry.EMPTY, host.get()));
    }

    private List<String> clean(Optional<String> only, String... known) {
        CleanPodsCall call = new CleanPodsCall(new NodeRef("n1", "uid"), new TreeSet<>(List.of(known)), only);
        return ((CleanPodsCall.Answer) work.orElseThrow()
                        .perform(RecordingCall.of(HostServices.none()), call)
                        .result()
                        .orElseThrow())
                .left();
    }

    private Path directory(String... names) throws IOException {
        return Files.createDirectories(pods.resolve(Path.of("", names)));
    }

    /** Of such a volume nothing can have been unmounted: the pods that have it and the next one keep it over a restart. */
    @Test
    void whatWasPreparedWithoutAMountIsThere() throws IOException {
        Path path = Files.createDirectories(temp.resolve("prepared"));
        assertThat(verified(path, Preparing.MOUNTED)).isFalse();
        assertThat(verified(path, Preparing.LOGGED_IN)).isTrue();
    }

    private boolean verified(Path path, PluginState state) {
        HostWork there = new HostWork(
                pods,
                new PluginRegistry(List.of(new Preparing())),
                work.orElseThrow().host());
        Stage record = RecordEntryStageBuilder.builder()
                .volume("pv1")
                .volumeId(new VolumeId(Preparing.NAME, "1"))
                .mode(VolumeMode.FILESYSTEM)
                .stagingPath(path)
                .accessModes(List.of())
                .state(state)
                .phase(RecordPhase.DONE)
                .bootId("boot-1")
                .build();
        VerifyCall call = new VerifyCall(new NodeRef("n1", "uid"), record);
        return (Boolean) there.perform(RecordingCall.of(HostServices.none()), call)
                .result()
                .orElseThrow();
    }

    /** Prepares some volumes by a mount, and some by a session alone. */
    private static final class Preparing implements StoragePlugin, Staging {
        static final PluginName NAME = new PluginName("example.com/preparing");
        static final PluginState MOUNTED = new PluginState(1, "mounted");
        static final PluginState LOGGED_IN = new PluginState(1, "logged in");

        @Override
        public PluginDescriptor describe() {
            return PluginDescriptor.of(NAME, List.of("preparing"), Place.NODE);
        }

        @Override
        public VolumeId identify(VolumeSource source) {
            return new VolumeId(NAME, "1");
        }

        @Override
        public List<FieldProblem> validate(VolumeSource source) {
            return List.of();
        }

        @Override
        public Outcome<PluginState> stage(OperationContext context, StageRequest request) {
            return Outcome.done(MOUNTED);
        }

        @Override
        public Outcome<Nothing> unstage(OperationContext context, VolumeId volume, Path path, PluginState state) {
            return Outcome.done();
        }

        @Override
        public boolean showsMounts(PluginState state) {
            return state.equals(MOUNTED);
        }
    }

    @Test
    void emptyDirectoriesOfUnknownPodsGo() throws IOException {
        directory("gone", "volumes", "kubernetes.io~nfs", "data");
        directory("gone", "volume-subpaths", "data", "main", "0");
        directory("lives", "volumes", "kubernetes.io~nfs", "data");

        assertThat(clean(Optional.empty(), "lives")).isEmpty();

        assertThat(pods.resolve("gone")).doesNotExist();
        assertThat(pods.resolve("lives/volumes/kubernetes.io~nfs/data")).isDirectory();
    }

    @Test
    void filesAndWhatIsNotTheHostsStayAndAreTold() throws IOException {
        Path file = Files.writeString(
                directory("left", "volumes", "kubernetes.io~csi", "data").resolve("vol_data.json"), "{}");
        Path deep = directory("deep", "volumes", "kubernetes.io~empty-dir", "cache", "of", "the", "user");

        assertThat(clean(Optional.empty()))
                .hasSize(2)
                .anyMatch(line -> line.contains("left"))
                .anyMatch(line -> line.contains("deep"));

        assertThat(file).hasContent("{}");
        assertThat(deep).isDirectory();
    }

    @Test
    void linksAreNotFollowed() throws IOException {
        Path outside = Files.createDirectories(temp.resolve("outside/volumes/p/v"));
        Files.createSymbolicLink(directory("evil").resolve("volumes"), temp.resolve("outside/volumes"));
        Files.createSymbolicLink(pods.resolve("link"), temp.resolve("outside"));

        assertThat(clean(Optional.empty())).hasSize(2);

        assertThat(outside).isDirectory();
        assertThat(pods.resolve("evil/volumes")).isSymbolicLink();
    }

    @Test
    void oneThatGoesIsLookedAtAlone() throws IOException {
        directory("a");
        directory("b");

        assertThat(clean(Optional.of("a"))).isEmpty();
        assertThat(clean(Optional.of("never-was"))).isEmpty();

        assertThat(pods.resolve("a")).doesNotExist();
        assertThat(pods.resolve("b")).isDirectory();
    }

    @Test
    void aNodeWithoutPodsHasNothingToClean() {
        assertThat(clean(Optional.empty())).isEmpty();
    }

    private Outcome<?> measure(Path directory) {
        HostWork here = work.orElseThrow();
        MeasureCall call = new MeasureCall(new NodeRef("n1", "uid"), "uid/cache", directory);
        return here.perform(RecordingCall.of(here.host()), call);
    }

    @Test
    void filesAreCountedByTheirBlocksAndLinksAreNotFollowed() throws IOException {
        Path directory = directory("lives", "volumes", "kubernetes.io~empty-dir", "cache");
        Path outside = Files.write(temp.resolve("outside"), new byte[1 << 20]);
        Files.createSymbolicLink(directory.resolve("link"), outside);
        Files.write(directory.resolve("data"), new byte[256 * 1024]);
        Files.createLink(directory.resolve("again"), directory.resolve("data"));
        try (RandomAccessFile sparse =
                new RandomAccessFile(directory.resolve("sparse").toFile(), "rw")) {
            sparse.setLength(1L << 30);
        }
        assertThat(measure(directory).result()).hasValueSatisfying(found -> {
            MeasureCall.Answer answer = (MeasureCall.Answer) found;
            assertThat(answer.bytes()).isBetween(200L * 1024, 600L * 1024);
            assertThat(answer.took()).isBetween(Duration.ZERO, Duration.ofMinutes(2));
        });
    }

    @Test
    void whatIsNotThereIsNotMeasured() {
        assertThat(measure(pods.resolve("gone")).isDone()).isFalse();
    }
}
