// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.PinnedPath;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;

/**
 * Which paths a volume may show, and which may never be emptied: by the operator's lists, by what belongs to the system, and by whose the
 * directories are that were made for claims. That nothing of Mooring's own is shown or emptied is the host's to see to. Always asked of a
 * path without links.
 */
final class PathPolicy {
    private static final List<Path> KERNEL = List.of(Path.of("/proc"), Path.of("/sys"));
    /** What belongs to the system, with all below. */
    private static final List<Path> SYSTEM =
            paths("bin", "boot", "dev", "etc", "lib", "lib32", "lib64", "libx32", "proc", "run", "sbin", "sys", "usr");
    /** Directories below which users keep things, which are the system's themselves. */
    private static final List<Path> SHARED = paths(
            "home",
            "media",
            "mnt",
            "opt",
            "root",
            "srv",
            "tmp",
            "var",
            "var/lib",
            "var/log",
            "var/tmp",
            "var/spool",
            "var/cache");

    private final HostPathSettings settings;
    private final MadeDirectories made;

    PathPolicy(OperationContext context, HostPathSettings settings, Lock notes) {
        this.settings = settings;
        this.made = new MadeDirectories(context, settings, notes);
    }

    private static List<Path> paths(String... names) {
        return Arrays.stream(names).map(name -> Path.of("/" + name)).toList();
    }

    /**
     * Whether a path may be shown to a pod. The directory that was made for the very volume always may; everything else follows the
     * operator's lists, and the kernel's files are not shown writable by themselves. A directory above them is shown with them: tools that
     * watch over a node or repair it ask for {@code /}, and a source cannot say that its containers only read.
     *
     * @param held what is there of the path
     * @param missing what will be made below it; empty for nothing
     * @return done, or DENIED with the rule
     */
    Outcome<Nothing> mayBeShown(VolumeSpec volume, PinnedPath held, Path missing, boolean readOnly) {
        return held.resolved()
                .then(real -> made.withinRoot(held, missing).then(within -> {
                    Path path = real.resolve(missing).normalize();
                    if (within.isEmpty()) {
                        return listed(path).then(fine -> writable(path, readOnly));
                    }
                    Outcome<Nothing> own = made.ownedBy(volume, within.get());
                    return own.isRefused(Refusal.DENIED) && isGivenAway(within.get()) ? listed(path) : own;
                }));
    }

    /** The operator's own word for a volume's directory: a path in the list that lies among the volumes, not only above them. */
    private boolean isGivenAway(Path within) {
        Path volumes = settings.effectiveRoot().resolve(Store.VOLUMES);
        Path path = settings.effectiveRoot().resolve(within);
        return within.getNameCount() >= 2
                && settings.allow().stream()
                        .anyMatch(allowed -> allowed.startsWith(volumes) && path.startsWith(allowed));
    }

    private Outcome<Nothing> listed(Path path) {
        if (!settings.allow().isEmpty() && settings.allow().stream().noneMatch(path::startsWith)) {
            return denied(path + " lies in none of the paths that " + HostPathPlugin.NAME
                    + ":allow lists for this node. Choose a path in one of them, or list it");
        }
        Optional<Path> listed = settings.deny().stream()
                // who shows what is above shows what is denied
                .filter(denied -> path.startsWith(denied) || denied.startsWith(path))
                .findFirst();
        return listed.isEmpty()
                ? Outcome.done()
                : denied(path + " lies in or above " + listed.get() + ", which " + HostPathPlugin.NAME
                        + ":deny lists for this node. Choose another path");
    }

    private static Outcome<Nothing> writable(Path path, boolean readOnly) {
        Optional<Path> kernel = readOnly
                ? Optional.empty()
                : KERNEL.stream().filter(path::startsWith).findFirst();
        return kernel.isEmpty()
                ? Outcome.done()
                : denied(path + " lies in " + kernel.get()
                        + ", which no volume may show writable. Make the volume readOnly");
    }

    private static <T> Outcome<T> denied(String why) {
        return Outcome.refused(Refusal.DENIED, why);
    }

    /** Refused if the text alone tells that the path is never emptied: asked before anything is opened. */
    Outcome<Path> mayBeEmptied(Path path) {
        boolean system = path.getNameCount() == 0
                || SHARED.contains(path)
                || SYSTEM.stream().anyMatch(path::startsWith);
        return system
                ? denied(
                        path
                                + " belongs to the system and is never emptied. Give the volume the policy Retain or another path")
                : notTheRecords(path);
    }

    private Outcome<Path> notTheRecords(Path path) {
        Path root = settings.effectiveRoot();
        boolean records = path.startsWith(root) && !root.resolve(Store.VOLUMES).equals(path.getParent());
        return records || root.startsWith(path)
                ? MadeDirectories.stranger(settings, path.startsWith(root) ? root.relativize(path) : Path.of(""))
                : Outcome.done(path);
    }

    /** Refused if the directory is the system's, holds what was made for claims, or was made for another volume. */
    Outcome<Nothing> mayBeEmptied(VolumeSpec volume, PinnedPath directory) {
        return directory
                .resolved()
                .then(this::mayBeEmptied)
                .then(real -> made.withinRoot(directory, Path.of("")))
                .then(within -> within.isPresent()
                        ? made.ownedBy(volume, within.get())
                        : made.lieIn(directory)
                                .then(above ->
                                        above ? MadeDirectories.stranger(settings, Path.of("")) : Outcome.done()));
    }
}
