// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.Made;
import dev.mooring.storage.spi.host.PinnedPath;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Which volumes of this node use which sessions, records and devices: one file per volume, durable before each effect. The host's records
 * are of one volume each; whether a session is still needed can only be told from all of them (semantics/plugins §3.6).
 */
final class Ledger {
    private static final String SUFFIX = ".staged";
    private static final int MODE = 0600;
    private static final int DIRECTORY_MODE = 0700;
    private static final int LARGEST = 65_536;
    private static final int MOST = 100_000;

    private final HostServices host;

    Ledger(HostServices host) {
        this.host = host;
    }

    /**
     * An entry.
     *
     * @param volume whose
     * @param staged what is known of it
     */
    record Entry(String volume, Staged staged) {
        VolumeId id() {
            return new VolumeId(IscsiPlugin.NAME, volume);
        }
    }

    Outcome<Optional<Staged>> find(VolumeId volume) {
        return opened(directory -> read(directory, file(volume.backend()))
                .map(entry -> entry.filter(found -> found.volume().equals(volume.backend()))
                        .map(Entry::staged)));
    }

    /** The entries of all volumes but one. */
    Outcome<List<Entry>> others(VolumeId volume) {
        return opened(directory -> directory
                .list(MOST)
                .then(names ->
                        Steps.collect(names.stream().filter(Ledger::isEntry).toList(), name -> read(directory, name)))
                .map(entries -> entries.stream()
                        .flatMap(Optional::stream)
                        .filter(entry -> !entry.volume().equals(volume.backend()))
                        .toList()));
    }

    Outcome<Nothing> put(VolumeId volume, Staged staged) {
        String text = volume.backend() + "\n" + staged.toState().schema() + "\n"
                + staged.toState().content();
        return opened(
                directory -> directory.writeFile(file(volume.backend()), text.getBytes(StandardCharsets.UTF_8), MODE));
    }

    Outcome<Nothing> remove(VolumeId volume) {
        String name = file(volume.backend());
        return opened(directory ->
                directory.removeFile(name).then(nothing -> directory.removeFile(Records.TEMPORARY + name)));
    }

    /** What a write that was cut off has left would keep a session for a volume that is gone. */
    private static boolean isEntry(String name) {
        return name.endsWith(SUFFIX) && !name.startsWith(Records.TEMPORARY);
    }

    private static Outcome<Optional<Entry>> read(PinnedPath directory, String name) {
        return directory
                .readFile(name, LARGEST)
                .then(content -> content.isEmpty()
                        ? Outcome.done(Optional.empty())
                        : parsed(name, new String(content.get(), StandardCharsets.UTF_8)));
    }

    /** An entry that cannot be read is never taken for none: a session could be ended under a volume. */
    private static Outcome<Optional<Entry>> parsed(String name, String text) {
        String[] parts = text.split("\n", 3);
        if (parts.length != 3 || !parts[1].matches("\\d{1,9}")) {
            return Outcome.refused(Refusal.CORRUPT, "the ledger entry " + name + " cannot be read");
        }
        return Staged.read(new PluginState(Integer.parseInt(parts[1]), parts[2]))
                .map(staged -> staged.map(value -> new Entry(parts[0], value)));
    }

    /** A path beside the entries, for what is shown for a moment. */
    Outcome<Path> place(String name) {
        return host.stateDirectory(IscsiPlugin.NAME)
                .then(path -> made(path).map(directory -> {
                    directory.close();
                    return path.resolve(name);
                }));
    }

    private <T> Outcome<T> opened(Function<PinnedPath, Outcome<T>> action) {
        return host.stateDirectory(IscsiPlugin.NAME)
                .then(path -> made(path.resolve("volumes")))
                .then(directory -> {
                    try (directory) {
                        return action.apply(directory);
                    }
                });
    }

    private Outcome<PinnedPath> made(Path path) {
        return host.files()
                .openOrMake(path, LinkRule.FOLLOW, FileKind.DIRECTORY, DIRECTORY_MODE)
                .map(Made::path);
    }

    private static String file(String volume) {
        return digest(volume).substring(0, 32) + SUFFIX;
    }

    /** SHA-256 in hexadecimal digits. */
    static String digest(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
