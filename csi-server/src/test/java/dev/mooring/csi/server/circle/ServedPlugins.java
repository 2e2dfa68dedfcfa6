// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server.circle;

import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.testkit.host.Machine;
import java.nio.file.Path;
import java.util.ServiceLoader;

/** The plugins of this build, as their modules provide them. */
final class ServedPlugins {
    private ServedPlugins() {}

    static StoragePlugin named(String name) {
        // The module itself is handed its plugin, and looks for none.
        ServedPlugins.class.getModule().addUses(StoragePlugin.class);
        return ServiceLoader.load(StoragePlugin.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(each -> each.describe().name().value().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Makes a directory of a machine, as far as it is not there. */
    static void directory(Machine machine, Path path, int mode) {
        machine.host()
                .files()
                .openOrMake(path, LinkRule.REFUSE, FileKind.DIRECTORY, mode)
                .result()
                .orElseThrow()
                .path()
                .close();
    }
}
