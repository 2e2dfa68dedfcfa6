// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath.local;

import dev.mooring.plugin.support.Directories;
import dev.mooring.plugin.support.EntryFiles;
import dev.mooring.plugin.support.Sha256;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.LinkRule;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * One durable file per disk on the node that has it: it outlives the volume's object, so that what was on a disk does not come back
 * when the object is removed by hand (semantics/plugins §5.2).
 */
final class DiskLedger {
    private static final EntryFiles.Format<DiskEntry> FORMAT =
            new EntryFiles.Format<>(DiskEntry::write, DiskEntry::read, 8192);
    private static final int MOST_ENTRIES = 100_000;

    /** Two paths may lead to one disk, and no caller knows that two volumes are one: what follows from an entry is written alone. */
    private static final Lock DECIDING = new ReentrantLock();

    private final OperationContext context;

    DiskLedger(OperationContext context) {
        this.context = context;
    }

    /** Decides by what entries say, and writes what follows; not for anything that takes long. */
    <T> Outcome<T> alone(Supplier<Outcome<T>> decision) {
        DECIDING.lock();
        try {
            return decision.get();
        } finally {
            DECIDING.unlock();
        }
    }

    /**
     * What is known of a disk, or else of one that holds the same file system and may be the same under another path; CORRUPT if it
     * cannot be read, which is never taken for nothing.
     */
    Outcome<Optional<DiskEntry>> find(DiskIdentity disk) {
        return with(entries -> read(entries, disk.key(), disk)
                .then(found -> found.isPresent() || disk.contentKey().isEmpty()
                        ? Outcome.done(found)
                        : read(entries, disk.contentKey().get(), disk)));
    }

    private static Outcome<Optional<DiskEntry>> read(EntryFiles<DiskEntry> entries, String key, DiskIdentity disk) {
        return entries.find(file(key), "disk " + disk);
    }

    Outcome<Nothing> put(DiskIdentity disk, DiskEntry entry) {
        return with(entries -> {
            Outcome<Nothing> written = Outcome.done();
            for (String key : keys(disk)) {
                written = written.then(nothing -> entries.put(file(key), entry));
            }
            return written;
        });
    }

    private static List<String> keys(DiskIdentity disk) {
        return Stream.concat(Stream.of(disk.key()), disk.contentKey().stream()).toList();
    }

    private Outcome<Boolean> says(DiskIdentity disk, DiskEntry entry) {
        return with(entries -> {
            Outcome<Boolean> same = Outcome.done(true);
            for (String key : keys(disk)) {
                same = same.then(
                        before -> read(entries, key, disk).map(found -> before && found.equals(Optional.of(entry))));
            }
            return same;
        });
    }

    /** What is known of the disk that a partition is on, or of the partitions of a disk. */
    private Outcome<List<DiskEntry>> overlapping(DiskIdentity disk) {
        return with(entries -> entries.files(MOST_ENTRIES).then(names -> {
            Set<String> known = Set.copyOf(names);
            Outcome<List<DiskEntry>> found = Outcome.done(List.of());
            for (String key : disk.overlappingKeys()) {
                if (known.contains(file(key))) {
                    found = found.then(before -> read(entries, key, disk)
                            .map(entry -> Stream.concat(before.stream(), entry.stream())
                                    .toList()));
                }
            }
            return found;
        }));
    }

    /**
     * Whether a volume may have a disk or partition although it shares its medium with others: what one writes or removes, the other loses.
     * Two partitions share nothing.
     *
     * @param volumeUid whose data may be there
     * @param adopt whether the data of another volume may be taken over
     * @return IN_USE if the disk of the partition, or a partition of the disk, holds data of another volume or is being cleaned
     */
    Outcome<Nothing> sharesWithNoOther(DiskIdentity disk, String volumeUid, boolean adopt) {
        return overlapping(disk)
                .then(known -> known.stream()
                        .filter(entry -> entry.isOfAnother(volumeUid))
                        .filter(entry -> !adopt || entry.state() == DiskEntry.State.CLEANING)
                        .findFirst()
                        .<Outcome<Nothing>>map(other -> Outcome.refused(
                                Refusal.IN_USE,
                                (disk.wholeKey().isPresent() ? "the disk of the partition" : "a partition of the disk")
                                        + " holds or held data of volume " + other.name()
                                        + " and has not been cleaned"))
                        .orElseGet(Outcome::done));
    }

    /** What a volume was told to take over is not the volumes' any more that had it. */
    private Outcome<Nothing> forgetPartitions(DiskIdentity disk, String volumeUid) {
        return disk.wholeKey().isPresent()
                ? Outcome.done()
                : overlapping(disk)
                        .then(known -> with(entries -> {
                            Outcome<Nothing> forgotten = Outcome.done();
                            for (DiskEntry entry : known) {
                                if (entry.isOfAnother(volumeUid)) {
                                    forgotten = forgotten.then(nothing -> entries.remove(file(entry.disk())));
                                }
                            }
                            return forgotten;
                        }));
    }

    /**
     * Makes a disk a volume's, before any of its data can be there.
     *
     * @param bytes the size of the device; 0 for a directory
     * @param adopt whether the data of another volume may be taken over
     * @return IN_USE if it, its disk or one of its partitions holds data of another volume or is being cleaned, CORRUPT if it has become
     *     smaller
     */
    Outcome<Nothing> claim(DiskIdentity disk, VolumeSpec volume, long bytes, boolean adopt) {
        return alone(() -> find(disk).then(found -> {
            DiskEntry wanted = DiskEntry.dirty(volume.uid(), volume.name(), disk.key(), bytes)
                    .readOnly(found.filter(DiskEntry::madeReadOnly).isPresent());
            return found.flatMap(entry -> objection(entry, volume, bytes, adopt))
                    .orElseGet(() -> sharesWithNoOther(disk, volume.uid(), adopt)
                            .then(nothing -> says(disk, wanted))
                            .then(same -> same ? Outcome.done() : put(disk, wanted))
                            .then(nothing -> adopt ? forgetPartitions(disk, volume.uid()) : Outcome.done()));
        }));
    }

    private static Optional<Outcome<Nothing>> objection(DiskEntry entry, VolumeSpec volume, long bytes, boolean adopt) {
        if (entry.state() == DiskEntry.State.CLEANING) {
            return Optional.of(Outcome.refused(Refusal.IN_USE, "the disk is being cleaned of volume " + entry.name()));
        }
        if (entry.isOfAnother(volume.uid()) && !adopt) {
            return Optional.of(Outcome.refused(
                    Refusal.IN_USE,
                    "the disk holds data of volume " + entry.name() + ", which has not been cleaned; annotate "
                            + volume.name() + " with " + DiskAdmission.ADOPT + "=true to take it over"));
        }
        return bytes < entry.bytes()
                ? Optional.of(Outcome.refused(
                        Refusal.CORRUPT,
                        "the device has " + bytes + " bytes, but had " + entry.bytes() + ": a device never shrinks"))
                : Optional.empty();
    }

    private <T> Outcome<T> with(Function<EntryFiles<DiskEntry>, Outcome<T>> action) {
        return Directories.state(
                context.host(),
                LocalPlugin.NAME,
                "",
                LinkRule.REFUSE,
                directory -> Directories.requireRootOnly(directory, "the state directory of " + LocalPlugin.NAME)
                        .then(nothing -> action.apply(new EntryFiles<>(directory, FORMAT))));
    }

    private static String file(String key) {
        return Sha256.hex(key) + ".json";
    }
}
