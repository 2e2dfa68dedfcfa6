// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.filesystem;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeNotes;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.HostFiles;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.Made;
import dev.mooring.storage.spi.host.PinnedPath;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Notes for a disk whose volume has no object in the cluster, as for an inline source: files of this machine, one directory per disk, named
 * by what identifies it everywhere. The annotation of a PersistentVolume is better evidence, since other nodes see it too; where there is
 * one, nothing is kept here.
 */
public final class LocalNotes implements VolumeNotes {
    private static final int LONGEST = 4096;

    private final HostFiles files;
    private final Path directory;
    private final Lock oneAtATime = new ReentrantLock();

    private LocalNotes(HostFiles files, Path directory) {
        this.files = files;
        this.directory = directory;
    }

    /**
     * The notes of a disk.
     *
     * @param state where the host keeps such things
     * @return empty if the disk has no identity that lasts
     */
    public static Optional<VolumeNotes> of(HostFiles files, Path state, BlockDevice device) {
        return device.wwid().map(wwid -> new LocalNotes(files, state.resolve(fileName(wwid))));
    }

    /** What an identity may contain is up to a vendor: everything but letters and digits is written by number. */
    static String fileName(String wwid) {
        StringBuilder name = new StringBuilder();
        for (byte b : wwid.getBytes(StandardCharsets.UTF_8)) {
            boolean plain = (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || (b >= '0' && b <= '9') || b == '.';
            name.append(plain ? String.valueOf((char) b) : String.format("_%02x", b));
        }
        return name.toString();
    }

    @Override
    public Outcome<Optional<String>> find(String key) {
        return files.open(directory, LinkRule.REFUSE)
                .ifFound()
                .then(found -> found.map(held -> read(held, key)).orElseGet(() -> Outcome.done(Optional.empty())));
    }

    private static Outcome<Optional<String>> read(PinnedPath held, String key) {
        try (held) {
            return held.readFile(name(key), LONGEST)
                    .map(content -> content.map(bytes -> new String(bytes, StandardCharsets.UTF_8).strip()));
        }
    }

    @Override
    public Outcome<Nothing> write(String key, Optional<String> expected, String value) {
        oneAtATime.lock();
        try {
            return find(key).then(there -> {
                if (there.equals(Optional.of(value))) {
                    return Outcome.done();
                }
                return there.equals(expected)
                        ? write(key, value)
                        : Outcome.refused(Refusal.INCOMPATIBLE, "another note is in " + directory + ": " + there);
            });
        } finally {
            oneAtATime.unlock();
        }
    }

    private Outcome<Nothing> write(String key, String value) {
        return files.openOrMake(directory, LinkRule.REFUSE, FileKind.DIRECTORY, 0700)
                .map(Made::path)
                .then(held -> {
                    try (held) {
                        return held.writeFile(name(key), (value + "\n").getBytes(StandardCharsets.UTF_8), 0600);
                    }
                });
    }

    /** The name of the file of a note. */
    static String name(String key) {
        return key.substring(key.lastIndexOf('/') + 1);
    }

    /** Where the notes are, for people. */
    @Override
    public String toString() {
        return directory.toString();
    }
}
