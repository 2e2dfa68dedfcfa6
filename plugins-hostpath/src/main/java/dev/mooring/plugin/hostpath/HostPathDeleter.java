// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.PinnedPath;
import java.nio.file.Path;

/**
 * Deletes directories that the ledger proves to be ours: moved out of the volumes in one step, then emptied, then removed, then
 * forgotten. After a crash at any point the next call goes on from what the ledger and the two directories show.
 */
final class HostPathDeleter {
    private final OperationContext context;
    private final HostPathSettings settings;

    HostPathDeleter(OperationContext context, HostPathSettings settings) {
        this.context = context;
        this.settings = settings;
    }

    Outcome<Nothing> delete(VolumeSpec volume, Path path) {
        // told by the text alone, before anything is opened: a path elsewhere is never ours
        if (!path.equals(settings.effectiveRoot().resolve(Store.VOLUMES).resolve(volume.name()))) {
            return notOurs(path);
        }
        return Store.with(
                context,
                settings,
                store -> store.ledger()
                        .find(volume.name())
                        .then(entry -> entry.map(found -> proven(store, volume, found))
                                .orElseGet(() -> unproven(store, volume.name(), path))));
    }

    private static Outcome<Nothing> notOurs(Path path) {
        return Outcome.refused(Refusal.DENIED, path + " was not created here");
    }

    /** A directory without an entry is not ours: another program made it. Without a directory all is gone. */
    private static Outcome<Nothing> unproven(Store store, String name, Path path) {
        return store.volumes().child(name).ifFound().then(found -> {
            found.ifPresent(PinnedPath::close);
            return found.isEmpty() ? Outcome.done() : notOurs(path);
        });
    }

    private Outcome<Nothing> proven(Store store, VolumeSpec volume, HostPathLedgerEntry entry) {
        String name = volume.name();
        if (!entry.mayBeOf(volume.uid())) {
            return MadeDirectories.stranger(settings, Path.of(Store.VOLUMES, name));
        }
        String here = context.node().map(NodeRef::uid).orElse("");
        if (!entry.nodeUid().equals(here)) {
            return Outcome.refused(Refusal.DENIED, name + " was made on another node");
        }
        return new HostPathRemover(context, store).remove(name, entry);
    }
}
