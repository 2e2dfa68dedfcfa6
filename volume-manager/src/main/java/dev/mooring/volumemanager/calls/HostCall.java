// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import dev.mooring.runtime.control.Call;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.PluginName;
import org.apiguardian.api.API;

/**
 * Something that the host looks at or tidies up by itself: no plugin takes part, no back-end sees it. An interpreter of effects need not
 * show it where calls of plugins are shown.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface HostCall extends Call permits VerifyCall, CleanPodsCall, TakeAwayCall, MeasureCall {
    /** Who is named where a plugin would be. */
    PluginName HOST = new PluginName("mooring.dev/host");

    /** Where. */
    NodeRef onNode();

    @Override
    default PluginName plugin() {
        return HOST;
    }

    @Override
    default String node() {
        return onNode().name();
    }

    /** One pool of its own: it touches no back-end and waits for none. */
    @Override
    default String bulkhead() {
        return "host of " + onNode();
    }
}
