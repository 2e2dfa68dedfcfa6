// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.content;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.FileFacts;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.PinnedPath;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Compares a version on disk with what it should be. What cannot be compared is not the same. */
final class ContentVersion {
    private static final int MAX_NAMES = 100_000;

    private final PinnedPath directory;
    private final OptionalInt group;

    ContentVersion(PinnedPath directory, OptionalInt group) {
        this.directory = directory;
        this.group = group;
    }

    /** Whether it holds exactly these files with exactly these modes. */
    Outcome<Boolean> holds(Payload payload) {
        Map<String, Payload.File> missing = new HashMap<>(payload.files());
        return isAsWanted(directory, "", missing).map(same -> same && missing.isEmpty());
    }

    private Outcome<Boolean> isAsWanted(PinnedPath here, String prefix, Map<String, Payload.File> missing) {
        return here.list(MAX_NAMES).then(names -> {
            Outcome<Boolean> same = Outcome.done(true);
            for (String name : names) {
                same = same.then(
                        soFar -> soFar ? isEntryAsWanted(here, name, prefix + name, missing) : Outcome.done(false));
            }
            return same;
        });
    }

    private Outcome<Boolean> isEntryAsWanted(
            PinnedPath here, String name, String path, Map<String, Payload.File> missing) {
        Outcome<PinnedPath> child = here.child(name);
        if (child.isRefused(Refusal.INCOMPATIBLE) || child.isRefused(Refusal.NOT_FOUND)) {
            return Outcome.done(false);
        }
        return child.then(entry -> {
            try (entry) {
                return entry.facts().then(facts -> isEntryAsWanted(here, name, path, entry, facts, missing));
            }
        });
    }

    private Outcome<Boolean> isEntryAsWanted(
            PinnedPath here,
            String name,
            String path,
            PinnedPath entry,
            FileFacts facts,
            Map<String, Payload.File> missing) {
        if (group.isPresent() && facts.group() != group.getAsInt()) {
            return Outcome.done(false);
        }
        if (facts.kind() == FileKind.DIRECTORY) {
            return isAsWanted(entry, path + "/", missing);
        }
        Optional<Payload.File> wanted = Optional.ofNullable(missing.remove(path));
        boolean fits = wanted.isPresent()
                && facts.kind() == FileKind.FILE
                && facts.mode() == AtomicWriter.modeOf(wanted.get(), group)
                && facts.owner() == wanted.get().owner().orElse(facts.owner())
                && facts.size() == wanted.get().content().length;
        return fits
                ? here.readFile(name, wanted.get().content().length)
                        .map(content -> content.filter(bytes ->
                                        Arrays.equals(bytes, wanted.get().content()))
                                .isPresent())
                : Outcome.done(false);
    }
}
