// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.Deletion;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Reading and writing of single objects. */
abstract class WriteContract extends StoreFixture {
    private static final String MARK = "example.com/mark";

    @Test
    void aCreatedObjectHasAnIdentityAndIsRead() {
        PersistentVolume created = create(volume("a"));
        assertThat(created.metadata().uid()).isNotEmpty();
        assertThat(created.metadata().creationTimestamp()).isPresent();
        assertThat(revisionOf(created).value()).isPositive();
        assertThat(store().get(PV, ObjectKey.cluster("a")).orThrow()).isEqualTo(created);
    }

    @Test
    void whatIsNotThereIsNotFound() {
        assertFailed(store().get(PV, ObjectKey.cluster("missing")), Failure.NOT_FOUND);
        assertFailed(store().delete(PV, ObjectKey.cluster("missing"), DeleteOptions.DEFAULT), Failure.NOT_FOUND);
        PersistentVolume never = volume("missing");
        assertFailed(store().update(PV, new Change<>(never, annotated(never, MARK, "1"))), Failure.NOT_FOUND);
        assertFailed(
                store().updateStatus(PV, new Change<>(never, inPhase(never, PersistentVolumePhase.BOUND))),
                Failure.NOT_FOUND);
    }

    @Test
    void aNameIsTakenOnce() {
        PersistentVolume first = create(volume("a"));
        assertFailed(store().create(PV, volume("a")), Failure.ALREADY_EXISTS);
        assertThat(store().get(PV, ObjectKey.cluster("a")).orThrow()).isEqualTo(first);
    }

    @Test
    void namespacesAndKindsKeepNamesApart() {
        create(claim("x", "a"));
        create(claim("y", "a"));
        create(volume("a"));
        assertThat(store().get(PVC, ObjectKey.of("x", "a")).orThrow().metadata().namespace())
                .isEqualTo("x");
        assertFailed(store().get(PVC, ObjectKey.of("z", "a")), Failure.NOT_FOUND);
    }

    @Test
    void aNewObjectOfTheSameNameHasAnotherUid() {
        PersistentVolume first = create(volume("a"));
        destroy(first);
        PersistentVolume second = create(volume("a"));
        assertThat(second.metadata().uid()).isNotEqualTo(first.metadata().uid());
        assertThat(revisionOf(second).isAfter(revisionOf(first))).isTrue();
    }

    @Test
    void generateNameMakesDifferentNames() {
        PersistentVolume wish = volume("").withMetadata(ObjectMeta.EMPTY.withGenerateName("disk-"));
        String one = create(wish).metadata().name();
        String other = create(wish).metadata().name();
        assertThat(one).startsWith("disk-").isNotEqualTo(other).hasSizeGreaterThan("disk-".length());
        assertThat(store().get(PV, ObjectKey.cluster(one)).failure()).isEmpty();
    }

    @Test
    void aNameWinsOverGenerateName() {
        PersistentVolume wish = volume("a");
        PersistentVolume created = create(wish.withMetadata(wish.metadata().withGenerateName("disk-")));
        assertThat(created.metadata().name()).isEqualTo("a");
    }

    @Test
    void withoutANameItIsInvalid() {
        StoreResult<PersistentVolume> result = store().create(PV, volume(""));
        assertFailed(result, Failure.INVALID);
    }

    @Test
    void creationDropsTheStatus() {
        PersistentVolume created = create(inPhase(volume("a"), PersistentVolumePhase.BOUND));
        assertThat(created.status().phase()).isEqualTo(PersistentVolumePhase.PENDING);
    }

    @Test
    void anUpdateChangesEverythingButTheStatus() {
        PersistentVolume base = create(volume("a"));
        PersistentVolume edited = inPhase(annotated(base, MARK, "1"), PersistentVolumePhase.BOUND)
                .withSpec(base.spec().withPersistentVolumeReclaimPolicy(ReclaimPolicy.DELETE));
        PersistentVolume updated =
                store().update(PV, new Change<>(base, edited)).orThrow();
        assertThat(updated.metadata().annotation(MARK)).contains("1");
        assertThat(updated.spec().persistentVolumeReclaimPolicy()).isEqualTo(ReclaimPolicy.DELETE);
        assertThat(updated.status()).isEqualTo(base.status());
        assertThat(revisionOf(updated).isAfter(revisionOf(base))).isTrue();
        assertThat(store().get(PV, ObjectKey.cluster("a")).orThrow()).isEqualTo(updated);
    }

    @Test
    void aStatusUpdateChangesTheStatusOnly() {
        PersistentVolume base = create(volume("a"));
        PersistentVolume edited = inPhase(annotated(base, MARK, "1"), PersistentVolumePhase.AVAILABLE)
                .withSpec(base.spec().withPersistentVolumeReclaimPolicy(ReclaimPolicy.DELETE));
        PersistentVolume updated =
                store().updateStatus(PV, new Change<>(base, edited)).orThrow();
        assertThat(updated.status().phase()).isEqualTo(PersistentVolumePhase.AVAILABLE);
        assertThat(updated.metadata().annotation(MARK)).isEmpty();
        assertThat(updated.spec()).isEqualTo(base.spec());
    }

    @Test
    void anOldBaseIsAConflict() {
        PersistentVolume base = create(volume("a"));
        edit(base, metadata -> metadata.withAnnotation(MARK, "1")).orThrow();
        assertFailed(edit(base, metadata -> metadata.withAnnotation(MARK, "2")), Failure.CONFLICT);
        assertFailed(
                store().updateStatus(PV, new Change<>(base, inPhase(base, PersistentVolumePhase.BOUND))),
                Failure.CONFLICT);
        assertThat(store().get(PV, ObjectKey.cluster("a")).orThrow().metadata().annotation(MARK))
                .contains("1");
    }

    @Test
    void aBaseOfAnotherUidIsAConflict() {
        PersistentVolume old = create(volume("a"));
        destroy(old);
        create(volume("a"));
        assertFailed(edit(old, metadata -> metadata.withAnnotation(MARK, "1")), Failure.CONFLICT);
    }

    @Test
    void aChangeThatAltersNothingMakesNoRevision() {
        PersistentVolume base = create(volume("a"));
        assertThat(store().update(PV, new Change<>(base, base)).orThrow()).isEqualTo(base);
        assertThat(store().updateStatus(PV, new Change<>(base, base)).orThrow()).isEqualTo(base);
        assertThat(store().get(PV, ObjectKey.cluster("a")).orThrow()).isEqualTo(base);
        if (isTheOnlyWriter()) {
            assertThat(now()).isEqualTo(revisionOf(base));
        }
    }

    @Test
    void aChangeKeepsWhatNoModelKnowsAtEveryLevel() {
        createDocument(PV, strange());
        ObjectKey key = ObjectKey.cluster("a");
        PersistentVolume base = store().get(PV, key).orThrow();
        PersistentVolume updated = store().update(
                        PV,
                        new Change<>(
                                base,
                                annotated(base, MARK, "1").withSpec(base.spec().withMountOptions(List.of("hard")))))
                .orThrow();
        store().updateStatus(PV, new Change<>(updated, inPhase(updated, PersistentVolumePhase.AVAILABLE)))
                .orThrow();
        patchDocument(PV, key, Document.of(Map.of("spec", Map.of("mountOptions", List.of("soft")))));
        Document found = readDocument(PV, key);
        if (keepsUnknownFields()) {
            assertThat(found.text("future")).contains("top");
            assertThat(found.text("metadata", "future")).contains("metadata");
            assertThat(found.text("spec", "future")).contains("spec");
            assertThat(found.text("spec", "nfs", "future")).contains("source");
            assertThat(found.at("spec", "futures")).contains(List.of(Map.of("a", 1L)));
        } else {
            assertThat(found.toString()).doesNotContain("\"future\"", "\"futures\"");
        }
        assertThat(found.at("spec", "mountOptions")).contains(List.of("soft"));
        assertThat(found.text("status", "phase")).contains("Available");
    }

    @Test
    void aStatusUpdateKeepsWhatNoModelKnowsInTheStatus() {
        create(volume("a"));
        ObjectKey key = ObjectKey.cluster("a");
        patchStatus(key);
        PersistentVolume base = store().get(PV, key).orThrow();
        store().updateStatus(PV, new Change<>(base, inPhase(base, PersistentVolumePhase.BOUND)))
                .orThrow();
        Document found = readDocument(PV, key);
        assertThat(found.text("status", "future").isPresent()).isEqualTo(keepsUnknownFields());
        assertThat(found.text("status", "phase")).contains("Bound");
    }

    /** Puts a field that no model knows into the status of a volume. */
    protected abstract void patchStatus(ObjectKey key, Document mergePatch);

    private void patchStatus(ObjectKey key) {
        patchStatus(key, Document.of(Map.of("status", Map.of("future", "status"))));
    }

    @Test
    void finalizersAreEditedOneByOne() {
        PersistentVolume base = create(volume("a"));
        PersistentVolume other = edit(base, metadata -> metadata.withFinalizer("example.com/one"))
                .orThrow();
        PersistentVolume both = edit(other, metadata -> metadata.withFinalizer("example.com/two"))
                .orThrow();
        PersistentVolume left = edit(both, metadata -> metadata.withoutFinalizer("example.com/one"))
                .orThrow();
        assertThat(left.metadata().hasFinalizer("example.com/one")).isFalse();
        assertThat(left.metadata().hasFinalizer("example.com/two")).isTrue();
    }

    @Test
    void anObjectWithoutFinalizersGoesAtOnce() {
        PersistentVolume created = edit(create(volume("a")), metadata -> metadata.withFinalizers(List.of()))
                .orThrow();
        Deletion<PersistentVolume> deletion = store().delete(PV, ObjectKey.cluster("a"), DeleteOptions.DEFAULT)
                .orThrow();
        assertThat(deletion.removed()).isTrue();
        assertThat(deletion.revision().isAfter(revisionOf(created))).isEqualTo(deletionTellsItsRevision());
        assertThat(deletion.object().metadata().uid())
                .isEqualTo(created.metadata().uid());
        assertFailed(store().get(PV, ObjectKey.cluster("a")), Failure.NOT_FOUND);
    }

    @Test
    void finalizersHoldADeletedObjectUntilTheLastIsGone() {
        PersistentVolume created = create(volume("a"));
        PersistentVolume held = edit(
                        created, metadata -> metadata.withFinalizers(List.of("example.com/one", "example.com/two")))
                .orThrow();
        Deletion<PersistentVolume> deletion = store().delete(PV, ObjectKey.cluster("a"), DeleteOptions.DEFAULT)
                .orThrow();
        assertThat(deletion.removed()).isFalse();
        assertThat(deletion.object().metadata().isDeleting()).isTrue();
        assertThat(revisionOf(deletion.object()).isAfter(revisionOf(held))).isTrue();
        PersistentVolume one = edit(deletion.object(), metadata -> metadata.withoutFinalizer("example.com/one"))
                .orThrow();
        assertThat(store().get(PV, ObjectKey.cluster("a")).orThrow()).isEqualTo(one);
        PersistentVolume last = edit(one, metadata -> metadata.withoutFinalizer("example.com/two"))
                .orThrow();
        assertThat(last.metadata().isDeleting()).isTrue();
        assertThat(last.metadata().finalizers()).isEmpty();
        assertFailed(store().get(PV, ObjectKey.cluster("a")), Failure.NOT_FOUND);
    }

    @Test
    void aSecondDeletionOfAHeldObjectChangesNothing() {
        create(volume("a"));
        ObjectKey key = ObjectKey.cluster("a");
        edit(store().get(PV, key).orThrow(), metadata -> metadata.withFinalizer("example.com/one"))
                .orThrow();
        PersistentVolume marked =
                store().delete(PV, key, DeleteOptions.DEFAULT).orThrow().object();
        Deletion<PersistentVolume> again =
                store().delete(PV, key, DeleteOptions.DEFAULT).orThrow();
        assertThat(again.removed()).isFalse();
        assertThat(again.object()).isEqualTo(marked);
        assertThat(again.revision()).isEqualTo(revisionOf(marked));
    }

    @Test
    void aDeletedObjectTakesNoNewFinalizer() {
        PersistentVolume base = edit(create(volume("a")), metadata -> metadata.withFinalizer("example.com/one"))
                .orThrow();
        PersistentVolume marked = store().delete(PV, ObjectKey.of(base), DeleteOptions.DEFAULT)
                .orThrow()
                .object();
        assertFailed(edit(marked, metadata -> metadata.withFinalizer("example.com/two")), Failure.INVALID);
    }

    @Test
    void aDeletionHasPreconditions() {
        PersistentVolume old = create(volume("a"));
        PersistentVolume base =
                edit(old, metadata -> metadata.withFinalizers(List.of())).orThrow();
        ObjectKey key = ObjectKey.cluster("a");
        String uid = base.metadata().uid();
        assertFailed(store().delete(PV, key, DeleteOptions.exactly("another", revisionOf(base))), Failure.CONFLICT);
        assertFailed(store().delete(PV, key, DeleteOptions.exactly(uid, revisionOf(old))), Failure.CONFLICT);
        assertThat(store().delete(PV, key, DeleteOptions.exactly(uid, revisionOf(base)))
                        .orThrow()
                        .removed())
                .isTrue();
    }

    @Test
    void aBrokenRuleNamesObjectAndField() {
        PersistentVolume broken = volume("a").withSpec(volume("a").spec().withAccessModes(List.of()));
        StoreResult<PersistentVolume> result = store().create(PV, broken);
        assertFailed(result, Failure.INVALID);
        String message = result.match(ok -> "", StoreResult.Failed::message);
        assertThat(message).contains("PersistentVolume").contains("\"a\"").contains("spec.accessModes");
        assertFailed(store().get(PV, ObjectKey.cluster("a")), Failure.NOT_FOUND);
    }

    static PersistentVolume inPhase(PersistentVolume volume, PersistentVolumePhase phase) {
        return volume.withStatus(volume.status().withPhase(phase));
    }

    private static Document strange() {
        return PV.write(volume("a"))
                .with("top", "future")
                .with("metadata", "metadata", "future")
                .with("spec", "spec", "future")
                .with("source", "spec", "nfs", "future")
                .with(List.of(Map.of("a", 1)), "spec", "futures");
    }
}
