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
     * Paths that no volume may show writable: the host's own state, records and keys. Whatever lies below them is protected too;
     * who shows a directory above them shows them with it. What lies below {@link #stateDirectory} of a plugin is that plugin's to
     * judge.
     *
     * @return absolute paths; may be empty, never null
     */
    List<Path> protectedPaths();

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
