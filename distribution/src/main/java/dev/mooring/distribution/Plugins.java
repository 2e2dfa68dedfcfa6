// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import dev.mooring.storage.spi.StoragePlugin;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;

/** The plugins on the module path. */
final class Plugins {
    private Plugins() {}

    /** All of them in order of their names. */
    static List<StoragePlugin> installed() {
        return ServiceLoader.load(StoragePlugin.class).stream()
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparing(plugin -> plugin.describe().name()))
                .toList();
    }
}
