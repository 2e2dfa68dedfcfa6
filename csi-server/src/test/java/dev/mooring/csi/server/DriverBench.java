// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import static dev.mooring.csi.server.ServedDriver.writer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.csi.v1.ControllerGetCapabilitiesRequest;
import dev.mooring.csi.v1.ControllerGrpc;
import dev.mooring.csi.v1.ControllerServiceCapability;
import dev.mooring.csi.v1.CreateVolumeRequest;
import dev.mooring.csi.v1.NodeGetCapabilitiesRequest;
import dev.mooring.csi.v1.NodeGrpc;
import dev.mooring.csi.v1.NodePublishVolumeRequest;
import dev.mooring.csi.v1.NodeServiceCapability;
import dev.mooring.csi.v1.NodeStageVolumeRequest;
import dev.mooring.csi.v1.Volume;
import dev.mooring.csi.v1.VolumeCapability;
import dev.mooring.host.linux.KeptPlaces;
import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.host.HostFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A driver over a subject on the real kernel, and the volumes of one test. What the test leaves is taken back at the end. */
final class DriverBench implements AutoCloseable {
    private final DriverSubject subject;
    final Path directory;
    final ServedDriver driver;
    final Set<ControllerServiceCapability.RPC.Type> controller;
    final Set<NodeServiceCapability.RPC.Type> node;
    private final Map<String, Volume> volumes = new LinkedHashMap<>();

    DriverBench(DriverSubject subject, boolean split) throws IOException {
        Optional<LinuxHost> machine = LinuxHost.ofThisMachine(LinuxHostLayout.below(Path.of("/nowhere")));
        assumeTrue(machine.isPresent(), "needs Linux on x86_64 or aarch64");
        for (HostFeature feature : List.of(HostFeature.ROOT, HostFeature.ATOMIC_BIND, HostFeature.RESOLVE_RULES)) {
            assumeTrue(machine.get().capabilities().has(feature), () -> "needs " + feature);
        }
        this.subject = subject;
        directory = Files.createTempDirectory("mooring-csi").toRealPath();
        subject.start(directory);
        LinuxHost host = LinuxHost.ofThisMachine(new LinuxHostLayout(
                        directory.resolve("state"),
                        directory.resolve("orphans"),
                        KeptPlaces.in(directory.resolve("places"))))
                .orElseThrow();
        StoragePlugin plugin = plugin(subject.plugin())
                .configured(subject.settings(directory))
                .result()
                .orElseThrow();
        driver = split ? ServedDriver.split(plugin, host, directory) : new ServedDriver(plugin, host, directory);
        controller = driver
                .call(
                        ControllerGrpc.getControllerGetCapabilitiesMethod(),
                        ControllerGetCapabilitiesRequest.getDefaultInstance())
                .getCapabilitiesList()
                .stream()
                .map(each -> each.getRpc().getType())
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(ControllerServiceCapability.RPC.Type.class)));
        node = driver
                .call(NodeGrpc.getNodeGetCapabilitiesMethod(), NodeGetCapabilitiesRequest.getDefaultInstance())
                .getCapabilitiesList()
                .stream()
                .map(each -> each.getRpc().getType())
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(NodeServiceCapability.RPC.Type.class)));
    }

    /** The plugin of a name, as its module provides it. */
    static StoragePlugin plugin(String name) {
        // The module itself is handed its plugin, and looks for none.
        DriverBench.class.getModule().addUses(StoragePlugin.class);
        return ServiceLoader.load(StoragePlugin.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(each -> each.describe().name().value().equals(name))
                .findFirst()
                .orElseThrow();
    }

    boolean makes() {
        return controller.contains(ControllerServiceCapability.RPC.Type.CREATE_DELETE_VOLUME);
    }

    boolean attaches() {
        return controller.contains(ControllerServiceCapability.RPC.Type.PUBLISH_UNPUBLISH_VOLUME);
    }

    boolean stages() {
        return node.contains(NodeServiceCapability.RPC.Type.STAGE_UNSTAGE_VOLUME);
    }

    // ---- volumes ----

    CreateVolumeRequest create(String name, long least, long most, VolumeCapability capability) {
        return CsiRequests.create(name, least, most, capability).toBuilder()
                .putAllParameters(subject.parameters())
                .putAllSecrets(subject.secrets())
                .build();
    }

    CreateVolumeRequest create(String name, long least, long most) {
        return create(name, least, most, writer());
    }

    Volume make(CreateVolumeRequest request) {
        Volume made =
                driver.call(ControllerGrpc.getCreateVolumeMethod(), request).getVolume();
        volumes.put(made.getVolumeId(), made);
        return made;
    }

    /** A volume, made or there before. */
    Volume volume(int number) {
        return volume(number, writer());
    }

    Volume volume(int number, VolumeCapability capability) {
        return makes()
                ? make(create("pvc-" + number, 0, 0, capability))
                : existing(number, subject.existing(directory, number));
    }

    /** A volume that a person describes. */
    Volume existing(int number, VolumeSource source) {
        Volume there = Volume.newBuilder()
                .setVolumeId("static-disk-" + number)
                .putVolumeContext(
                        RecordJson.SOURCE_KEY,
                        KubernetesJson.standard()
                                .write(Document.of(Map.of(
                                        source.type(), source.attributes().asMap()))))
                .build();
        volumes.put(there.getVolumeId(), there);
        return there;
    }

    Path staging(Volume volume) throws IOException {
        return Files.createDirectories(directory.resolve("staging").resolve(volume.getVolumeId()));
    }

    Path target(String name) throws IOException {
        return Files.createDirectories(directory.resolve("targets")).resolve(name);
    }

    Map<String, String> attach(Volume volume, VolumeCapability capability) {
        return attaches()
                ? driver.call(
                                ControllerGrpc.getControllerPublishVolumeMethod(),
                                CsiRequests.attach(volume, ServedDriver.NODE_ID, capability).toBuilder()
                                        .putAllSecrets(subject.secrets())
                                        .build())
                        .getPublishContextMap()
                : Map.of();
    }

    NodeStageVolumeRequest stageRequest(Volume volume, VolumeCapability capability) throws IOException {
        return CsiRequests.stage(volume, staging(volume), capability, attach(volume, capability)).toBuilder()
                .putAllSecrets(subject.secrets())
                .build();
    }

    NodePublishVolumeRequest publishRequest(Volume volume, Path target, VolumeCapability capability)
            throws IOException {
        NodePublishVolumeRequest request = CsiRequests.publish(volume, target, capability);
        return stages()
                ? request.toBuilder()
                        .setStagingTargetPath(staging(volume).toString())
                        .build()
                : request;
    }

    /** Attaches, stages and publishes, as far as the driver does. */
    void use(Volume volume, Path target, VolumeCapability capability) throws IOException {
        attach(volume, capability);
        if (stages()) {
            driver.call(NodeGrpc.getNodeStageVolumeMethod(), stageRequest(volume, capability));
        }
        driver.call(NodeGrpc.getNodePublishVolumeMethod(), publishRequest(volume, target, capability));
    }

    void unpublish(Volume volume, Path target) {
        driver.call(
                NodeGrpc.getNodeUnpublishVolumeMethod(),
                CsiRequests.unpublish(volume.getVolumeId(), target.toString()));
    }

    /** Everything that csi-sanity does after a test, whatever was done before. */
    void leave(Volume volume) throws IOException {
        try (Stream<Path> targets = Files.list(Files.createDirectories(directory.resolve("targets")))) {
            targets.toList().forEach(target -> unpublish(volume, target));
        }
        String id = volume.getVolumeId();
        if (stages()) {
            driver.call(NodeGrpc.getNodeUnstageVolumeMethod(), CsiRequests.unstage(id, staging(volume)));
        }
        if (attaches()) {
            driver.call(
                    ControllerGrpc.getControllerUnpublishVolumeMethod(), CsiRequests.detach(id, ServedDriver.NODE_ID));
        }
        if (makes()) {
            driver.call(
                    ControllerGrpc.getDeleteVolumeMethod(),
                    CsiRequests.delete(id).toBuilder()
                            .putAllSecrets(subject.secrets())
                            .build());
        }
    }

    /** Of a volume that a person described there stays what the plugin noted. */
    private int noted() {
        return makes() ? 0 : volumes.size();
    }

    /** How often a path is mounted. */
    static long mounts(Path path) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/mountinfo"))) {
            return lines.filter(line -> line.contains(" " + path + " ")).count();
        }
    }

    List<String> records(String records) throws IOException {
        Path volumesOf = directory.resolve(records).resolve("volumes");
        if (!Files.exists(volumesOf)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(volumesOf)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.endsWith(".json"))
                    .sorted()
                    .toList();
        }
    }

    @Override
    public void close() throws IOException {
        try {
            for (Volume each : volumes.values()) {
                leave(each);
            }
            assertThat(records("records")).as("records that are left").hasSizeLessThanOrEqualTo(noted());
            assertThat(records("made")).as("records that are left").isEmpty();
        } finally {
            driver.close();
            subject.end();
        }
        try (Stream<Path> left = Files.walk(directory)) {
            for (Path each : left.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        }
    }
}
