// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import dev.mooring.storage.model.HostPathSource;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.testkit.PluginConformance;
import dev.mooring.testkit.host.Machine;
import java.util.List;
import java.util.Map;

/** The contract with plugins, on a machine in memory. */
class HostPathConformanceTest implements PluginConformance {
    /** The node's administrator makes the directory for volumes, as the plugin's settings say. */
    @Override
    public StoragePlugin plugin(Machine machine) {
        return machine.host()
                .stateDirectory(HostPathPlugin.NAME)
                .then(root -> machine.host()
                        .files()
                        .openOrMake(root, LinkRule.REFUSE, FileKind.DIRECTORY, 0700)
                        .map(made -> {
                            made.path().close();
                            return root;
                        }))
                .then(root -> new HostPathPlugin().configured(Map.of("root", root.toString())))
                .result()
                .orElseThrow();
    }

    @Override
    public List<VolumeSource> faultySources() {
        return List.of(
                new HostPathSource("relative", "").toSource(),
                new HostPathSource("/a/../b", "").toSource(),
                new HostPathSource("/a", "Nonsense").toSource());
    }

    @Override
    public List<Map<String, String>> faultyParameters() {
        return List.of(Map.of("mode", "9"), Map.of("gid", "many"));
    }

    @Override
    public List<VolumeSource> foreignSources(Machine machine) {
        return List.of(
                new HostPathSource("/etc", "").toSource(),
                new HostPathSource(machine.directory().resolve("state").toString(), "").toSource());
    }
}
