// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.plugin.PluginRegistry;

/** Which calls of a node share a pool: what their plugin says, or each volume by itself. */
final class CallPools {
    private CallPools() {}

    static String of(Call call, PluginRegistry plugins) {
        return call instanceof RecordedCall recorded
                ? plugins.named(recorded.plugin())
                        .map(plugin -> plugin.bulkhead(recorded.record().volumeId()))
                        .orElseGet(call::bulkhead)
                : call.bulkhead();
    }
}
