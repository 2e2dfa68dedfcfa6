// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimSpec;
import dev.mooring.storage.model.PersistentVolumeSpec;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;

/** What a store must offer to be tested, and the objects that it is tested with. */
abstract class StoreFixture {
    static final Kind<PersistentVolume> PV = Kinds.PERSISTENT_VOLUME;
    static final Kind<PersistentVolumeClaim> PVC = Kinds.PERSISTENT_VOLUME_CLAIM;

    private final List<AutoCloseable> toClose = Collections.synchronizedList(new ArrayList<>());

    /** The store under test, the same one throughout a test, at first without objects of the kinds used here. */
    protected abstract ClusterStore store();

    /** Writes a whole document as some other client would, with fields that no model knows. */
    protected abstract void createDocument(Kind<?> kind, Document document);

    /** Reads a whole document as some other client would. */
    protected abstract Document readDocument(Kind<?> kind, ObjectKey key);

    /** Patches a whole document as some other client would. */
    protected abstract void patchDocument(Kind<?> kind, ObjectKey key, Document mergePatch);

    /** Makes the store forget its history up to now. */
    protected abstract void forgetHistory();

    /** How long an event may take to reach its listener, in milliseconds. */
    protected long patienceMillis() {
        return 120_000;
    }

    /**
     * Whether fields that no model knows are kept. A store that has a schema of its own prunes what is not in it; then the suite asserts
     * that, and the store's own tests show that fields of its schema which this model lacks survive.
     */
    protected boolean keepsUnknownFields() {
        return true;
    }

    /** Whether the answer to a deletion tells its revision; if not, it tells the object's last revision before. Watches always tell. */
    protected boolean deletionTellsItsRevision() {
        return true;
    }

    /** Whether only the test writes: if not, the history moves on by itself. */
    protected boolean isTheOnlyWriter() {
        return true;
    }

    /** Whether a watch from a revision that has not come is refused; if not, it waits until that revision has come. */
    protected boolean refusesFutureRevisions() {
        return true;
    }

    /** Whether the server may end a watch that falls behind. */
    protected boolean mayEndWatches() {
        return false;
    }

    @AfterEach
    void closeWatches() throws Exception {
        for (AutoCloseable each : toClose) {
            each.close();
        }
    }

    final <T extends KubernetesObject> WatchRecorder<T> watch(Kind<T> kind, ListOptions options, Revision after) {
        WatchRecorder<T> recorder = new WatchRecorder<>(patienceMillis());
        toClose.add(store().watch(kind, options, after, recorder));
        return recorder;
    }

    /** A watch of all volumes among so many writes that a server may end it: then it goes on from what it has seen. */
    final WatchRecorder<PersistentVolume> follow(Revision after) {
        if (!mayEndWatches()) {
            return watch(PV, ListOptions.ALL, after);
        }
        WatchRecorder<PersistentVolume> recorder = new WatchRecorder<>(patienceMillis());
        toClose.add(new Follower<>(store(), PV, after, recorder));
        return recorder;
    }

    final Revision now() {
        return store().list(PV, ListOptions.ALL).orThrow().revision();
    }

    static PersistentVolume volume(String name) {
        PersistentVolumeSpec spec = PersistentVolumeSpec.EMPTY
                .withStorage(Quantity.parse("1Gi"))
                .withAccessModes(List.of(AccessMode.READ_WRITE_ONCE))
                .withSource(java.util.Optional.of(
                        new VolumeSource("nfs", Document.of(Map.of("server", "nfs.example.com", "path", "/exports")))));
        return PersistentVolume.of(name, spec);
    }

    static PersistentVolumeClaim claim(String namespace, String name) {
        PersistentVolumeClaimSpec spec = PersistentVolumeClaimSpec.EMPTY
                .withRequestedStorage(Quantity.parse("1Gi"))
                .withStorageClassName(java.util.Optional.of(""))
                .withAccessModes(List.of(AccessMode.READ_WRITE_ONCE));
        return PersistentVolumeClaim.of(namespace, name, spec);
    }

    final PersistentVolume create(PersistentVolume volume) {
        return store().create(PV, volume).orThrow();
    }

    final PersistentVolumeClaim create(PersistentVolumeClaim claim) {
        return store().create(PVC, claim).orThrow();
    }

    static PersistentVolume labelled(PersistentVolume volume, String key, String value) {
        return volume.withMetadata(volume.metadata().withLabels(Map.of(key, value)));
    }

    static PersistentVolume annotated(PersistentVolume volume, String key, String value) {
        return volume.withMetadata(volume.metadata().withAnnotation(key, value));
    }

    final StoreResult<PersistentVolume> edit(PersistentVolume base, UnaryOperator<ObjectMeta> edit) {
        return store().update(PV, new Change<>(base, base.withMetadata(edit.apply(base.metadata()))));
    }

    /** Removes all finalizers and then the object. */
    final void destroy(PersistentVolume volume) {
        PersistentVolume free =
                edit(volume, metadata -> metadata.withFinalizers(List.of())).orThrow();
        assertThat(store().delete(PV, ObjectKey.of(free), dev.mooring.storage.store.DeleteOptions.DEFAULT)
                        .orThrow()
                        .removed())
                .isTrue();
    }

    static Revision revisionOf(KubernetesObject object) {
        return Revision.parse(object.metadata().resourceVersion());
    }

    static void assertFailed(StoreResult<?> result, Failure failure) {
        assertThat(result.failure()).as("%s", result).contains(failure);
    }
}
