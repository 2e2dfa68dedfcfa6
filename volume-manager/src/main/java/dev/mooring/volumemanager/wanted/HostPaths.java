// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.wanted;

import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.BlockMapping;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.Publishing;
import dev.mooring.storage.spi.Staging;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where the host lets a plugin work on a volume for a pod: Kubernetes' layout (semantics/attach-and-mount §3.8). Pure.
 *
 * @param target where the pod sees it
 * @param deviceMap where the host holds the device that the pod sees; absent for a file system
 * @param staging where it is prepared; absent if the plugin does not prepare volumes
 */
public record HostPaths(Path target, Optional<Path> deviceMap, Optional<Path> staging) {
    /**
     * The paths; empty if names that users or plugins chose would lead elsewhere.
     *
     * @param root the directory of {@link dev.mooring.volumemanager.NodeConfig}
     * @param podUid the pod
     */
    public static Optional<HostPaths> of(Path root, StoragePlugin plugin, VolumeSpec spec, VolumeId id, String podUid) {
        PluginName name = plugin.describe().name();
        boolean block = spec.mode() == VolumeMode.BLOCK;
        if (!isElement(podUid) || !isElement(spec.name())) {
            return Optional.empty();
        }
        Path directory = root.resolve("pods")
                .resolve(podUid)
                .resolve(block ? "volumeDevices" : "volumes")
                .resolve(name.escaped())
                .resolve(spec.name());
        Path shown = plugin.capability(Publishing.class)
                .filter(found -> !block)
                .map(Publishing::shownAt)
                .orElse(Path.of(""));
        Path own = root.resolve("plugins").resolve(name.value());
        Optional<Path> staging = plugin.capability(Staging.class).map(found -> found.stagingDirectory(spec, id));
        Optional<Path> maps =
                plugin.capability(BlockMapping.class).filter(found -> block).map(found -> found.mapDirectory(spec, id));
        boolean leadsElsewhere = !leadsDown(shown)
                || staging.filter(path -> !leadsDown(path)).isPresent()
                || maps.filter(path -> !leadsDown(path)).isPresent();
        return leadsElsewhere
                ? Optional.empty()
                : Optional.of(new HostPaths(
                        directory.resolve(shown),
                        maps.map(path -> own.resolve(path).resolve(podUid)),
                        staging.map(own::resolve)));
    }

    private static boolean leadsDown(Path path) {
        if (path.isAbsolute()) {
            return false;
        }
        for (Path element : path) {
            if (!element.toString().isEmpty() && !isElement(element.toString())) {
                return false;
            }
        }
        return true;
    }

    private static boolean isElement(String name) {
        return !name.isEmpty()
                && !name.equals(".")
                && !name.equals("..")
                && name.indexOf('/') < 0
                && name.chars().noneMatch(Character::isISOControl);
    }
}
