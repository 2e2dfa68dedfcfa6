// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.registration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.model.VolumeAttachmentSource;
import dev.mooring.storage.model.VolumeAttachmentSpec;
import dev.mooring.storage.model.VolumeAttachmentStatus;
import dev.mooring.storage.model.VolumeError;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.ForwardingStore;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.ObjectList;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.Watch;
import dev.mooring.storage.store.WatchListener;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FullNodeTest {
    private final MemoryClusterStore kept = new MemoryClusterStore(
            StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new Random(7))));
    private final Interrupted store = new Interrupted();
    private final Queue<Runnable> later = new ArrayDeque<>();
    private final BlockingQueue<String> full = new LinkedBlockingQueue<>();
    private int missed;
    private final FullNode node = new FullNode(store, "here", later::add, full::add, () -> missed++);

    @AfterEach
    void close() {
        node.close();
        kept.close();
    }

    @Test
    void anAttachmentThatFindsNoRoomOnceTheNodeIsWatchedIsHeard() throws Exception {
        attachmentWithoutRoom("before.example.com", "here");
        node.watch();
        attachmentWithoutRoom("other.example.com", "elsewhere");
        attachmentWithoutRoom("disks.example.com", "here");

        assertThat(full.poll(60, TimeUnit.SECONDS)).isEqualTo("disks.example.com");
        assertThat(missed).isZero();
    }

    @Test
    void whatCameWhileTheStoreCouldNotBeReadIsMissed() throws Exception {
        store.isDown = true;
        node.watch();
        attachmentWithoutRoom("disks.example.com", "here");
        later.remove().run();
        assertThat(missed).isZero();

        store.isDown = false;
        later.remove().run();

        assertThat(missed).isEqualTo(1);
        attachmentWithoutRoom("more.example.com", "here");
        assertThat(full.poll(60, TimeUnit.SECONDS)).isEqualTo("more.example.com");
    }

    @Test
    void whatCameAfterAWatchEndedIsMissed() throws Exception {
        node.watch();
        store.endWatches();
        attachmentWithoutRoom("disks.example.com", "here");
        node.watch();
        assertThat(missed).isZero();

        later.remove().run();

        assertThat(missed).isEqualTo(1);
        assertThat(full).isEmpty();
        attachmentWithoutRoom("more.example.com", "here");
        assertThat(full.poll(60, TimeUnit.SECONDS)).isEqualTo("more.example.com");
    }

    private void attachmentWithoutRoom(String driver, String onNode) {
        VolumeAttachmentSpec spec = VolumeAttachmentSpec.EMPTY
                .withAttacher(driver)
                .withNodeName(onNode)
                .withSource(VolumeAttachmentSource.EMPTY.withPersistentVolumeName(Optional.of("data")));
        VolumeAttachment made = kept.create(
                        Kinds.VOLUME_ATTACHMENT,
                        new VolumeAttachment(ObjectMeta.named(driver), spec, VolumeAttachmentStatus.EMPTY))
                .orThrow();
        VolumeError error = new VolumeError(Optional.of(Instant.EPOCH), "no room", Optional.of(8L));
        kept.updateStatus(
                        Kinds.VOLUME_ATTACHMENT,
                        new Change<>(made, made.withStatus(made.status().withAttachError(Optional.of(error)))))
                .orThrow();
    }

    /** A store that cannot be read for a while, and whose watches end. */
    private final class Interrupted extends ForwardingStore {
        private boolean isDown;
        private final List<Watch> watches = new ArrayList<>();
        private final List<WatchListener<?>> listeners = new ArrayList<>();

        Interrupted() {
            super(kept);
        }

        @Override
        public <T extends KubernetesObject> StoreResult<ObjectList<T>> list(Kind<T> kind, ListOptions options) {
            return isDown ? StoreResult.failed(Failure.UNAVAILABLE, "no connection") : super.list(kind, options);
        }

        @Override
        public <T extends KubernetesObject> Watch watch(
                Kind<T> kind, ListOptions options, Revision after, WatchListener<T> listener) {
            Watch watch = super.watch(kind, options, after, listener);
            watches.add(watch);
            listeners.add(listener);
            return watch;
        }

        void endWatches() {
            watches.forEach(Watch::close);
            listeners.forEach(listener -> listener.onEnd(Failure.UNAVAILABLE, "the connection ended"));
            watches.clear();
            listeners.clear();
        }
    }
}
