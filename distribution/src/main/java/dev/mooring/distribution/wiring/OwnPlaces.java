// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.wiring;

import dev.mooring.host.linux.KeptPlaces;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.StoragePlugin;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notes what a process keeps on its machine, before it makes it, so that no volume of this or another process of Mooring shows or empties
 * it. What cannot be noted is warned of once, and kept in this process all the same.
 */
public final class OwnPlaces {
    private static final Logger LOG = LoggerFactory.getLogger(OwnPlaces.class);

    private final KeptPlaces places;
    private final String program;

    /** Where the processes of this machine find each other's places; tests name a directory of their own ({@code mooring.places}). */
    public static KeptPlaces ofThisMachine() {
        String given = System.getProperty("mooring.places", "");
        return KeptPlaces.in(given.isEmpty() ? KeptPlaces.DIRECTORY : Path.of(given));
    }

    /**
     * Notes places of a program.
     *
     * @param program such as {@code mooring standalone}
     */
    public OwnPlaces(KeptPlaces places, String program) {
        this.places = places;
        this.program = program;
    }

    /** What no volume may show: absolute paths, and what each holds in words. */
    public void keep(Map<Path, String> kinds) {
        report(places.isUnnoted(), places.keep(program, kinds));
    }

    /** The directory below which volumes are mounted for pods: shown as Kubernetes' own is, and never emptied as a whole. */
    public void keepMounts(Path root) {
        report(places.isUnnoted(), places.keepVisible(program, Map.of(root, "the volumes of pods")));
    }

    /** What plugins keep beside their state. */
    public void keepDirectoriesOf(Collection<? extends StoragePlugin> plugins) {
        Map<Path, String> kinds = new LinkedHashMap<>();
        for (StoragePlugin plugin : plugins) {
            plugin.keptDirectories()
                    .forEach(path -> kinds.put(
                            path, "the volumes of plugin " + plugin.describe().name()));
        }
        keep(kinds);
    }

    private static void report(boolean reported, Outcome<?> noted) {
        if (noted.isDone() || reported) {
            return;
        }
        if (noted.isRefused(Refusal.UNSUPPORTED)) {
            LOG.info("{}", noted.message());
        } else {
            LOG.warn("{}", noted.message());
        }
    }
}
