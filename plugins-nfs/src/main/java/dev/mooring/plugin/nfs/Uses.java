// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.MountEntry;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Whether this machine has an export mounted, or a part of it, or what contains it (semantics/plugins §2.8 R2, R3): by name, and by the
 * server's address as the kernel resolved it, so that another name of the same server is no hiding place.
 */
final class Uses {
    private static final String ADDRESS = "addr=";

    private final OperationContext context;

    Uses(OperationContext context) {
        this.context = context;
    }

    /**
     * Done if nothing but the plugin's own work has it mounted; else IN_USE, naming one mount.
     *
     * @param export what is going to be emptied or removed
     * @param ours a mount of the same server, which shows its address
     */
    Outcome<Nothing> none(Export export, MountEntry ours) {
        Path work = Optional.ofNullable(ours.mountPoint().getParent()).orElse(ours.mountPoint());
        return context.host()
                .mounts()
                .table()
                .then(table -> table.entries().stream()
                        .filter(Mounted::isNfs)
                        .filter(entry -> !entry.mountPoint().startsWith(work))
                        .filter(entry -> overlaps(entry, export, ours))
                        .findFirst()
                        .<Outcome<Nothing>>map(entry ->
                                Outcome.refused(Refusal.IN_USE, export + " is in use on this machine: " + entry))
                        .orElseGet(Outcome::done));
    }

    private static boolean overlaps(MountEntry entry, Export export, MountEntry ours) {
        return NfsSources.parse(entry.source())
                .filter(other -> {
                    Optional<String> address = address(entry).findFirst();
                    boolean sameServer = other.server().equals(export.server())
                            || (address.isPresent()
                                    && address.equals(address(ours).findFirst()));
                    return sameServer && new Export(export.server(), other.path()).overlaps(export);
                })
                .isPresent();
    }

    private static Stream<String> address(MountEntry entry) {
        return entry.superOptions().stream().filter(word -> word.startsWith(ADDRESS));
    }
}
