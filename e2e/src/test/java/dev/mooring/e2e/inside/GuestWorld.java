// SPDX-License-Identifier: Apache-2.0
package dev.mooring.e2e.inside;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.ApiStore;
import dev.mooring.clusterstore.DocumentStore;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.distribution.wiring.Awaiting;
import dev.mooring.distribution.wiring.LocalCluster;
import dev.mooring.distribution.wiring.LocalParts;
import dev.mooring.host.linux.KeptPlaces;
import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.host.linux.MountTableFeed;
import dev.mooring.runtime.EventSink;
import dev.mooring.runtime.StoreEventSink;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.runtime.record.RecordLog;
import dev.mooring.storage.codec.KubernetesYaml;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.store.embedded.EmbeddedRecordLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A control plane with this machine as the node {@code here}, driven as a user would: objects go into the store, and what comes of them
 * is waited for. {@link #end} proves that nothing is left.
 */
final class GuestWorld implements AutoCloseable {
    static final String NODE = "here";

    /** Directories that belong to no volume in particular stay, as kubelets leave them. */
    private static final String OF_NO_VOLUME =
            "pods|plugins_registry|plugins|plugins/kubernetes\\.io(/[a-z-]+(/(mounts|volumeDevices))?)?";

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final List<String> before;
    private final Path base;
    private final DocumentStore store;
    private final EmbeddedRecordLog records;
    private final LocalCluster cluster;
    private final Awaiting awaiting;
    private final MountTableFeed mounts;

    /** A new world in a directory of its own. */
    GuestWorld() {
        this(temporary(), Boundaries.none(), MachineView.traces());
    }

    /**
     * A world as it was left in a directory, or a new one.
     *
     * @param before what {@link MachineView#traces} said before there was anything
     */
    GuestWorld(Path base, Boundaries boundaries, List<String> before) {
        this.before = before;
        this.base = base;
        for (String name : List.of("kubelet", "state", "data")) {
            make(base.resolve(name));
        }
        store = new ApiStore(
                new JournalEngine(base.resolve("journal")),
                StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new SecureRandom()))
                        .withWrites(boundaries::onWrite));
        LinuxHost host = LinuxHost.ofThisMachine(new LinuxHostLayout(
                        base.resolve("state"), base.resolve("orphans"), KeptPlaces.in(base.resolve("places"))))
                .orElseThrow();
        records = EmbeddedRecordLog.open(base.resolve("records"));
        awaiting = new Awaiting(store, PATIENCE);
        EventSink events = new StoreEventSink(store, TimeSource.system());
        mounts = host.followMounts().result().orElseThrow();
        cluster = LocalCluster.start(LocalParts.of(store, boundaries.around(host), plugins(), NODE, root())
                .withRecords(boundaries.around(records), MachineView.bootId())
                .withMounts(Optional.of(mounts))
                .withEvents(news -> {
                    System.out.println("   " + news.object() + " " + news.reason() + ": " + news.message());
                    events.announce(news);
                }));
    }

    static List<StoragePlugin> plugins() {
        return ServiceLoader.load(StoragePlugin.class).stream()
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparing(plugin -> plugin.describe().name()))
                .toList();
    }

    /** A directory for a world. */
    static Path temporary() {
        try {
            return Files.createTempDirectory("world-").toRealPath();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void make(Path directory) {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Below it volumes are mounted for pods. */
    Path root() {
        return base.resolve("kubelet");
    }

    /** Where a test may keep what it offers as volumes. */
    Path data() {
        return base.resolve("data");
    }

    DocumentStore store() {
        return store;
    }

    RecordLog records() {
        return records;
    }

    /** Creates objects as a user would, from YAML. */
    void create(String yaml) {
        for (Document document : KubernetesYaml.standard().readAll(yaml, "test")) {
            Kind<?> kind = Kinds.standard()
                    .byName(
                            document.text("apiVersion").orElse(""),
                            document.text("kind").orElse(""))
                    .orElseThrow();
            store.as("user").createDocument(kind, document).orThrow();
        }
    }

    /** Creates an object unless it is there. */
    void createUnlessThere(Kind<?> kind, String name, String yaml) {
        if (!isThere(kind, name)) {
            create(yaml);
        }
    }

    boolean isThere(Kind<?> kind, String name) {
        return store.get(kind, key(kind, name)).value().isPresent();
    }

    private static ObjectKey key(Kind<?> kind, String name) {
        return kind.namespaced() ? ObjectKey.of("default", name) : ObjectKey.cluster(name);
    }

    /** A claim of the namespace default that names a volume, once it is bound. */
    void claim(String name, String volume, String mode, String accessMode) {
        createUnlessThere(Kinds.PERSISTENT_VOLUME_CLAIM, name, """
                {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: %s, namespace: default},
                 spec: {storageClassName: "", volumeName: %s, volumeMode: %s, accessModes: [%s],
                        resources: {requests: {storage: 1Mi}}}}""".formatted(name, volume, mode, accessMode));
        awaiting.until(
                Kinds.PERSISTENT_VOLUME_CLAIM,
                ObjectKey.of("default", name),
                "claim " + name + " is bound",
                seen -> seen.filter(claim -> claim.status().phase() == ClaimPhase.BOUND)
                        .isPresent());
        awaitVolume(volume, PersistentVolumePhase.BOUND);
    }

    /** A claim of the namespace default of a class that makes volumes, once it is bound; answers which volume was made. */
    String claimOfClass(String name, String storageClass) {
        create("""
                {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: %s, namespace: default},
                 spec: {storageClassName: %s, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Mi}}}}""".formatted(name, storageClass));
        return awaiting.until(
                        Kinds.PERSISTENT_VOLUME_CLAIM,
                        ObjectKey.of("default", name),
                        "claim " + name + " is bound",
                        seen -> seen.filter(claim -> claim.status().phase() == ClaimPhase.BOUND)
                                .isPresent())
                .map(claim -> claim.spec().volumeName())
                .orElseThrow();
    }

    /** Asks for more for a claim of the namespace default, and waits until it has it. */
    void grow(String name, Quantity size) {
        ObjectKey key = ObjectKey.of("default", name);
        PersistentVolumeClaim claim =
                store.get(Kinds.PERSISTENT_VOLUME_CLAIM, key).orThrow();
        PersistentVolumeClaim more = claim.withSpec(claim.spec().withRequestedStorage(size));
        store.as("user")
                .update(Kinds.PERSISTENT_VOLUME_CLAIM, new Change<>(claim, more))
                .orThrow();
        awaiting.until(
                Kinds.PERSISTENT_VOLUME_CLAIM,
                key,
                "claim " + name + " has " + size,
                seen -> seen.map(grown -> grown.status().capacity().get("storage"))
                        .filter(has -> has.compareTo(size) >= 0)
                        .isPresent());
    }

    void awaitVolume(String name, PersistentVolumePhase phase) {
        awaiting.until(
                Kinds.PERSISTENT_VOLUME,
                ObjectKey.cluster(name),
                "volume " + name + " becomes " + phase.wireName(),
                seen -> seen.filter(volume -> volume.status().phase() == phase).isPresent());
    }

    /** Starts a pod on this node that uses a claim, waits until it runs, and answers its uid. */
    String pod(String name, String claim) {
        goneIfGoing(name);
        start(name, claim);
        return running(name);
    }

    /** Starts a pod on this node that uses a claim. */
    void start(String name, String claim) {
        createUnlessThere(Kinds.POD, name, """
                {apiVersion: v1, kind: Pod, metadata: {name: %s, namespace: default},
                 spec: {nodeName: %s, volumes: [{name: data, persistentVolumeClaim: {claimName: %s}}],
                        containers: [{name: main, image: none, volumeMounts: [{name: data, mountPath: /data}]}]}}""".formatted(name, NODE, claim));
    }

    /**
     * Starts a pod with an emptyDir on the disk, unless it is there, and waits until a container has a part of it; answers where the whole is.
     */
    Path scratch(String name) {
        createUnlessThere(Kinds.POD, name, """
                {apiVersion: v1, kind: Pod, metadata: {name: %s, namespace: default},
                 spec: {nodeName: %s, volumes: [{name: scratch, emptyDir: {}}],
                        containers: [{name: main, image: none,
                                      volumeMounts: [{name: scratch, mountPath: /part, subPath: part}]}]}}""".formatted(name, NODE));
        String uid = running(name);
        awaitMounted(root().resolve("pods").resolve(uid).resolve("volume-subpaths/scratch/main/0"));
        return mounted(uid, "kubernetes.io/empty-dir", "scratch");
    }

    /** Starts a pod on this node that uses the device of a claim, waits until it runs, and answers its uid. */
    String podWithDevice(String name, String claim) {
        goneIfGoing(name);
        createUnlessThere(Kinds.POD, name, """
                {apiVersion: v1, kind: Pod, metadata: {name: %s, namespace: default},
                 spec: {nodeName: %s, volumes: [{name: data, persistentVolumeClaim: {claimName: %s}}],
                        containers: [{name: main, image: none, volumeDevices: [{name: data, devicePath: /dev/data}]}]}}""".formatted(name, NODE, claim));
        return running(name);
    }

    /** A pod that was being deleted when everything stopped goes, before one of its name can come. */
    private void goneIfGoing(String name) {
        boolean going = store.get(Kinds.POD, key(Kinds.POD, name))
                .value()
                .filter(pod -> pod.metadata().isDeleting())
                .isPresent();
        if (going) {
            awaiting.until(Kinds.POD, key(Kinds.POD, name), "pod " + name + " goes", Optional::isEmpty);
        }
    }

    /** Waits until a pod runs; answers its uid. */
    String running(String name) {
        return awaiting.until(
                        Kinds.POD,
                        ObjectKey.of("default", name),
                        "pod " + name + " runs",
                        seen -> seen.filter(pod -> pod.status().phase() == PodPhase.RUNNING)
                                .isPresent())
                .map(Pod::metadata)
                .orElseThrow()
                .uid();
    }

    /** Where a pod sees a volume. */
    Path mounted(String podUid, String plugin, String volume) {
        return root().resolve("pods")
                .resolve(podUid)
                .resolve("volumes")
                .resolve(plugin.replace('/', '~'))
                .resolve(volume);
    }

    /** Waits for an event about a pod whose message contains a text. */
    void awaitEvent(String pod, String text) {
        awaiting.untilAny(
                Kinds.EVENT,
                "an event about pod " + pod + " that says " + text,
                event -> event.involvedObject().name().equals(pod)
                        && event.message().contains(text));
    }

    /** Waits for an event about a pod with a reason. */
    void awaitReason(String pod, String reason) {
        awaiting.untilAny(
                Kinds.EVENT,
                "an event about pod " + pod + " with reason " + reason,
                event -> event.involvedObject().name().equals(pod)
                        && event.reason().equals(reason));
    }

    <T extends KubernetesObject> Optional<T> find(Kind<T> kind, String name) {
        return store.get(kind, key(kind, name)).value();
    }

    void deleteWithoutWaiting(Kind<?> kind, String name) {
        store.as("user")
                .deleteObject(kind, key(kind, name), DeleteOptions.DEFAULT)
                .orThrow();
    }

    /** Waits until something is mounted: after a reboot a pod still counts as running before it sees its volume again. */
    void awaitMounted(Path point) {
        CompletableFuture<Void> there = new CompletableFuture<>();
        Runnable look = () -> {
            if (MachineView.mountPointsBelow(root()).contains(point.toString())) {
                there.complete(null);
            }
        };
        mounts.onChange(look);
        look.run();
        try {
            there.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            throw new IllegalStateException("nothing is mounted at " + point, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Where a pod sees a device. */
    Path device(String podUid, String plugin, String volume) {
        return root().resolve("pods")
                .resolve(podUid)
                .resolve("volumeDevices")
                .resolve(plugin.replace('/', '~'))
                .resolve(volume);
    }

    /** Waits until there is no object of a kind. */
    <T extends KubernetesObject> void noneLeft(Kind<T> kind) {
        for (T each : store.list(kind, ListOptions.ALL).orThrow().items()) {
            awaiting.until(kind, ObjectKey.of(each), ObjectKey.of(each) + " goes", Optional::isEmpty);
        }
    }

    /** Deletes an object, if it is there, and waits until it has gone. */
    void delete(Kind<?> kind, String name) {
        ObjectKey key = key(kind, name);
        if (isThere(kind, name)) {
            store.as("user").deleteObject(kind, key, DeleteOptions.DEFAULT);
        }
        awaiting.until(kind, key, kind.name() + " " + name + " goes", Optional::isEmpty);
    }

    /** Waits until no controller has anything to do. */
    void quiet() {
        cluster.awaitQuiescence();
    }

    /** As the agent does when its machine is shut down. */
    void leaveMachine() {
        assertThat(cluster.leaveMachine(PATIENCE)).as("in time").isTrue();
    }

    /** Proves that nothing is left of all that was done, when all pods have gone. */
    void end() {
        noneLeft(Kinds.VOLUME_ATTACHMENT);
        cluster.awaitQuiescence();
        Node node = store.get(Kinds.NODE, ObjectKey.cluster(NODE)).orThrow();
        assertThat(node.status().volumesAttached()).as("attached").isEmpty();
        assertThat(node.status().volumesInUse()).as("in use").isEmpty();
        assertThat(RecordLog.standing(records.replay()).values()).as("records").isEmpty();
        assertThat(MachineView.tree(root()))
                .as("below " + root())
                .allSatisfy(path -> assertThat(path).matches(OF_NO_VOLUME));
        // What is put aside may be the only copy of a volume's data: none of these lives leaves any.
        assertThat(MachineView.names(base.resolve("orphans"))).as("put aside").isEmpty();
        close();
        List<String> leaked = new ArrayList<>(MachineView.traces());
        leaked.removeAll(before);
        assertThat(leaked).as("left on the machine").isEmpty();
    }

    @Override
    public void close() {
        cluster.close();
        mounts.close();
        records.close();
        store.close();
    }
}
