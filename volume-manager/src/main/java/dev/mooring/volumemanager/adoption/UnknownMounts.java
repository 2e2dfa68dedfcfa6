// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.adoption;

import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.storage.spi.Publishing;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountTable;
import dev.mooring.volumemanager.mount.RecordedMounts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The mounts below a node's root of which no record tells, by the places in which volumes are mounted (semantics/attach-and-mount §3.8).
 * What is mounted within a volume, or shows a part of it, comes and goes with it and is none of them. Pure.
 *
 * @param shown what is mounted in the place of a pod's volume
 * @param prepared what is mounted among the directories of a plugin
 * @param strange what is mounted within the place of a pod's volume on which nothing is mounted
 */
record UnknownMounts(List<Shown> shown, List<Prepared> prepared, List<MountEntry> strange) {
    private static final String PODS = "pods";
    private static final String VOLUMES = "volumes";
    /** Where kubelets hold devices, below the directory of a plugin. */
    static final String DEVICES = "volumeDevices";
    /** {@code pods/<uid>/volumes/<plugin>/<name>}. */
    private static final int DEPTH = 5;

    /**
     * A mount in the place of a pod's volume.
     *
     * @param entry what one sees there
     * @param podUid the pod
     * @param escapedPlugin whose volume
     * @param name the PersistentVolume's name, or the volume's name in the pod
     */
    record Shown(MountEntry entry, String podUid, String escapedPlugin, String name) {}

    /**
     * A mount among the directories of a plugin.
     *
     * @param entry what one sees there
     * @param plugin whose directories
     * @param directory the one below which it lies
     */
    record Prepared(MountEntry entry, StoragePlugin plugin, Path directory) {}

    static UnknownMounts in(
            MountTable table, Path root, PluginRegistry plugins, Collection<? extends RecordEntry> records) {
        Set<Path> known = new TreeSet<>();
        records.forEach(record -> placeOf(record).ifPresent(known::add));
        Set<Path> places = new LinkedHashSet<>(known);
        table.entries().stream().map(MountEntry::mountPoint).forEach(places::add);
        List<Shown> shown = new ArrayList<>();
        List<Prepared> prepared = new ArrayList<>();
        List<MountEntry> strange = new ArrayList<>();
        for (Path place : places) {
            Optional<MountEntry> top =
                    known.contains(place) || !place.startsWith(root) ? Optional.empty() : table.top(place);
            top.ifPresent(entry -> {
                Optional<Path> volume = placeOfVolume(place, root, plugins);
                if (volume.filter(place::equals).isPresent()) {
                    shown.add(shown(entry, root));
                } else if (volume.isPresent()) {
                    volume.filter(above -> !places.contains(above)).ifPresent(above -> strange.add(entry));
                }
                prepared(entry, root, plugins)
                        .filter(found -> !isWithin(place, found.directory(), places))
                        .ifPresent(prepared::add);
            });
        }
        return new UnknownMounts(List.copyOf(shown), List.copyOf(prepared), List.copyOf(strange));
    }

    boolean isEmpty() {
        return shown.isEmpty() && prepared.isEmpty() && strange.isEmpty();
    }

    private static Optional<Path> placeOf(RecordEntry record) {
        return record.match(publish -> Optional.of(RecordedMounts.place(publish)), RecordEntry.Stage::stagingPath);
    }

    /** The place of a pod's volume in which, or below which, something lies; some plugins show it below their directory. */
    private static Optional<Path> placeOfVolume(Path path, Path root, PluginRegistry plugins) {
        Path below = root.relativize(path);
        if (below.getNameCount() < DEPTH
                || !below.startsWith(PODS)
                || !below.getName(2).toString().equals(VOLUMES)) {
            return Optional.empty();
        }
        Path directory = root.resolve(below.subpath(0, DEPTH));
        return plugins.all().stream()
                .filter(plugin -> plugin.describe()
                        .name()
                        .escaped()
                        .equals(below.getName(3).toString()))
                .flatMap(plugin -> plugin.capability(Publishing.class).stream())
                .map(publishing -> directory.resolve(publishing.shownAt()))
                .filter(path::startsWith)
                .findFirst()
                .or(() -> Optional.of(directory));
    }

    private static Shown shown(MountEntry entry, Path root) {
        Path below = root.relativize(entry.mountPoint());
        return new Shown(
                entry,
                below.getName(1).toString(),
                below.getName(3).toString(),
                below.getName(4).toString());
    }

    private static Optional<Prepared> prepared(MountEntry entry, Path root, PluginRegistry plugins) {
        return plugins.all().stream()
                .flatMap(plugin -> directoriesOf(plugin, root)
                        .filter(entry.mountPoint()::startsWith)
                        .map(directory -> new Prepared(entry, plugin, directory)))
                .findFirst();
    }

    /** A kubelet holds the devices of local volumes in a directory whose name it escapes. */
    private static Stream<Path> directoriesOf(StoragePlugin plugin, Path root) {
        Path all = root.resolve("plugins");
        return Stream.of(
                all.resolve(plugin.describe().name().value()),
                all.resolve(plugin.describe().name().escaped()).resolve(DEVICES));
    }

    /** Whether it is mounted on something else that is mounted below a directory. */
    private static boolean isWithin(Path place, Path directory, Set<Path> places) {
        for (Path above = place.getParent();
                above != null && above.startsWith(directory) && !above.equals(directory);
                above = above.getParent()) {
            if (places.contains(above)) {
                return true;
            }
        }
        return false;
    }
}
