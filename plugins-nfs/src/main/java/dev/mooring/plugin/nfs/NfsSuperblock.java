// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.storage.spi.host.MountEntry;
import java.util.List;
import java.util.Optional;

/**
 * A file system of the kernel's NFS client. The kernel gives its number to another one as soon as everything has been written back; two
 * with one number are distinguished by what never changes while a file system lives. Pure.
 *
 * <p>The number of the version is such a thing. The server's address is not quite: a file system of version 4 may migrate. Nor is the
 * server's name, as two names of one server share a file system; hence only both together tell. What the server calls the file system
 * does not, since the kernel takes over a new identity, and its exports do not, since they may share one.
 *
 * @param device its number
 * @param version the major version of the protocol
 * @param server the name under which the server was mounted from
 * @param address the server's address
 */
record NfsSuperblock(String device, Optional<String> version, Optional<String> server, Optional<String> address) {
    /** Version, server, port, device, file system, cache. */
    private static final int DEVICE_COLUMN = 3;

    /** What was recorded; empty if the number was not. */
    static Optional<NfsSuperblock> of(PublishedState state) {
        List<String> options = List.of(state.options().split(","));
        return state.device().map(device -> of(device, state.source(), options));
    }

    private static NfsSuperblock of(String device, String source, List<String> options) {
        return new NfsSuperblock(
                device,
                option(options, "vers=").map(version -> version.split("\\.", -1)[0]),
                NfsSources.parse(source).map(Export::server),
                option(options, "addr="));
    }

    private static Optional<String> option(List<String> options, String name) {
        return options.stream()
                .filter(option -> option.startsWith(name))
                .map(option -> option.substring(name.length()))
                .findFirst();
    }

    /** Whether a mount that has its number may show it. */
    boolean mayBe(MountEntry entry) {
        NfsSuperblock shown = of(entry.device(), entry.source(), entry.superOptions());
        boolean otherServer = differ(server, shown.server) && differ(address, shown.address);
        return Mounted.isNfs(entry) && !differ(version, shown.version) && !otherServer;
    }

    /** Whether a line of the list of what the kernel's NFS client holds may be its. */
    boolean mayBe(String line) {
        String[] columns = line.trim().split("\\s+", -1);
        return columns.length > DEVICE_COLUMN
                && columns[DEVICE_COLUMN].equals(device)
                && version.map(number -> columns[0].equals("v" + number)).orElse(true);
    }

    private static boolean differ(Optional<String> one, Optional<String> other) {
        return one.isPresent() && other.isPresent() && !one.equals(other);
    }
}
