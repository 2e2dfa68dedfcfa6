// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi.host;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The mount table at one instant. Immutable.
 *
 * @param entries all mounts in the kernel's order: of several at one place the last is on top
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record MountTable(List<MountEntry> entries) {
    /** Copies the list. */
    public MountTable {
        entries = List.copyOf(entries);
    }

    /** All mounts at a path, from the bottom to the top; empty if it is no mount point. */
    public List<MountEntry> at(Path path) {
        Path wanted = path.normalize();
        return entries.stream()
                .filter(entry -> entry.mountPoint().equals(wanted))
                .toList();
    }

    /** The mount that one sees at a path; empty if it is no mount point. */
    public Optional<MountEntry> top(Path path) {
        List<MountEntry> layers = at(path);
        return layers.isEmpty() ? Optional.empty() : Optional.of(layers.get(layers.size() - 1));
    }

    /** The part of the table with all mounts at a path and below it. */
    public MountTable in(Path path) {
        Path wanted = path.normalize();
        return new MountTable(entries.stream()
                .filter(entry -> entry.mountPoint().startsWith(wanted))
                .toList());
    }

    /** All mounts strictly below a path, outer ones before what is mounted on them. */
    public List<MountEntry> below(Path path) {
        Path wanted = path.normalize();
        return entries.stream()
                .filter(entry -> entry.mountPoint().startsWith(wanted)
                        && !entry.mountPoint().equals(wanted))
                .toList();
    }

    /** The mount with a number. */
    public Optional<MountEntry> byId(int id) {
        return entries.stream().filter(entry -> entry.id() == id).findFirst();
    }

    /**
     * All mounts that show a part of a file system or something within it (semantics/plugins §1.2), in this mount namespace.
     *
     * @param device major and minor number
     * @param root the part, as a path within the file system
     */
    public List<MountEntry> references(String device, String root) {
        return entries.stream().filter(entry -> entry.showsWithin(device, root)).toList();
    }
}
