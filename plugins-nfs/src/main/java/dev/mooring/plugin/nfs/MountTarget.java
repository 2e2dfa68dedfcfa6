// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.PinnedPath;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A mount point, named by the directory that holds it. The mount point itself is never opened: behind it may be a server that does not
 * answer.
 */
final class MountTarget implements AutoCloseable {
    private static final int MODE = 0750;

    private final OperationContext context;
    private final PinnedPath parent;
    private final String name;
    private final Path path;

    private MountTarget(OperationContext context, PinnedPath parent, String name, Path path) {
        this.context = context;
        this.parent = parent;
        this.name = name;
        this.path = path;
    }

    /** Holds the parent of a mount point. */
    static Outcome<MountTarget> of(OperationContext context, Path wanted) {
        Path directory = wanted.getParent();
        Path last = wanted.getFileName();
        if (!wanted.isAbsolute() || directory == null || last == null) {
            return Outcome.refused(Refusal.INVALID, wanted + " cannot be a mount point");
        }
        return context.host().files().open(directory, LinkRule.FOLLOW).then(parent -> {
            Outcome<Path> real = parent.resolved();
            if (!real.isDone()) {
                parent.close();
            }
            return real.map(path -> new MountTarget(context, parent, last.toString(), path.resolve(last)));
        });
    }

    /** As the mount table writes it. */
    Path path() {
        return path;
    }

    /** What is mounted here; empty if nothing is. */
    Outcome<Optional<MountEntry>> mounted() {
        return context.host().mounts().table().map(table -> table.top(path));
    }

    /** Makes the directory. Only to be called when nothing is mounted here. */
    Outcome<Nothing> make() {
        return parent.makeDirectory(name, MODE).map(made -> {
            made.path().close();
            return Nothing.NOTHING;
        });
    }

    /** Takes the directory away if it is empty; only to be called when nothing is mounted here. */
    Outcome<Nothing> remove() {
        return parent.removeDirectory(name);
    }

    @Override
    public void close() {
        parent.close();
    }
}
