// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.support;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.FileFacts;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.Made;
import dev.mooring.storage.spi.host.PinnedPath;
import java.nio.file.Path;
import java.util.function.Function;
import org.apiguardian.api.API;

/** Directories that a plugin keeps its own files in, held open while they are used. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Directories {
    private static final int ROOT = 0;
    private static final int PRIVATE = 0700;
    private static final int OTHERS_CAN_WRITE = 0022;

    private Directories() {}

    /**
     * Does something with what was opened, and closes it afterwards.
     *
     * @param opened what was opened; where that failed, the failure is the result and the action does not run
     * @param action what to do; may not keep the path
     */
    public static <T> Outcome<T> use(Outcome<PinnedPath> opened, Function<PinnedPath, Outcome<T>> action) {
        return opened.then(pinned -> {
            try (pinned) {
                return action.apply(pinned);
            }
        });
    }

    /**
     * Makes a directory where there is none, and does something with it.
     *
     * @param parent where
     * @param name its name, one element
     * @param mode permission bits of a new one; those of an existing one stay
     */
    public static <T> Outcome<T> make(
            PinnedPath parent, String name, int mode, Function<PinnedPath, Outcome<T>> action) {
        return use(parent.makeDirectory(name, mode).map(Made::path), action);
    }

    /**
     * Does something with a directory below the one in which a plugin keeps what it knows on this machine. Makes it, for root alone, where it
     * is not there.
     *
     * @param name the directory within the plugin's own; empty for that itself
     * @param links what becomes of symbolic links in the path
     */
    public static <T> Outcome<T> state(
            HostServices host,
            PluginName plugin,
            String name,
            LinkRule links,
            Function<PinnedPath, Outcome<T>> action) {
        return statePath(host, plugin, name)
                .then(path -> use(
                        host.files()
                                .openOrMake(path, links, FileKind.DIRECTORY, PRIVATE)
                                .map(Made::path),
                        action));
    }

    private static Outcome<Path> statePath(HostServices host, PluginName plugin, String name) {
        return host.stateDirectory(plugin).map(path -> name.isEmpty() ? path : path.resolve(name));
    }

    /**
     * Done if a directory is root's and only root can write to it, so that what is in it can be believed.
     *
     * @param directory the directory
     * @param name how it is called in the message
     * @return DENIED if it is not, or is no directory
     */
    public static Outcome<Nothing> requireRootOnly(PinnedPath directory, String name) {
        return directory
                .facts()
                .then(facts -> facts.kind() == FileKind.DIRECTORY && facts.owner() == ROOT && !othersCanWrite(facts)
                        ? Outcome.done()
                        : Outcome.refused(
                                Refusal.DENIED,
                                name + " is not a directory that belongs to root and only root can write"));
    }

    /** Whether the permission bits let others than the owner write. */
    public static boolean othersCanWrite(FileFacts facts) {
        return (facts.mode() & OTHERS_CAN_WRITE) != 0;
    }
}
