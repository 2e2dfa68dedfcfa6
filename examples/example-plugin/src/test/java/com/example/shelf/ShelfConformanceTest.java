// SPDX-License-Identifier: Apache-2.0
package com.example.shelf;

import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.testkit.PluginConformance;
import dev.mooring.testkit.host.Machine;
import java.util.List;
import java.util.Map;

class ShelfConformanceTest implements PluginConformance {
    @Override
    public StoragePlugin plugin(Machine machine) {
        return new ShelfPlugin();
    }

    @Override
    public List<VolumeSource> faultySources() {
        return List.of(source("other.example.com", "node-1/a"), source("shelf.example.com", "node-1/../etc"));
    }

    /** A directory that lies on the shelf without a card, with something in it. */
    @Override
    public List<VolumeSource> foreignSources(Machine machine) {
        machine.host()
                .stateDirectory(ShelfPlugin.NAME)
                .then(shelf -> machine.host()
                        .files()
                        .openOrMake(shelf.resolve("by-hand/data/x"), LinkRule.REFUSE, FileKind.DIRECTORY, 0755))
                .result()
                .ifPresent(made -> made.path().close());
        return List.of(source("shelf.example.com", "node-1/by-hand"), source("shelf.example.com", "node-2/a"));
    }

    private static VolumeSource source(String driver, String handle) {
        return new CsiSource(driver, handle, "", false, Map.of()).toSource();
    }
}
