// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.AttachDetachOptions;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.distribution.wiring.ControllerParts;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Condition;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.Container;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimSpec;
import dev.mooring.storage.model.PersistentVolumeSpec;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodSpec;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.Watch;
import dev.mooring.storage.store.WatchEvent;
import dev.mooring.storage.store.WatchListener;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What is chosen for lost nodes, as the controllers of the distribution do it. */
class LostNodePolicyTest {
    private static final String DRIVER = "disk.example.com";
    private static final ObjectKey NODE = ObjectKey.cluster("n1");
    private static final List<AccessMode> ONCE = List.of(AccessMode.READ_WRITE_ONCE);

    private final ClusterStore store = new MemoryClusterStore(
            StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new SecureRandom())));

    /** Its agent says that it uses the volume, and says nothing any more. The attacher outside of the cluster is played. */
    @Test
    void aVolumeIsTakenFromANodeThatIsNotReadyAfterTheTimeThatWasChosen() throws InterruptedException {
        RunningControllers controllers = RunningControllers.start(ControllerParts.of(
                        store, List.of(), HostServices.none())
                .withAttachDetach(AttachDetachOptions.DEFAULT.withForceAfter(Optional.of(Duration.ofMillis(1)))));
        fill();
        String attachment = await(Kinds.VOLUME_ATTACHMENT, event -> event.type() == WatchEvent.Type.ADDED)
                .metadata()
                .name();
        editStatus(
                Kinds.VOLUME_ATTACHMENT,
                ObjectKey.cluster(attachment),
                each -> each.withStatus(each.status().withAttached(true)));
        Node reported = await(
                Kinds.NODE, event -> !event.object().status().volumesAttached().isEmpty());
        String volume = reported.status().volumesAttached().get(0).name();
        editStatus(
                Kinds.NODE,
                NODE,
                node -> node.withStatus(node.status()
                        .withVolumesInUse(List.of(volume))
                        .withConditions(List.of(condition(ConditionStatus.UNKNOWN)))));
        store.delete(Kinds.POD, ObjectKey.of("default", "web"), DeleteOptions.DEFAULT)
                .orThrow();
        await(Kinds.VOLUME_ATTACHMENT, event -> event.type() == WatchEvent.Type.DELETED);
        assertThat(store.get(Kinds.NODE, NODE).orThrow().status().volumesInUse())
                .containsExactly(volume);
        controllers.close(Duration.ofSeconds(10));
    }

    private void fill() {
        Node node = Node.of("n1");
        create(
                Kinds.NODE,
                node.withMetadata(node.metadata()
                        .withAnnotation("volumes.kubernetes.io/controller-managed-attach-detach", "true")));
        editStatus(
                Kinds.NODE,
                NODE,
                each -> each.withStatus(each.status().withConditions(List.of(condition(ConditionStatus.TRUE)))));
        VolumeSource disk = new CsiSource(DRIVER, "disk", "", false, Map.of()).toSource();
        create(
                Kinds.PERSISTENT_VOLUME,
                PersistentVolume.of(
                        "disk",
                        PersistentVolumeSpec.EMPTY
                                .withStorage(Quantity.parse("1Gi"))
                                .withAccessModes(ONCE)
                                .withSource(Optional.of(disk))));
        create(
                Kinds.PERSISTENT_VOLUME_CLAIM,
                PersistentVolumeClaim.of(
                        "default",
                        "data",
                        PersistentVolumeClaimSpec.EMPTY
                                .withRequestedStorage(Quantity.parse("1Gi"))
                                .withAccessModes(ONCE)));
        VolumeSource claimed = new VolumeSource("persistentVolumeClaim", Document.of(Map.of("claimName", "data")));
        create(
                Kinds.POD,
                Pod.of(
                        "default",
                        "web",
                        PodSpec.EMPTY
                                .withNodeName("n1")
                                .withVolumes(List.of(new PodVolume("d", Optional.of(claimed))))
                                .withContainers(List.of(
                                        new Container("main", "registry.example.com/app:1", List.of(), List.of())))));
    }

    private static Condition condition(ConditionStatus ready) {
        return new Condition("Ready", ready, "", "", Optional.empty(), Optional.empty(), Optional.empty());
    }

    private <T extends KubernetesObject> void create(Kind<T> kind, T object) {
        store.create(kind, object).orThrow();
    }

    /** Others write too. */
    private <T extends KubernetesObject> void editStatus(Kind<T> kind, ObjectKey key, UnaryOperator<T> edit) {
        StoreResult<T> written;
        do {
            T known = store.get(kind, key).orThrow();
            written = store.updateStatus(kind, new Change<>(known, edit.apply(known)));
        } while (written.value().isEmpty());
    }

    private <T extends KubernetesObject> T await(Kind<T> kind, Predicate<WatchEvent<T>> wanted)
            throws InterruptedException {
        BlockingQueue<T> seen = new LinkedBlockingQueue<>();
        Watch watch = store.watch(kind, ListOptions.ALL, Revision.ZERO, new WatchListener<>() {
            @Override
            public void onEvent(WatchEvent<T> event) {
                if (wanted.test(event)) {
                    seen.add(event.object());
                }
            }

            @Override
            public void onBookmark(Revision revision) {}

            @Override
            public void onEnd(StoreResult.Failure reason, String message) {}
        });
        T found = seen.poll(60, TimeUnit.SECONDS);
        watch.close();
        assertThat(found).as(kind.toString()).isNotNull();
        return found;
    }
}
