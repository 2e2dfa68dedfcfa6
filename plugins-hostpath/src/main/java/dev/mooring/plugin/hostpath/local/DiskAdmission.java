// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath.local;

import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.BlockDevice;
import java.util.Optional;
import java.util.function.Function;

/**
 * Lets a volume be used only if what its path leads to is the disk that was recorded, and after it was made durable, on the node and on
 * the volume, that there may be data on it.
 */
final class DiskAdmission {
    /** The annotation by which a person says that the data on a disk is the volume's. */
    static final String ADOPT = "mooring.dev/adopt";

    /** The note of {@link DiskEntry#note}. */
    static final String CLEAN_NOTE = "mooring.dev/clean";

    private static final String DIRTY = "dirty";

    private final OperationContext context;
    private final LocalSettings settings;

    DiskAdmission(OperationContext context, LocalSettings settings) {
        this.context = context;
        this.settings = settings;
    }

    /** Does something with a volume that may be used. */
    <T> Outcome<T> use(VolumeSpec volume, Function<LocatedVolume, Outcome<T>> action) {
        return recognise(volume, true, located -> claim(volume, located).then(nothing -> action.apply(located)));
    }

    /** Does something with what is surely the volume, or with what is there if none was recorded. */
    <T> Outcome<T> recognise(VolumeSpec volume, Function<LocatedVolume, Outcome<T>> action) {
        return recognise(volume, false, action);
    }

    private <T> Outcome<T> recognise(VolumeSpec volume, boolean first, Function<LocatedVolume, Outcome<T>> action) {
        return LocalSources.path(volume)
                .then(path -> new Locator(context).locate(path))
                .then(located -> {
                    try (located) {
                        return noted(volume, DiskIdentity.NOTE)
                                .then(recorded -> withContent(volume, recorded, located)
                                        .then(found -> Recognition.judge(
                                                        recorded, found.identity(), settings.plainDirectories())
                                                .then(identity -> first
                                                        ? note(DiskIdentity.NOTE, recorded, identity.toString())
                                                        : Outcome.done())
                                                .then(nothing -> action.apply(found))));
                    }
                });
    }

    /**
     * A device that nothing but its path tells from others is told by its file system too, and so is one that was recorded so before
     * better was known. Not where the device itself is the pod's, who may write any file system; and what is being removed, or has been,
     * is not missed.
     */
    private Outcome<LocatedVolume> withContent(VolumeSpec volume, Optional<String> recorded, LocatedVolume located) {
        String before =
                recorded.flatMap(DiskIdentity::parse).map(DiskIdentity::content).orElse("");
        boolean matters = volume.mode() == VolumeMode.FILESYSTEM
                && (!before.isEmpty() || !located.identity().isCertain());
        if (located.device().isEmpty() || !matters) {
            return Outcome.done(located);
        }
        BlockDevice device = located.device().get();
        LocatedVolume asBefore = located.withContent(before);
        return new DiskLedger(context)
                .find(asBefore.identity())
                .then(entry -> entry.filter(known -> known.isCleanedOf(volume.uid(), device.sizeBytes()))
                                .isPresent()
                        ? Outcome.done(asBefore)
                        : new Locator(context).content(device).map(located::withContent));
    }

    /** The note as it was when the call began, or else as it is now: what is once noted of a disk stays true. */
    private Outcome<Optional<String>> noted(VolumeSpec volume, String key) {
        Optional<String> known = Optional.ofNullable(volume.annotations().get(key));
        return known.isPresent() && !known.get().equals(DiskIdentity.ANY_MOUNT)
                ? Outcome.done(known)
                : context.notes().find(key);
    }

    private Outcome<Nothing> note(String key, Optional<String> before, String value) {
        return before.equals(Optional.of(value))
                ? Outcome.done()
                : context.notes().write(key, before, value);
    }

    private Outcome<Nothing> claim(VolumeSpec volume, LocatedVolume located) {
        boolean adopt = "true".equals(volume.annotations().get(ADOPT));
        long bytes = located.device().map(BlockDevice::sizeBytes).orElse(0L);
        return new DiskLedger(context)
                .claim(located.identity(), volume, bytes, adopt)
                .then(nothing -> DIRTY.equals(volume.annotations().get(CLEAN_NOTE))
                        ? Outcome.done()
                        : context.notes().find(CLEAN_NOTE).then(before -> note(CLEAN_NOTE, before, DIRTY)));
    }
}
