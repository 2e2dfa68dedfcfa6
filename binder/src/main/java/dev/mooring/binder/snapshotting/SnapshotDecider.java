// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.snapshotting;

import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Concern;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.ObjectReferenceBuilder;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.SnapshotPolicy;
import dev.mooring.storage.model.VolumeSnapshot;
import dev.mooring.storage.model.VolumeSnapshotClass;
import dev.mooring.storage.model.VolumeSnapshotContent;
import dev.mooring.storage.model.VolumeSnapshotContentSource;
import dev.mooring.storage.model.VolumeSnapshotContentSpecBuilder;
import dev.mooring.storage.model.VolumeSnapshotContentStatus;
import dev.mooring.storage.model.VolumeSnapshotError;
import dev.mooring.storage.model.VolumeSnapshotStatus;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** A user's VolumeSnapshot: it gets a content, shows what is known of that, and goes after it. */
final class SnapshotDecider {
    static final String COMPONENT = "snapshot-controller";

    private static final String PROTECT = "protect-snapshot";
    private static final String PROTECT_SOURCE = "protect-snapshot-source";
    private static final String SET_CLASS = "set-snapshot-class";
    private static final String CREATE_CONTENT = "create-snapshot-content";
    private static final String BIND_CONTENT = "bind-snapshot-content";
    private static final String SHOW = "show-snapshot";
    private static final String MARK_DELETED = "mark-snapshot-deleted";
    private static final String DELETE_CONTENT = "delete-snapshot-content";
    private static final String FIND_CONTENT = "find-snapshot-content";
    private static final String RELEASE = "release-snapshot";
    private static final String CREATION_FAILED = "SnapshotContentCreationFailed";

    private final VolumeSnapshot snapshot;
    private final PluginRegistry plugins;
    private final SnapshotNotes notes;
    private final Situation situation;

    SnapshotDecider(VolumeSnapshot snapshot, PluginRegistry plugins, SnapshotNotes notes, Situation situation) {
        this.snapshot = snapshot;
        this.plugins = plugins;
        this.notes = notes;
        this.situation = situation;
    }

    /**
     * Decides.
     *
     * @param restoring the claims that wait to be filled from the snapshot
     */
    Decision decide(Set<ObjectKey> restoring) {
        if (snapshot.metadata().isDeleting()) {
            return end(restoring);
        }
        ObjectMeta kept = snapshot.metadata()
                .withFinalizer(Finalizers.SNAPSHOT_AS_SOURCE)
                .withFinalizer(Finalizers.SNAPSHOT_BOUND);
        if (!kept.equals(snapshot.metadata())) {
            return update(PROTECT, snapshot.withMetadata(kept));
        }
        return snapshot.spec()
                .source()
                .volumeSnapshotContentName()
                .map(this::bindTo)
                .orElseGet(this::make);
    }

    private Optional<VolumeSnapshotContent> content() {
        return situation.caches().get(Kinds.VOLUME_SNAPSHOT_CONTENT, SnapshotMarks.contentOf(snapshot));
    }

    // ---- a snapshot that is to be made ----

    private Decision make() {
        Optional<VolumeSnapshotContent> content = content();
        if (content.isPresent()) {
            return SnapshotMarks.isFor(content.get(), snapshot)
                    ? show(content.get())
                    : failed(
                            "SnapshotContentMisbound",
                            "VolumeSnapshotContent " + content.get().metadata().name()
                                    + " is bound to a different snapshot");
        }
        if (snapshot.status()
                .flatMap(VolumeSnapshotStatus::boundVolumeSnapshotContentName)
                .isPresent()) {
            return failed("SnapshotContentMissing", "VolumeSnapshotContent is missing");
        }
        SnapshotSource source = new SnapshotSource(snapshot, plugins, situation.caches());
        Outcome<SnapshotSource.Volume> volume = source.volume();
        if (!volume.isDone()) {
            return failed(
                    CREATION_FAILED,
                    "Failed to create snapshot content with error failed to get input parameters to create snapshot "
                            + snapshot.metadata().name() + ": \"" + volume.message() + "\"");
        }
        Outcome<VolumeSnapshotClass> found =
                source.snapshotClass(volume.result().orElseThrow());
        if (!found.isDone()) {
            boolean named = snapshot.spec().volumeSnapshotClassName().isPresent();
            return named
                    ? failed("GetSnapshotClassFailed", "Failed to get snapshot class with error " + found.message())
                    : failed(
                            "SetDefaultSnapshotClassFailed",
                            "Failed to set default snapshot class with error " + found.message());
        }
        return make(source, volume.result().orElseThrow(), found.result().orElseThrow());
    }

    private Decision make(SnapshotSource source, SnapshotSource.Volume volume, VolumeSnapshotClass made) {
        String className = made.metadata().name();
        if (snapshot.spec().volumeSnapshotClassName().isEmpty()) {
            return update(
                    SET_CLASS, snapshot.withSpec(snapshot.spec().withVolumeSnapshotClassName(Optional.of(className))));
        }
        Outcome<ObjectMeta> metadata = source.contentMetadata(made);
        if (!metadata.isDone()) {
            return failed(CREATION_FAILED, "Failed to create snapshot content with error " + metadata.message());
        }
        PersistentVolumeClaim claim = volume.claim();
        if (!claim.metadata().hasFinalizer(Finalizers.SNAPSHOT_SOURCE)) {
            return claim.metadata().isDeleting()
                    ? failed(
                            CREATION_FAILED,
                            "Failed to create snapshot content with error cannot add finalizer on claim ["
                                    + claim.metadata().name() + "]: claim is being deleted")
                    : Decision.act(new Effect.Update<>(
                                    PROTECT_SOURCE,
                                    Kinds.PERSISTENT_VOLUME_CLAIM,
                                    new Change<>(
                                            claim,
                                            claim.withMetadata(
                                                    claim.metadata().withFinalizer(Finalizers.SNAPSHOT_SOURCE)))))
                            .withState(notes);
        }
        ObjectReference reference = ObjectReferenceBuilder.builder()
                .kind("VolumeSnapshot")
                .namespace(snapshot.metadata().namespace())
                .name(snapshot.metadata().name())
                .uid(snapshot.metadata().uid())
                .apiVersion(Kinds.VOLUME_SNAPSHOT.apiVersion())
                .resourceVersion(snapshot.metadata().resourceVersion())
                .fieldPath("")
                .build();
        VolumeSnapshotContent content = new VolumeSnapshotContent(
                metadata.result().orElseThrow(),
                VolumeSnapshotContentSpecBuilder.builder()
                        .volumeSnapshotRef(reference)
                        .deletionPolicy(made.deletionPolicy())
                        .driver(made.driver())
                        .volumeSnapshotClassName(className)
                        .source(new VolumeSnapshotContentSource(Optional.of(volume.handle()), Optional.empty()))
                        .sourceVolumeMode(volume.spec().mode().wireName())
                        .build(),
                Optional.empty());
        String news = "Waiting for a snapshot " + ObjectKey.of(snapshot) + " to be created by the CSI driver.";
        Decision create = Decision.act(new Effect.Create<>(CREATE_CONTENT, Kinds.VOLUME_SNAPSHOT_CONTENT, content))
                .withState(notes.telling(news));
        return news.equals(notes.told()) ? create : create.and(normal("CreatingSnapshot", news));
    }

    // ---- a snapshot that exists ----

    private Decision bindTo(String name) {
        Optional<VolumeSnapshotContent> found =
                situation.caches().get(Kinds.VOLUME_SNAPSHOT_CONTENT, ObjectKey.cluster(name));
        if (found.isEmpty()) {
            return failed("SnapshotContentMissing", "VolumeSnapshotContent is missing");
        }
        VolumeSnapshotContent content = found.get();
        String uid = content.spec().volumeSnapshotRef().uid();
        if (content.spec().source().snapshotHandle().isEmpty()) {
            return failed(
                    "SnapshotContentMismatch",
                    "VolumeSnapshotContent is dynamically provisioned while expecting a pre-provisioned one");
        }
        if (!SnapshotMarks.snapshotOf(content).equals(ObjectKey.of(snapshot))
                || !(uid.isEmpty() || uid.equals(snapshot.metadata().uid()))) {
            return failed(
                    "SnapshotContentMisbound", "VolumeSnapshotContent " + name + " is bound to a different snapshot");
        }
        if (!uid.isEmpty()) {
            return show(content);
        }
        ObjectReference bound =
                content.spec().volumeSnapshotRef().withUid(snapshot.metadata().uid());
        return updateContent(
                BIND_CONTENT, content, content.withSpec(content.spec().withVolumeSnapshotRef(bound)));
    }

    // ---- what is known of it ----

    private Decision show(VolumeSnapshotContent content) {
        VolumeSnapshotContentStatus known = SnapshotMarks.statusOf(content);
        VolumeSnapshotStatus before = snapshot.status().orElse(VolumeSnapshotStatus.EMPTY);
        VolumeSnapshotStatus now = new VolumeSnapshotStatus(
                Optional.of(content.metadata().name()),
                known.creationTime()
                        .map(nanos -> Instant.ofEpochSecond(0, nanos))
                        .map(SnapshotDecider::whole),
                Optional.of(known.readyToUse().orElse(false)),
                known.restoreSize().map(Quantity::ofBytes),
                known.error());
        if (now.equals(before)) {
            return Decision.remember(notes);
        }
        Decision shown = show(now).withState(notes);
        if (before.creationTime().isEmpty() && now.creationTime().isPresent()) {
            shown = shown.and(normal(
                    "SnapshotCreated",
                    "Snapshot " + ObjectKey.of(snapshot) + " was successfully created by the CSI driver."));
        }
        if (!before.readyToUse().orElse(false) && now.readyToUse().orElse(false)) {
            shown = shown.and(normal("SnapshotReady", "Snapshot " + ObjectKey.of(snapshot) + " is ready to use."));
        }
        return shown;
    }

    /** As a time in a status is written. */
    private static Instant whole(Instant time) {
        return Instant.ofEpochSecond(time.getEpochSecond());
    }

    private Decision show(VolumeSnapshotStatus status) {
        return Decision.act(new Effect.UpdateStatus<>(
                SHOW, Kinds.VOLUME_SNAPSHOT, new Change<>(snapshot, snapshot.withStatus(Optional.of(status)))));
    }

    private Decision failed(String reason, String message) {
        VolumeSnapshotStatus before = snapshot.status().orElse(VolumeSnapshotStatus.EMPTY);
        VolumeSnapshotError error =
                new VolumeSnapshotError(Optional.of(whole(situation.now().wall())), Optional.of(message));
        Decision decision = SnapshotMarks.says(before.error(), message)
                ? Decision.remember(notes.telling(message))
                : show(before.withReadyToUse(Optional.of(false)).withError(Optional.of(error)))
                        .withState(notes.telling(message));
        return message.equals(notes.told())
                ? decision
                : decision.and(Announcement.warning(Kinds.VOLUME_SNAPSHOT, snapshot, reason, message, COMPONENT));
    }

    // ---- the end ----

    private Decision end(Set<ObjectKey> restoring) {
        ObjectMeta free = snapshot.metadata()
                .withoutFinalizer(Finalizers.SNAPSHOT_AS_SOURCE)
                .withoutFinalizer(Finalizers.SNAPSHOT_BOUND);
        if (free.equals(snapshot.metadata())) {
            return Decision.nothing();
        }
        Optional<VolumeSnapshotContent> content = content().filter(found -> SnapshotMarks.isFor(found, snapshot));
        if (content.isPresent() && !restoring.isEmpty()) {
            return waiting("SnapshotDeletePending", "Snapshot is being used to restore a PVC");
        }
        if (content.isPresent()) {
            Optional<Decision> next = end(content.get());
            if (next.isPresent()) {
                return next.get();
            }
        } else if (!surelyWithout()) {
            // one that was just created may not be shown yet, and would be made into a snapshot that no object names
            return Decision.act(
                    new Effect.Read<>(FIND_CONTENT, Kinds.VOLUME_SNAPSHOT_CONTENT, SnapshotMarks.contentOf(snapshot)));
        }
        return update(RELEASE, snapshot.withMetadata(free));
    }

    private boolean surelyWithout() {
        return situation
                .resultOf(FIND_CONTENT)
                .filter(read -> read.storeFailure().equals(Optional.of(Failure.NOT_FOUND)) || isAnothers(read))
                .isPresent();
    }

    private boolean isAnothers(EffectResult read) {
        return read.<Boolean>match(
                stored -> stored.result()
                        .value()
                        .filter(VolumeSnapshotContent.class::isInstance)
                        .map(VolumeSnapshotContent.class::cast)
                        .filter(found -> !SnapshotMarks.isFor(found, snapshot))
                        .isPresent(),
                performed -> false);
    }

    /** What has still to be done about the content before the snapshot goes. */
    private Optional<Decision> end(VolumeSnapshotContent content) {
        if (content.metadata().annotation(SnapshotMarks.BEING_DELETED).isEmpty()) {
            ObjectMeta marked = content.metadata().withAnnotation(SnapshotMarks.BEING_DELETED, SnapshotMarks.YES);
            return Optional.of(updateContent(MARK_DELETED, content, content.withMetadata(marked)));
        }
        if (content.spec().deletionPolicy() != SnapshotPolicy.DELETE) {
            return Optional.empty();
        }
        return Optional.of(
                content.metadata().isDeleting()
                        ? waiting(
                                "SnapshotDeletePending",
                                "the snapshot stays until its content \""
                                        + content.metadata().name() + "\" has gone")
                        : Decision.act(new Effect.Delete<>(
                                        DELETE_CONTENT,
                                        Kinds.VOLUME_SNAPSHOT_CONTENT,
                                        ObjectKey.of(content),
                                        DeleteOptions.ofUid(content.metadata().uid())))
                                .withState(notes));
    }

    private Decision waiting(String reason, String what) {
        return Decision.remember(notes)
                .concerning(Concern.of(Kinds.VOLUME_SNAPSHOT, snapshot, reason, COMPONENT))
                .waitingFor(what);
    }

    // ---- writes ----

    private Effect normal(String reason, String message) {
        return Announcement.normal(Kinds.VOLUME_SNAPSHOT, snapshot, reason, message, COMPONENT);
    }

    private Decision update(String operation, VolumeSnapshot edited) {
        return Decision.act(new Effect.Update<>(operation, Kinds.VOLUME_SNAPSHOT, new Change<>(snapshot, edited)))
                .withState(notes);
    }

    private Decision updateContent(String operation, VolumeSnapshotContent before, VolumeSnapshotContent after) {
        return Decision.act(new Effect.Update<>(operation, Kinds.VOLUME_SNAPSHOT_CONTENT, new Change<>(before, after)))
                .withState(notes);
    }
}
