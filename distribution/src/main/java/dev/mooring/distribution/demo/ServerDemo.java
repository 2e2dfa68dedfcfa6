// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.demo;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Container;
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
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.model.VolumeMount;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.ListOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The life of a volume of a real server: bound, attached where that is needed, mounted for a pod, written, read by a second pod, released
 * with its data. It runs inside of the guest, where server and node are one machine.
 */
public final class ServerDemo {
    private static final String VOLUME = "disk";
    private static final ObjectKey CLAIM = ObjectKey.of("default", "data");
    private static final Quantity SIZE = Quantity.parse("100Mi");

    private final PrintWriter out;
    private final List<StoragePlugin> plugins;
    private final DemoServer server;

    /**
     * Prepares the story.
     *
     * @param out where it is printed
     * @param plugins the plugins installed
     * @param server where the volume comes from
     */
    public ServerDemo(PrintWriter out, List<StoragePlugin> plugins, DemoServer server) {
        this.out = out;
        this.plugins = plugins;
        this.server = server;
    }

    /** Tells the story; answers whether it went as it should. */
    public boolean run() {
        Narrator narrator = new Narrator(out);
        DemoDirectories directories = DemoDirectories.create();
        boolean well = false;
        try (DemoCluster cluster = new DemoCluster(directories, plugins, narrator)) {
            tell(narrator, cluster, directories);
            well = true;
        } catch (IllegalStateException | IOException e) {
            narrator.line("failed", String.valueOf(e.getMessage()));
        }
        narrator.chapter(
                well ? "Nothing is left: no mount, no session, no attachment." : "It did not go as it should.");
        return well;
    }

    private void tell(Narrator narrator, DemoCluster cluster, DemoDirectories directories) throws IOException {
        narrator.chapter("1. A server starts, and an administrator offers " + server.description() + " as a volume.");
        for (List<String> command : server.commands()) {
            start(command);
            narrator.line("server", String.join(" ", command.subList(1, command.size())));
        }
        cluster.store().create(Kinds.PERSISTENT_VOLUME, volume()).orThrow();
        awaitVolume(cluster, PersistentVolumePhase.AVAILABLE);

        narrator.chapter("2. A user claims it: the binder ties both together.");
        cluster.store().create(Kinds.PERSISTENT_VOLUME_CLAIM, claim()).orThrow();
        cluster.await(
                Kinds.PERSISTENT_VOLUME_CLAIM,
                CLAIM,
                "the claim is bound",
                seen -> seen.filter(claim -> claim.status().phase() == ClaimPhase.BOUND)
                        .isPresent());
        awaitVolume(cluster, PersistentVolumePhase.BOUND);

        narrator.chapter("3. A pod uses the claim: the volume is mounted for it, and it writes a file.");
        Files.writeString(startPod(narrator, cluster, directories, "writer").resolve("greeting"), "hello\n");
        narrator.line("file", "greeting is written");

        narrator.chapter("4. The pod goes, and with it everything that the node had of the volume.");
        endPod(narrator, cluster, directories, "writer");

        narrator.chapter("5. A second pod reads what the first one wrote: it can only come from the server.");
        String read = Files.readString(
                startPod(narrator, cluster, directories, "reader").resolve("greeting"));
        require(read.equals("hello\n"), "the second pod read '" + read + "'");
        narrator.line("file", "greeting says " + read.strip());
        endPod(narrator, cluster, directories, "reader");

        narrator.chapter(
                "6. The user deletes the claim: the volume is released and keeps its data, as the policy says.");
        cluster.store()
                .delete(Kinds.PERSISTENT_VOLUME_CLAIM, CLAIM, DeleteOptions.DEFAULT)
                .orThrow();
        awaitVolume(cluster, PersistentVolumePhase.RELEASED);
        cluster.deleteEverything();
    }

    private Path startPod(Narrator narrator, DemoCluster cluster, DemoDirectories directories, String name)
            throws IOException {
        Pod pod = cluster.store().create(Kinds.POD, pod(name)).orThrow();
        cluster.await(
                Kinds.POD,
                ObjectKey.of(pod),
                "the pod runs",
                seen -> seen.filter(p -> p.status().phase() == PodPhase.RUNNING).isPresent());
        for (String mount : mountsBelow(directories)) {
            narrator.line("mount", mount);
        }
        return directories
                .root()
                .resolve("pods")
                .resolve(pod.metadata().uid())
                .resolve("volumes")
                .resolve(server.directory())
                .resolve(VOLUME);
    }

    private static void endPod(Narrator narrator, DemoCluster cluster, DemoDirectories directories, String name)
            throws IOException {
        ObjectKey key = ObjectKey.of("default", name);
        cluster.store().delete(Kinds.POD, key, DeleteOptions.DEFAULT).orThrow();
        cluster.await(Kinds.POD, key, "the pod goes", Optional::isEmpty);
        for (VolumeAttachment each : cluster.store()
                .list(Kinds.VOLUME_ATTACHMENT, ListOptions.ALL)
                .orThrow()
                .items()) {
            cluster.await(Kinds.VOLUME_ATTACHMENT, ObjectKey.of(each), "the volume is detached", Optional::isEmpty);
        }
        cluster.quiet();
        require(mountsBelow(directories).isEmpty(), "still mounted: " + mountsBelow(directories));
        require(sessions().isEmpty(), "sessions are left: " + sessions());
        narrator.line("mount", "gone");
    }

    private static List<String> mountsBelow(DemoDirectories directories) throws IOException {
        try (Stream<String> table = Files.lines(Path.of("/proc/self/mounts"))) {
            return table.map(line -> line.split(" ", -1))
                    .filter(fields -> fields[1].startsWith(directories.base().toString()))
                    .map(fields -> fields[0] + " on " + directories.base().relativize(Path.of(fields[1])) + " type "
                            + fields[2])
                    .toList();
        }
    }

    private static List<String> sessions() throws IOException {
        Path all = Path.of("/sys/class/iscsi_session");
        if (!Files.isDirectory(all)) {
            return List.of();
        }
        try (Stream<Path> sessions = Files.list(all)) {
            return sessions.map(Path::toString).sorted().toList();
        }
    }

    private static void start(List<String> command) throws IOException {
        try {
            // Its output is not read: a daemon that it starts would keep it open.
            int status = new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start()
                    .waitFor();
            require(status == 0, String.join(" ", command) + " ended with status " + status);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static void awaitVolume(DemoCluster cluster, PersistentVolumePhase phase) {
        cluster.await(
                Kinds.PERSISTENT_VOLUME,
                ObjectKey.cluster(VOLUME),
                "the volume becomes " + phase.wireName(),
                seen -> seen.filter(volume -> volume.status().phase() == phase).isPresent());
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalStateException(otherwise);
        }
    }

    // ---- objects ----

    private PersistentVolume volume() {
        return PersistentVolume.of(
                VOLUME,
                PersistentVolumeSpec.EMPTY
                        .withStorage(SIZE)
                        .withAccessModes(List.of(AccessMode.READ_WRITE_ONCE))
                        .withPersistentVolumeReclaimPolicy(ReclaimPolicy.RETAIN)
                        .withSource(Optional.of(server.source())));
    }

    private static PersistentVolumeClaim claim() {
        return PersistentVolumeClaim.of(
                CLAIM.namespace(),
                CLAIM.name(),
                PersistentVolumeClaimSpec.EMPTY
                        .withRequestedStorage(SIZE)
                        .withAccessModes(List.of(AccessMode.READ_WRITE_ONCE)));
    }

    private static Pod pod(String name) {
        VolumeSource source = new PersistentVolumeClaimSource(CLAIM.name()).toSource();
        VolumeMount mount = VolumeMount.of("data", "/data");
        Container container = new Container("main", "registry.example.com/" + name + ":1", List.of(mount), List.of());
        return Pod.of(
                "default",
                name,
                PodSpec.EMPTY
                        .withNodeName(DemoCluster.NODE)
                        .withVolumes(List.of(new PodVolume("data", Optional.of(source))))
                        .withContainers(List.of(container)));
    }
}
