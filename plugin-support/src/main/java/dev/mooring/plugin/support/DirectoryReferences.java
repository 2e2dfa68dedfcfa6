// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.support;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountTable;
import dev.mooring.storage.spi.host.PinnedPath;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/** Whether a directory is mounted somewhere on this machine, or something is mounted in it. For one call. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class DirectoryReferences {
    private final OperationContext context;

    /** Looks in the call of this context. */
    public DirectoryReferences(OperationContext context) {
        this.context = context;
    }

    /** Done if nothing refers to the directory; else IN_USE, naming one reference. */
    public Outcome<Nothing> none(PinnedPath directory) {
        return directory
                .resolved()
                .then(path -> context.host()
                        .mounts()
                        .entryOf(directory)
                        .then(seen -> context.host().mounts().table().then(table -> judge(table, seen, path))));
    }

    private static Outcome<Nothing> judge(MountTable table, MountEntry seen, Path path) {
        List<MountEntry> inside = table.below(path);
        if (!inside.isEmpty()) {
            return Outcome.refused(Refusal.IN_USE, "mounted inside " + path + ": " + inside.get(0));
        }
        String relative = seen.mountPoint().relativize(path).toString();
        String root = relative.isEmpty() ? seen.root() : (seen.root().equals("/") ? "" : seen.root()) + "/" + relative;
        Optional<MountEntry> other = table.references(seen.device(), root).stream()
                .filter(entry -> entry.id() != seen.id())
                .findFirst();
        return other.<Outcome<Nothing>>map(entry -> Outcome.refused(Refusal.IN_USE, path + " is in use: " + entry))
                .orElseGet(Outcome::done);
    }
}
