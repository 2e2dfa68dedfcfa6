// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi.host;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginName;
import java.nio.file.Path;
import java.util.List;
import org.apiguardian.api.API;

/** The only ways in which a plugin acts on the machine. Thread-safe. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface HostServices {
    /** What kernel and user allow here, with the reason for everything that is missing; never null. */
    HostCapabilities capabilities();

    /** Runs tools; never null. */
    ProcessRunner processes();

    /** Looks at mounts, makes and removes them; never null. */
    Mounts mounts();

    /** Opens, makes and empties files and directories by descriptor; never null. */
    HostFiles files();

    /** Block devices; never null. */
    BlockDevices blockDevices();

    /** File systems on block devices; never null. */
    FileSystems fileSystems();

    /** Limits for what directories hold; never null. */
    DirectoryQuotas quotas();

    /** The kernel's own files; never null. */
    Sysfs sysfs();

    /**
     * The directory in which a plugin may keep things on this machine, chosen by the host, never by a user of the cluster. It is
     * not made by this call.
     *
     * @param plugin the plugin that asks
     * @return an absolute path; refused where there is no machine to keep anything on
     */
    Outcome<Path> stateDirectory(PluginName plugin);

    /**
     * These services as a call of a plugin has them. The places that Mooring keeps on this machine (its objects, records, keys, tokens,
     * backups, plugins) are refused as DENIED, whatever path, link or bind mount leads there: no call shows, reads or changes what lies in
     * one, and none empties or destroys one or what contains one. A path that leads through this process, such as {@code /proc/self/root},
     * is refused too. So no plugin has to judge that by itself.
     *
     * @param plugin whose calls; its {@link #stateDirectory} is its own
     * @param given more directories that these calls may use, with all below them, such as that of the target; absolute paths, which do
     *     not have to exist
     * @return the services; these themselves on a host that keeps nothing
     */
    default HostServices forPlugin(PluginName plugin, List<Path> given) {
        return this;
    }

    /** Services for calls that are not made on a machine of the cluster: every one is refused, and says why. */
    static HostServices none() {
        return NoHost.SERVICES;
    }

    /**
     * Services that refuse everything as UNSUPPORTED.
     *
     * @param why the reason that each refusal gives, with what to do about it
     */
    static HostServices none(String why) {
        return new NoHost(why);
    }
}
