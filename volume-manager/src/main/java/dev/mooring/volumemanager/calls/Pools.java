// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.spi.VolumeId;
import java.util.Optional;

/** Which calls of a node share a pool: what their plugin says, or each volume by itself. */
final class Pools {
    private Pools() {}

    static String of(Call call, PluginRegistry plugins) {
        return volumeOf(call)
                .flatMap(id -> plugins.named(id.plugin()).map(plugin -> plugin.bulkhead(id)))
                .orElseGet(call::bulkhead);
    }

    private static Optional<VolumeId> volumeOf(Call call) {
        if (call instanceof PublishCall publish) {
            return Optional.of(publish.record().volumeId());
        } else if (call instanceof UnpublishCall unpublish) {
            return Optional.of(unpublish.record().volumeId());
        } else if (call instanceof StageCall stage) {
            return Optional.of(stage.record().volumeId());
        } else if (call instanceof CompleteCall complete) {
            return Optional.of(complete.record().volumeId());
        } else if (call instanceof UnstageCall unstage) {
            return Optional.of(unstage.record().volumeId());
        }
        return Optional.empty();
    }
}
