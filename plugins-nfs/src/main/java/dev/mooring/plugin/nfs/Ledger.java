// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.PinnedPath;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Function;

/**
 * What was made on a share, kept on the share itself: one file per volume, and one per place that names the volumes there. Every change
 * is durable before it is relied on; what cannot be read is never taken for nothing.
 */
final class Ledger {
    private static final int MODE = 0600;
    private static final int LIMIT = 65_536;

    private final PinnedPath volumes;
    private final PinnedPath places;

    Ledger(PinnedPath volumes, PinnedPath places) {
        this.volumes = volumes;
        this.places = places;
    }

    Outcome<Optional<LedgerEntry>> find(String volume) {
        return read(volumes, volume + ".json", LedgerEntry::read);
    }

    Outcome<Nothing> put(String volume, LedgerEntry entry) {
        return volumes.writeFile(volume + ".json", entry.write().getBytes(StandardCharsets.UTF_8), MODE);
    }

    Outcome<Nothing> remove(String volume) {
        return volumes.removeFile(volume + ".json");
    }

    /** What is known of a place; empty if it is not of our making. */
    Outcome<Optional<PlaceEntry>> place(String path) {
        return read(places, file(path), PlaceEntry::read)
                .then(found -> found.filter(entry -> !entry.path().equals(path)).isPresent()
                        ? Outcome.refused(Refusal.CORRUPT, "the ledger mixes up " + path)
                        : Outcome.done(found));
    }

    Outcome<Nothing> putPlace(PlaceEntry entry) {
        return places.writeFile(file(entry.path()), entry.write().getBytes(StandardCharsets.UTF_8), MODE);
    }

    Outcome<Nothing> removePlace(String path) {
        return places.removeFile(file(path));
    }

    /** Takes a volume away from a place; the place is forgotten with its last volume. */
    Outcome<Nothing> leave(String path, String volume) {
        return place(path).then(found -> {
            if (found.isEmpty() || !found.get().owners().contains(volume)) {
                return Outcome.done();
            }
            PlaceEntry rest = found.get().without(volume);
            return rest.isVolume() ? putPlace(rest) : removePlace(path);
        });
    }

    private static <T> Outcome<Optional<T>> read(
            PinnedPath directory, String name, Function<String, Optional<T>> parse) {
        return directory.readFile(name, LIMIT).then(content -> {
            if (content.isEmpty()) {
                return Outcome.done(Optional.empty());
            }
            Optional<T> entry = parse.apply(new String(content.get(), StandardCharsets.UTF_8));
            return entry.isPresent()
                    ? Outcome.done(entry)
                    : Outcome.refused(Refusal.CORRUPT, "the ledger's file " + name + " cannot be read");
        });
    }

    /** A path may be longer than a name can be. */
    private static String file(String path) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(path.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
