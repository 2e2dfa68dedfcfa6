// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.plugin;

import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeNotes;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failed;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Notes as annotations of a PersistentVolume, read and written live: a write holds only against the very version that was read, so of
 * two writers at most one replaces a value. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class StoreNotes implements VolumeNotes {
    private static final String PREFIX = "mooring.dev/";
    private static final int TRIES = 5;

    private final ClusterStore store;
    private final ObjectKey volume;
    private final String uid;

    private StoreNotes(ClusterStore store, ObjectKey volume, String uid) {
        this.store = store;
        this.volume = volume;
        this.uid = uid;
    }

    /**
     * The notes of a volume.
     *
     * @param store where the volume's object is; it is not closed here
     * @param volume the volume
     * @return never null; {@link VolumeNotes#NONE} for a source without an object
     */
    public static VolumeNotes of(ClusterStore store, VolumeSpec volume) {
        return volume.uid().isEmpty()
                ? VolumeNotes.NONE
                : new StoreNotes(store, ObjectKey.cluster(volume.name()), volume.uid());
    }

    @Override
    public Outcome<Optional<String>> find(String key) {
        return read().map(object -> object.metadata().annotation(key));
    }

    @Override
    public Outcome<Nothing> write(String key, Optional<String> expected, String value) {
        if (!key.startsWith(PREFIX)) {
            return Outcome.refused(Refusal.INVALID, "a note's key begins with " + PREFIX + ": '" + key + "'");
        }
        for (int i = 0; i < TRIES; i++) {
            Outcome<PersistentVolume> read = read();
            Optional<PersistentVolume> object = read.result();
            if (object.isEmpty()) {
                return read.map(nothing -> Nothing.NOTHING);
            }
            Optional<String> there = object.get().metadata().annotation(key);
            if (there.equals(Optional.of(value))) {
                return Outcome.done();
            }
            if (!there.equals(expected)) {
                return Outcome.refused(
                        Refusal.INCOMPATIBLE, "'" + key + "' of volume " + volume.name() + " is not what was expected");
            }
            PersistentVolume noted =
                    object.get().withMetadata(object.get().metadata().withAnnotation(key, value));
            Optional<Outcome<Nothing>> written = store.update(
                            Kinds.PERSISTENT_VOLUME, new Change<>(object.get(), noted))
                    .match(ok -> Optional.of(Outcome.done()), StoreNotes::judged);
            if (written.isPresent()) {
                return written.get();
            }
        }
        return Outcome.deferred("volume " + volume.name() + " is being changed by others");
    }

    /** What a failed write means; empty if it is to be tried again. */
    private static Optional<Outcome<Nothing>> judged(Failed<?> failed) {
        return switch (failed.reason()) {
            case CONFLICT -> Optional.empty();
            case UNKNOWN -> Optional.of(Outcome.uncertain(failed.message()));
            case INVALID, FORBIDDEN -> Optional.of(Outcome.refused(Refusal.DENIED, failed.message()));
            case NOT_FOUND -> Optional.of(Outcome.refused(Refusal.NOT_FOUND, failed.message()));
            case ALREADY_EXISTS, GONE, THROTTLED, UNAVAILABLE -> Optional.of(Outcome.deferred(failed.message()));
        };
    }

    private Outcome<PersistentVolume> read() {
        StoreResult<PersistentVolume> found = store.get(Kinds.PERSISTENT_VOLUME, volume);
        return found.match(
                object -> object.metadata().uid().equals(uid)
                        ? Outcome.done(object)
                        : Outcome.refused(
                                Refusal.NOT_FOUND, "volume " + volume.name() + " was replaced by another one"),
                failed -> switch (failed.reason()) {
                    case NOT_FOUND -> Outcome.refused(Refusal.NOT_FOUND, failed.message());
                    default -> Outcome.deferred(failed.message());
                });
    }
}
