// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath.local;

import dev.mooring.plugin.support.DirectoryReferences;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.TreeRules;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Removes the data of a released volume from its disk, which stays: dirty, cleaning, clean, each durable before the next step
 * (semantics/plugins §5.2). Done is only answered for a disk that was read again and is clean.
 */
final class LocalDeleter {
    private static final Set<String> KEPT_EMPTY = Set.of("lost+found");
    private static final int MOST_NAMES = 1000;

    private final OperationContext context;
    private final LocalSettings settings;

    LocalDeleter(OperationContext context, LocalSettings settings) {
        this.context = context;
        this.settings = settings;
    }

    Outcome<Nothing> delete(VolumeSpec volume) {
        return new DiskAdmission(context, settings)
                .recognise(
                        volume,
                        located -> method(volume, located)
                                .then(method -> unused(located)
                                        .then(nothing -> new WriteProtection(context).lift(located))
                                        .then(device -> clean(volume, located, method))));
    }

    private Outcome<CleanMethod> method(VolumeSpec volume, LocatedVolume located) {
        Optional<String> wanted = Optional.ofNullable(volume.annotations().get(CleanMethod.ANNOTATION));
        CleanMethod usual = located.device().isPresent() ? settings.clean() : CleanMethod.CONTENTS;
        Optional<CleanMethod> method = wanted.isPresent() ? CleanMethod.parse(wanted.get()) : Optional.of(usual);
        return method.filter(chosen -> located.device().isEmpty() == (chosen.kind() == CleanMethod.Kind.CONTENTS))
                .map(Outcome::done)
                .orElseGet(() -> Outcome.refused(
                        Refusal.INVALID,
                        CleanMethod.ANNOTATION + " '" + wanted.orElse(usual.toString()) + "' cannot clean a "
                                + (located.device().isPresent() ? "device" : "directory")));
    }

    private Outcome<Nothing> unused(LocatedVolume located) {
        return located.device().isPresent()
                ? LocalDevices.unused(context, located.device().get())
                : new DirectoryReferences(context).none(located.pinned());
    }

    private Outcome<Nothing> clean(VolumeSpec volume, LocatedVolume located, CleanMethod method) {
        DiskLedger ledger = new DiskLedger(context);
        return ledger.alone(() -> begun(ledger, volume, located, method))
                .then(begun -> note(begun.note())
                        .then(nothing -> carryOut(ledger, located, begun, method))
                        .then(nothing -> same(volume, located))
                        .then(nothing -> ledger.put(located.identity(), begun.clean()))
                        .then(nothing -> note(begun.clean().note())));
    }

    /** The entry that says that the disk is being cleaned; no claim can get it from here on. */
    private Outcome<DiskEntry> begun(DiskLedger ledger, VolumeSpec volume, LocatedVolume located, CleanMethod method) {
        boolean adopt = "true".equals(volume.annotations().get(DiskAdmission.ADOPT));
        // a partition that was taken over from its disk's volume is cleaned alone, a disk with all that is on it
        boolean alone = adopt && located.identity().wholeKey().isPresent();
        return ledger.find(located.identity())
                .then(found -> own(found, volume, located, adopt))
                .then(entry -> ledger.sharesWithNoOther(located.identity(), volume.uid(), alone)
                        .then(nothing -> {
                            DiskEntry begun = cleaning(entry, method);
                            return ledger.put(located.identity(), begun).map(written -> begun);
                        }));
    }

    private static Outcome<DiskEntry> own(
            Optional<DiskEntry> found, VolumeSpec volume, LocatedVolume located, boolean adopt) {
        Optional<DiskEntry> others = found.filter(entry -> entry.isOfAnother(volume.uid()));
        if (others.isPresent()) {
            return Outcome.refused(
                    Refusal.IN_USE, "the disk is that of volume " + others.get().name());
        }
        Optional<DiskEntry> own = found.filter(known -> known.volume().equals(volume.uid()));
        boolean recorded = own.isPresent() || volume.annotations().containsKey(DiskIdentity.NOTE);
        if (!recorded && !adopt) {
            return Outcome.refused(
                    Refusal.DENIED,
                    "no note says that the volume was on " + located.identity() + "; annotate it with "
                            + DiskAdmission.ADOPT + "=true to have that cleaned");
        }
        return Outcome.done(own.orElseGet(() -> DiskEntry.dirty(
                volume.uid(),
                volume.name(),
                located.identity().key(),
                located.device().map(BlockDevice::sizeBytes).orElse(0L))));
    }

    /** A cleaning that has begun goes on; a disk that was clean is looked at like any other, since who knows who wrote to it. */
    private static DiskEntry cleaning(DiskEntry entry, CleanMethod method) {
        boolean goesOn = entry.state() == DiskEntry.State.CLEANING
                && entry.progress().method().equals(method.toString());
        return goesOn ? entry : entry.cleaning(method);
    }

    /** For people; the node's entry is what counts, so a call that cannot note anything goes on. */
    private Outcome<Nothing> note(String text) {
        Outcome<Nothing> noted = context.notes()
                .find(DiskAdmission.CLEAN_NOTE)
                .then(before -> before.equals(Optional.of(text))
                        ? Outcome.done()
                        : context.notes().write(DiskAdmission.CLEAN_NOTE, before, text));
        return noted.isRefused(Refusal.UNSUPPORTED) ? Outcome.done() : noted;
    }

    private Outcome<Nothing> carryOut(DiskLedger ledger, LocatedVolume located, DiskEntry entry, CleanMethod method) {
        if (located.device().isEmpty()) {
            return empty(located);
        }
        return new Cleaner(
                        context, located.device().get(), progress -> ledger.put(located.identity(), entry.at(progress)))
                .clean(method, entry.progress());
    }

    private Outcome<Nothing> empty(LocatedVolume located) {
        return located.pinned()
                .facts()
                .then(facts -> context.host()
                        .files()
                        .empty(
                                context,
                                located.pinned(),
                                new TreeRules(
                                        Optional.of(facts.identity()),
                                        facts.mountId() == 0 ? OptionalInt.empty() : OptionalInt.of(facts.mountId()),
                                        Set.of(),
                                        KEPT_EMPTY)))
                .then(emptied -> located.pinned().list(MOST_NAMES))
                .then(names -> KEPT_EMPTY.containsAll(names)
                        ? Outcome.done()
                        : Outcome.uncertain(located.path() + " still holds " + names.get(0)));
    }

    /** The disk that was cleaned is still the one at the path. */
    private Outcome<Nothing> same(VolumeSpec volume, LocatedVolume located) {
        return LocalSources.path(volume)
                .then(path -> new Locator(context).locate(path))
                .then(now -> {
                    try (now) {
                        boolean same = now.device()
                                        .map(BlockDevice::number)
                                        .equals(located.device().map(BlockDevice::number))
                                && now.device()
                                        .map(BlockDevice::sizeBytes)
                                        .equals(located.device().map(BlockDevice::sizeBytes));
                        return same
                                ? Outcome.done()
                                : Outcome.refused(
                                        Refusal.CORRUPT, "the disk changed while it was cleaned: " + now.identity());
                    }
                });
    }
}
