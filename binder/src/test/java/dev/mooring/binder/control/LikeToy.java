// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import java.util.List;

/** A plugin that serves what a {@link ToyPlugin} serves, and can do other things with it. */
interface LikeToy extends StoragePlugin {
    ToyPlugin toy();

    @Override
    default PluginDescriptor describe() {
        return toy().describe();
    }

    @Override
    default VolumeId identify(VolumeSource source) {
        return toy().identify(source);
    }

    @Override
    default List<FieldProblem> validate(VolumeSource source) {
        return toy().validate(source);
    }
}
