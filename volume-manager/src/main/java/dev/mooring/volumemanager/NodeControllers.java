// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager;

import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.volumemanager.control.ContentRefresh;
import dev.mooring.volumemanager.control.EmptyDirLimits;
import dev.mooring.volumemanager.control.InUseReport;
import dev.mooring.volumemanager.control.NeededObjects;
import dev.mooring.volumemanager.control.NodeRecords;
import dev.mooring.volumemanager.control.NodeReport;
import dev.mooring.volumemanager.control.OrphanedPods;
import dev.mooring.volumemanager.control.PodLifecycle;
import dev.mooring.volumemanager.control.PodVolumes;
import dev.mooring.volumemanager.control.Republishing;
import dev.mooring.volumemanager.control.StagedVolumes;
import dev.mooring.volumemanager.control.UnnamedMounts;
import dev.mooring.volumemanager.control.VolumeConditions;
import dev.mooring.volumemanager.control.VolumeDiscovery;
import dev.mooring.volumemanager.control.VolumeGrowth;
import dev.mooring.volumemanager.control.VolumeNeeds;
import dev.mooring.volumemanager.reclaim.NodeReclaim;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Puts the controllers of a node together around one view of its records. */
final class NodeControllers {
    private NodeControllers() {}

    /**
     * The controllers; those whose changes others use come first.
     *
     * @param found what was mounted at the start although no record told of it
     */
    static List<Controller> of(
            NodeConfig config,
            PluginRegistry plugins,
            Collection<? extends RecordEntry> replayed,
            NodeSignals signals,
            Adoption.Result found) {
        NodeRecords records = new NodeRecords(replayed);
        List<Controller> controllers = new ArrayList<>();
        VolumeNeeds needs = new VolumeNeeds();
        InUseReport report = new InUseReport();
        controllers.add(new NeededObjects(config, plugins, records));
        controllers.add(new PodVolumes(config, plugins, records, needs, report, signals));
        controllers.add(new ContentRefresh(config, plugins, records, signals.content()));
        controllers.add(new Republishing(config, plugins, records));
        controllers.add(new VolumeConditions(config, plugins, records));
        controllers.add(new StagedVolumes(config, plugins, records, needs, report, signals));
        VolumeGrowth growth = new VolumeGrowth(config, plugins, records);
        controllers.add(growth);
        controllers.add(new NodeReclaim(config, plugins, records));
        controllers.add(new OrphanedPods(config, records));
        if (!found.unnamed().isEmpty()) {
            controllers.add(new UnnamedMounts(config, records, found.unnamed()));
        }
        if (plugins.all().stream().anyMatch(StoragePlugin::discovers)) {
            controllers.add(new VolumeDiscovery(config, plugins, signals.mounts()));
        }
        if (config.nodeStatus()) {
            controllers.add(
                    new NodeReport(config, plugins, records, needs, report, signals.drivers(), found.unclear()));
        }
        if (config.podLifecycle()) {
            controllers.add(new PodLifecycle(config, plugins, records, growth));
            controllers.add(new EmptyDirLimits(config, records));
        }
        return List.copyOf(controllers);
    }
}
