// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What the ledger knows of one place in the share: whose directory is there, or that it was made to hold directories.
 *
 * @param path the place, relative to the share
 * @param owners the volumes whose directory it is; none for a directory that only holds others
 */
record PlaceEntry(String path, SortedSet<String> owners) {
    static PlaceEntry holder(String path) {
        return new PlaceEntry(path, new TreeSet<>());
    }

    boolean isVolume() {
        return !owners.isEmpty();
    }

    PlaceEntry with(String owner) {
        SortedSet<String> more = new TreeSet<>(owners);
        more.add(owner);
        return new PlaceEntry(path, more);
    }

    PlaceEntry without(String owner) {
        SortedSet<String> fewer = new TreeSet<>(owners);
        fewer.remove(owner);
        return new PlaceEntry(path, fewer);
    }

    String write() {
        StringBuilder text = new StringBuilder(path).append('\n');
        owners.forEach(owner -> text.append(owner).append('\n'));
        return text.toString();
    }

    static Optional<PlaceEntry> read(String text) {
        List<String> lines = text.lines().toList();
        return lines.isEmpty() || !text.endsWith("\n")
                ? Optional.empty()
                : Optional.of(new PlaceEntry(lines.get(0), new TreeSet<>(lines.subList(1, lines.size()))));
    }
}
