// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.directory;

import static dev.mooring.volumemanager.machine.Playground.kindOf;
import static dev.mooring.volumemanager.machine.Playground.modeAndGroup;
import static dev.mooring.volumemanager.machine.Playground.tool;
import static dev.mooring.volumemanager.machine.Playground.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Container;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodSpec;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.ResourceRequirements;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.PublishRequest.Occasion;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.volumemanager.machine.Playground;
import dev.mooring.volumemanager.machine.RecordingCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EmptyDirVolumesTest {
    private static final PodRef POD = new PodRef("ns", "web", "uid");
    private final EmptyDirVolumes plugin = new EmptyDirVolumes();
    private Playground machine;
    private Path target;

    @BeforeEach
    void makesAPlace() {
        machine = new Playground(HostFeature.ROOT, HostFeature.RESOLVE_RULES, HostFeature.MOUNT_IDENTITY);
        target = machine.directory("root/pods/uid/volumes/kubernetes.io~empty-dir")
                .resolve("vol");
    }

    @AfterEach
    void cleans() throws IOException {
        if (machine != null) {
            machine.close();
        }
    }

    private static VolumeSource source(Map<String, ?> attributes) {
        return new VolumeSource("emptyDir", Document.of(attributes));
    }

    private Outcome<PluginState> publish(Map<String, ?> attributes) {
        VolumeSpec spec = new VolumeSpec(
                "vol", "", source(attributes), List.of(), VolumeMode.FILESYSTEM, Quantity.ZERO, List.of(), Map.of());
        return plugin.publish(
                machine.context(), new PublishRequest(spec, POD, target, Optional.empty(), false, Occasion.INITIAL));
    }

    private Outcome<Nothing> unpublish(PluginState state) {
        return unpublish(machine.context(), state);
    }

    private Outcome<Nothing> unpublish(RecordingCall context, PluginState state) {
        return plugin.unpublish(context, plugin.identify(source(Map.of())), POD, target, state);
    }

    @Test
    void e3_aDirectoryIsForAllUsersWhateverTheUmask() throws IOException {
        PluginState state = value(publish(Map.of()));
        assertThat(modeAndGroup(target)).isEqualTo("777 0");
        // what an attempt that was interrupted between two steps leaves
        Files.setAttribute(target, "unix:mode", 0700);
        value(publish(Map.of()));
        assertThat(modeAndGroup(target)).isEqualTo("777 0");
        Files.createDirectories(target.resolve("a/b/c"));
        Files.createSymbolicLink(target.resolve("link"), Path.of("/etc"));
        value(unpublish(state));
        assertThat(target).doesNotExist();
        value(unpublish(state));
    }

    @Test
    void e3_memoryHasItsSizeAndIsNotSwappedWhereTheKernelCanThat() throws IOException {
        value(publish(Map.of("medium", "Memory", "sizeLimit", "1Mi")));
        assertThat(modeAndGroup(target)).isEqualTo("777 0");
        try (PinnedPath root = machine.open(target)) {
            assertThat(value(root.space()).capacityBytes()).isEqualTo(1 << 20);
        }
        boolean known = kernelKnowsNoSwap();
        assertThat(machine.mountsAt(target).get(0).superOptions().contains("noswap"))
                .isEqualTo(known);
        value(publish(Map.of("medium", "Memory", "sizeLimit", "1Mi")));
        assertThat(machine.mountsAt(target)).hasSize(1);
        value(unpublish(PluginState.NONE));
        assertThat(target).doesNotExist();
    }

    private boolean kernelKnowsNoSwap() {
        Path probe = machine.directory("probe");
        try {
            tool("mount", "-t", "tmpfs", "-o", "noswap", "mooring-test", probe.toString());
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    @ParameterizedTest
    @CsvSource({
        // medium, sizeLimit, limits of the containers, the node's memory, what it comes to
        "Memory, '', '', '', ''",
        "Memory, '', '', 1Gi, 1Gi",
        "Memory, '', 64Mi 64Mi, 1Gi, 128Mi",
        "Memory, 1Mi, 64Mi, 1Gi, 1Mi",
        "Memory, 2Gi, 64Mi, 1Gi, 64Mi",
        "Memory, 2Gi, '', 1Gi, 1Gi",
        "Memory, 2Gi, '', '', 2Gi",
        "Memory, 0, 64Mi, 1Gi, 64Mi",
        "Memory, 1Mi, 0, '', 1Mi",
        "Memory, 1500m, '', '', 2",
        "Memory, -1, 64Mi, 1Gi, -1",
        "Memory, nonsense, 64Mi, 1Gi, nonsense",
        "'', 2Gi, 64Mi, 1Gi, 2Gi",
        "HugePages-2Mi, 2Gi, 64Mi, 1Gi, 2Gi",
    })
    void theLeastOfAllLimitsBoundsMemory(
            String medium, String limit, String containers, String allocatable, String expected) {
        Map<String, String> attributes = new HashMap<>(Map.of("medium", medium));
        if (!limit.isEmpty()) {
            attributes.put("sizeLimit", limit);
        }
        List<Container> bounded = Stream.of(containers.split(" "))
                .map(memory -> new Container("c", "image", List.of(), List.of())
                        .withResources(Quantity.tryParse(memory)
                                .map(size -> ResourceRequirements.EMPTY.withLimits(Map.of("memory", size)))))
                .toList();
        Pod pod = Pod.of("ns", "web", PodSpec.EMPTY.withContainers(bounded));
        VolumeSource seen = EmptyDirVolumes.bounded(
                source(attributes),
                pod,
                Quantity.tryParse(allocatable)
                        .map(size -> Map.of("memory", size))
                        .orElse(Map.of()));
        Optional<String> size = seen.attributes().text("sizeLimit");
        assertThat(size.flatMap(Quantity::tryParse).map(Quantity::value))
                .isEqualTo(Quantity.tryParse(expected).map(Quantity::value));
    }

    @ParameterizedTest
    @CsvSource({
        // medium, what the pod's containers ask for, what it comes to
        "HugePages, hugepages-2Mi=4Mi, HugePages-2Mi",
        "HugePages, hugepages-2Mi=4Mi memory=1Gi, HugePages-2Mi",
        "HugePages, hugepages-1Gi=1Gi hugepages-1Gi=2Gi, HugePages-1Gi",
        "HugePages, hugepages-2Mi=4Mi hugepages-1Gi=1Gi, HugePages",
        "HugePages, hugepages-2Mi=4Mi hugepages-1Gi=0, HugePages-2Mi",
        "HugePages, memory=1Gi, HugePages",
        "HugePages-1Gi, hugepages-2Mi=4Mi, HugePages-1Gi",
        "'', hugepages-2Mi=4Mi, ''",
    })
    void hugePagesWithoutASizeAreThoseThatThePodAsksFor(String medium, String containers, String expected) {
        List<Container> asking = Stream.of(containers.split(" ", -1))
                .map(amount -> amount.split("=", 2))
                .map(amount -> new Container("c", "image", List.of(), List.of())
                        .withResources(Optional.of(
                                ResourceRequirements.EMPTY.withRequests(Map.of(amount[0], Quantity.parse(amount[1]))))))
                .toList();
        for (PodSpec spec : List.of(
                PodSpec.EMPTY.withContainers(asking),
                PodSpec.EMPTY
                        .withContainers(List.of(asking.get(0)))
                        .withInitContainers(asking.subList(1, asking.size())))) {
            VolumeSource seen =
                    EmptyDirVolumes.bounded(source(Map.of("medium", medium)), Pod.of("ns", "web", spec), Map.of());
            assertThat(seen.attributes().text("medium")).contains(expected);
        }
    }

    @Test
    void e4_aMountInsideIsNeverEmptiedThrough() throws IOException {
        PluginState state = value(publish(Map.of()));
        Path inside = Files.createDirectories(target.resolve("data"));
        tool("mount", "-t", "tmpfs", "mooring-test", inside.toString());
        Files.writeString(inside.resolve("file"), "foreign");
        Files.writeString(target.resolve("own"), "own");
        assertThat(kindOf(unpublish(state))).isEqualTo("IN_USE");
        assertThat(inside.resolve("file")).hasContent("foreign");
        tool("umount", inside.toString());
        value(unpublish(state));
        assertThat(target).doesNotExist();
    }

    @Test
    void aForeignMountInThePlaceIsLeftAlone() {
        machine.directory("root/pods/uid/volumes/kubernetes.io~empty-dir/vol");
        tool("mount", "-t", "tmpfs", "foreign", target.toString());
        assertThat(kindOf(unpublish(PluginState.NONE))).isEqualTo("IN_USE");
        assertThat(kindOf(publish(Map.of("medium", "Memory")))).isEqualTo("IN_USE");
        assertThat(machine.mountsAt(target)).hasSize(1);
    }

    @Test
    void anotherDirectoryInThePlaceIsLeftAlone() throws IOException {
        PluginState state = value(publish(Map.of()));
        Files.move(target, target.resolveSibling("moved"));
        Files.createDirectories(target.resolve("precious"));
        assertThat(kindOf(unpublish(state))).isEqualTo("CORRUPT");
        assertThat(target.resolve("precious")).exists();
    }

    @Test
    void whatCannotBeRemovedIsPutAsideAndToldOf() throws IOException {
        PluginState state = value(publish(Map.of()));
        Files.writeString(target.resolve("stuck"), "x");
        Files.writeString(target.resolve("other"), "x");
        assumeTrue(immutable("+i", target.resolve("stuck")), "the file system has no immutable files");
        Path orphans = machine.base.resolve("root/orphans");
        try {
            RecordingCall context = machine.context();
            value(unpublish(context, state));
            assertThat(target).doesNotExist();
            assertThat(context.news())
                    .singleElement()
                    .asString()
                    .contains("stuck")
                    .contains(orphans.toString());
        } finally {
            try (var found = Files.walk(machine.base)) {
                found.filter(path -> path.endsWith("stuck")).forEach(path -> immutable("-i", path));
            }
        }
        assertThat(orphans).isDirectoryRecursivelyContaining("glob:**-vol/stuck");
    }

    private static boolean immutable(String how, Path file) {
        try {
            tool("chattr", how, file.toString());
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    @Test
    void hugePagesNeedTheirSize() {
        assertThat(kindOf(publish(Map.of("medium", "HugePages")))).isEqualTo("UNSUPPORTED");
        assumeTrue(Files.exists(Path.of("/sys/kernel/mm/hugepages/hugepages-2048kB")), "no huge pages of 2 MiB");
        value(publish(Map.of("medium", "HugePages-2Mi")));
        assertThat(machine.mountsAt(target).get(0).fsType()).isEqualTo("hugetlbfs");
        value(unpublish(PluginState.NONE));
        assertThat(target).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({
        "'', '', ''",
        "Memory, 64Mi, ''",
        "HugePages-1Gi, '', ''",
        "Disk, '', medium",
        "HugePages-, '', medium",
        "HugePages-x, '', medium",
        "'', -1, sizeLimit",
        "'', much, sizeLimit"
    })
    void faultsAreFound(String medium, String sizeLimit, String field) {
        Map<String, Object> attributes = new java.util.HashMap<>(Map.of("medium", medium));
        if (!sizeLimit.isEmpty()) {
            attributes.put("sizeLimit", sizeLimit);
        }
        assertThat(plugin.validate(source(attributes)).stream()
                        .map(problem -> problem.field())
                        .toList())
                .isEqualTo(field.isEmpty() ? List.of() : List.of(field));
    }
}
