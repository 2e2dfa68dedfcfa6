// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation;

import dev.mooring.storage.spi.StoragePlugin;
import java.util.List;
import java.util.OptionalLong;
import org.apiguardian.api.API;

/**
 * How a scenario is played. Immutable.
 *
 * @param format how the result is written, never null
 * @param plugins plugins whose pure half is used instead of a stand-in of the same name; nothing of them that touches a back-end is ever
 *     called; never null but potentially empty
 * @param seed decides the choices instead of the seed in the file; empty for that one
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PlayOptions(Format format, List<StoragePlugin> plugins, OptionalLong seed) {
    /** Text for people, stand-ins for every plugin, the seed of the file. */
    public static final PlayOptions DEFAULT = new PlayOptions(Format.TEXT, List.of(), OptionalLong.empty());

    /** Copies the list. */
    public PlayOptions {
        plugins = List.copyOf(plugins);
    }

    /** The same with another format. */
    public PlayOptions withFormat(Format newFormat) {
        return new PlayOptions(newFormat, plugins, seed);
    }

    /** The same with other plugins. */
    public PlayOptions withPlugins(List<StoragePlugin> newPlugins) {
        return new PlayOptions(format, newPlugins, seed);
    }

    /** The same with a seed. */
    public PlayOptions withSeed(long newSeed) {
        return new PlayOptions(format, plugins, OptionalLong.of(newSeed));
    }

    /** How a result is written. */
    public enum Format {
        /** Tables for people. */
        TEXT,
        /** One JSON document, the same bytes whenever and wherever the same file is played. */
        JSON
    }
}
