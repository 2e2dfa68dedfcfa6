// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.demo;

import dev.mooring.controlplane.NodeAgent;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Container;
import dev.mooring.storage.model.HostPathSource;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimSource;
import dev.mooring.storage.model.PersistentVolumeClaimSpec;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.PersistentVolumeSpec;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.PodSpec;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.VolumeMount;
import dev.mooring.storage.model.VolumeNodeAffinity;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.store.DeleteOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The life of a volume, played by the real control plane in this process: bound, mounted, written, released, recycled. Everything lies in
 * a temporary directory; what was mounted is unmounted and the directory deleted, also when the story is interrupted.
 */
public final class Demo {
    private static final String VOLUME = "disk";
    private static final ObjectKey VOLUME_KEY = ObjectKey.cluster(VOLUME);
    private static final ObjectKey CLAIM = ObjectKey.of("default", "data");
    private static final ObjectKey POD = ObjectKey.of("default", "writer");
    private static final Quantity SIZE = Quantity.parse("1Gi");

    private final PrintWriter out;
    private final List<StoragePlugin> plugins;
    private Optional<DemoDirectories> directories = Optional.empty();
    private Optional<DemoCluster> cluster = Optional.empty();
    private boolean ended;

    /**
     * Prepares the story.
     *
     * @param out where it is printed
     * @param plugins the plugins installed
     */
    public Demo(PrintWriter out, List<StoragePlugin> plugins) {
        this.out = out;
        this.plugins = plugins;
    }

    /** Tells the story; answers whether it went as it should. */
    public boolean run() {
        Narrator narrator = new Narrator(out);
        boolean well = false;
        try {
            // before anything is made, so that nothing is left whenever the user interrupts it
            Runtime.getRuntime().addShutdownHook(new Thread(this::cleanUp, "mooring-demo-cleanup"));
            tell(narrator, prepare(narrator), directories.orElseThrow());
            well = true;
        } catch (IllegalStateException | IOException e) {
            narrator.line("failed", String.valueOf(e.getMessage()));
        } finally {
            cleanUp();
        }
        narrator.chapter(well ? "Nothing is left: no mount, no file." : "It did not go as it should.");
        return well;
    }

    private synchronized DemoCluster prepare(Narrator narrator) {
        if (ended) {
            throw new IllegalStateException("interrupted");
        }
        DemoDirectories made = DemoDirectories.create();
        directories = Optional.of(made);
        DemoCluster started = new DemoCluster(made, plugins, narrator);
        cluster = Optional.of(started);
        return started;
    }

    /** An interrupted process ends when this does: if it is under way already, the other thread waits for it. */
    private synchronized void cleanUp() {
        if (!ended) {
            ended = true;
            try {
                cluster.ifPresent(Demo::end);
            } finally {
                directories.ifPresent(DemoDirectories::close);
            }
        }
    }

    private static void end(DemoCluster cluster) {
        try {
            cluster.deleteEverything();
        } finally {
            cluster.close();
        }
    }

    private static void tell(Narrator narrator, DemoCluster cluster, DemoDirectories directories) throws IOException {
        narrator.chapter(
                "1. An administrator offers a directory of this machine as a volume of 1Gi, to be recycled after use.");
        cluster.store()
                .create(Kinds.PERSISTENT_VOLUME, volume(directories.disk()))
                .orThrow();
        awaitVolume(cluster, PersistentVolumePhase.AVAILABLE);

        narrator.chapter("2. A user claims 1Gi: the binder finds the volume and ties both together.");
        cluster.store().create(Kinds.PERSISTENT_VOLUME_CLAIM, claim()).orThrow();
        cluster.await(
                Kinds.PERSISTENT_VOLUME_CLAIM,
                CLAIM,
                "the claim is bound",
                seen -> seen.filter(claim -> claim.status().phase() == ClaimPhase.BOUND)
                        .isPresent());
        awaitVolume(cluster, PersistentVolumePhase.BOUND);

        Optional<String> noMounts = cluster.host()
                .capabilities()
                .whyMissing(HostFeature.ROOT)
                .or(() -> cluster.host().capabilities().whyMissing(HostFeature.ATOMIC_BIND));
        Path written = noMounts.isEmpty()
                ? throughPod(narrator, cluster, directories)
                : withoutPod(narrator, directories, noMounts.get());

        narrator.chapter("5. The user deletes the claim: the volume is released, and what is in it is deleted.");
        cluster.store()
                .delete(Kinds.PERSISTENT_VOLUME_CLAIM, CLAIM, DeleteOptions.DEFAULT)
                .orThrow();
        awaitVolume(cluster, PersistentVolumePhase.AVAILABLE);
        require(!Files.exists(written), written + " is still there");
        narrator.line("file", written + " is gone; the volume can be claimed again");

        narrator.chapter("6. The administrator takes the volume away.");
        cluster.store()
                .delete(Kinds.PERSISTENT_VOLUME, VOLUME_KEY, DeleteOptions.DEFAULT)
                .orThrow();
        cluster.await(Kinds.PERSISTENT_VOLUME, VOLUME_KEY, "the volume goes", Optional::isEmpty);
    }

    private static Path throughPod(Narrator narrator, DemoCluster cluster, DemoDirectories directories)
            throws IOException {
        narrator.chapter(
                "3. A pod on this machine uses the claim: the volume is mounted for it, and it writes a file.");
        Pod pod = cluster.store().create(Kinds.POD, pod()).orThrow();
        cluster.await(
                Kinds.POD,
                POD,
                "the pod runs",
                seen -> seen.filter(p -> p.status().phase() == PodPhase.RUNNING).isPresent());
        Path mounted = directories
                .root()
                .resolve("pods")
                .resolve(pod.metadata().uid())
                .resolve("volumes/kubernetes.io~host-path")
                .resolve(VOLUME);
        narrator.line("mount", mounted.toString());
        Files.writeString(mounted.resolve("greeting"), "hello\n");
        Path written = directories.disk().resolve("greeting");
        require(Files.readString(written).equals("hello\n"), "what was written through the mount is not on the disk");
        narrator.line("file", written + " holds what was written through the mount");

        narrator.chapter("4. The pod goes: its mount and its directories go with it.");
        cluster.store().delete(Kinds.POD, POD, DeleteOptions.DEFAULT).orThrow();
        cluster.await(Kinds.POD, POD, "the pod goes", Optional::isEmpty);
        Path podDirectory =
                directories.root().resolve("pods").resolve(pod.metadata().uid());
        require(!Files.exists(podDirectory), podDirectory + " is still there");
        require(!isMounted(directories.base()), "something is still mounted below " + directories.base());
        narrator.line("mount", "gone");
        return written;
    }

    private static Path withoutPod(Narrator narrator, DemoDirectories directories, String reason) throws IOException {
        narrator.chapter("3. and 4. Skipped: no volume can be mounted for a pod here, since " + reason + ".");
        Path written = directories.disk().resolve("greeting");
        Files.writeString(written, "hello\n");
        narrator.line("file", written + " was written directly instead");
        return written;
    }

    private static boolean isMounted(Path base) throws IOException {
        try (Stream<String> table = Files.lines(Path.of("/proc/self/mountinfo"))) {
            return table.anyMatch(line -> line.contains(base.toString()));
        }
    }

    private static void awaitVolume(DemoCluster cluster, PersistentVolumePhase phase) {
        cluster.await(
                Kinds.PERSISTENT_VOLUME,
                VOLUME_KEY,
                "the volume becomes " + phase.wireName(),
                seen -> seen.filter(volume -> volume.status().phase() == phase).isPresent());
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalStateException(otherwise);
        }
    }

    // ---- objects ----

    private static PersistentVolume volume(Path disk) {
        return PersistentVolume.of(
                VOLUME,
                PersistentVolumeSpec.EMPTY
                        .withStorage(SIZE)
                        .withAccessModes(List.of(AccessMode.READ_WRITE_ONCE))
                        .withPersistentVolumeReclaimPolicy(ReclaimPolicy.RECYCLE)
                        .withNodeAffinity(
                                Optional.of(VolumeNodeAffinity.onlyWhere(NodeAgent.HOSTNAME, DemoCluster.NODE)))
                        .withSource(Optional.of(new HostPathSource(disk.toString(), "Directory").toSource())));
    }

    private static PersistentVolumeClaim claim() {
        return PersistentVolumeClaim.of(
                CLAIM.namespace(),
                CLAIM.name(),
                PersistentVolumeClaimSpec.EMPTY
                        .withRequestedStorage(SIZE)
                        .withAccessModes(List.of(AccessMode.READ_WRITE_ONCE)));
    }

    private static Pod pod() {
        VolumeSource source = new PersistentVolumeClaimSource(CLAIM.name()).toSource();
        VolumeMount mount = VolumeMount.of("data", "/data");
        Container container = new Container("main", "registry.example.com/writer:1", List.of(mount), List.of());
        return Pod.of(
                POD.namespace(),
                POD.name(),
                PodSpec.EMPTY
                        .withNodeName(DemoCluster.NODE)
                        .withVolumes(List.of(new PodVolume("data", Optional.of(source))))
                        .withContainers(List.of(container)));
    }
}
