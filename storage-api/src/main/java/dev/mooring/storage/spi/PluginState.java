// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import org.apiguardian.api.API;

/**
 * What a plugin wants to have back when its work is undone. The host keeps it with its record and never looks inside. Holds no secret.
 *
 * @param schema version of the content, chosen by the plugin
 * @param content text of at most 64 Ki characters
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PluginState(int schema, String content) {
    /** Nothing to remember. */
    public static final PluginState NONE = new PluginState(0, "");

    /** Checks the size. */
    public PluginState {
        if (content.length() > 65_536) {
            throw new IllegalArgumentException("plugin state has " + content.length() + " characters, more than 65536");
        }
    }
}
