// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.directory;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Notice;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.EmptiedTree;
import dev.mooring.storage.spi.host.FileFacts;
import dev.mooring.storage.spi.host.FileIdentity;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountExpectation;
import dev.mooring.storage.spi.host.MountExpectationBuilder;
import dev.mooring.storage.spi.host.MountRequest;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.storage.spi.host.TreeRules;
import dev.mooring.storage.spi.host.UnmountForce;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A directory at a pod's path, on the node's disk or a file system of its own. Its parents are the host's; what is in it is not. It is
 * removed by descriptor and never through anything mounted inside (S12, semantics/plugins §1.8).
 */
public final class HostDirectory {
    private static final String TMPFS = "tmpfs";
    private static final String HUGETLBFS = "hugetlbfs";
    private static final int SCHEMA = 1;
    /** What the state of a directory on the disk begins with. */
    private static final String ON_DISK = "identity=";
    /** {@code pods/<uid>/volumes/<plugin>/<name>} lies below the root. */
    private static final int DEPTH = 5;

    private final OperationContext context;

    /** Works within one call. */
    public HostDirectory(OperationContext context) {
        this.context = context;
    }

    /**
     * A directory on the node's disk. One that is there keeps what is in it.
     *
     * @param mode its permission bits, whatever the umask
     * @return which directory it is, for {@link #remove}
     */
    public Outcome<PluginState> onDisk(Path target, int mode) {
        return context.host()
                .files()
                .openOrMake(target, LinkRule.FOLLOW, FileKind.DIRECTORY, mode)
                .then(made -> {
                    try (PinnedPath directory = made.path()) {
                        // an earlier attempt may have ended between making it and giving it its mode
                        return directory.setMode(mode).then(done -> onDisk(target, directory));
                    }
                });
    }

    /**
     * A directory on the node's disk that was given to its pod before: it stays as it is, with the mode that the pod has given it.
     *
     * @return which directory it is, for {@link #remove}; NOT_FOUND if it has gone
     */
    public Outcome<PluginState> stillOnDisk(Path target) {
        return context.host().files().open(target, LinkRule.FOLLOW).then(directory -> {
            try (directory) {
                return onDisk(target, directory);
            }
        });
    }

    private static Outcome<PluginState> onDisk(Path target, PinnedPath directory) {
        return directory
                .facts()
                .then(facts -> facts.kind() == FileKind.DIRECTORY
                        ? Outcome.done(new PluginState(SCHEMA, ON_DISK + facts.identity()))
                        : Outcome.refused(Refusal.INCOMPATIBLE, target + " is no directory"));
    }

    /** Whether a state is that of a directory on the disk. */
    public static boolean isOnDisk(PluginState state) {
        return state.content().startsWith(ON_DISK);
    }

    /**
     * A file system in memory. It is not swapped out where the kernel can do that.
     *
     * @param options further options
     * @param mode permission bits of its root
     */
    public Outcome<PluginState> inMemory(Path target, List<String> options, int mode) {
        List<String> unswapped = new ArrayList<>(options);
        unswapped.add("noswap");
        Outcome<MountEntry> mounted = mount(target, TMPFS, unswapped);
        // before Linux 6.3 the option is not known
        Outcome<MountEntry> settled = mounted.isRefused(Refusal.INVALID) ? mount(target, TMPFS, options) : mounted;
        return settled.then(entry -> finished(target, mode));
    }

    /** A file system of huge pages. */
    public Outcome<PluginState> ofHugePages(Path target, List<String> options, int mode) {
        return mount(target, HUGETLBFS, options).then(entry -> finished(target, mode));
    }

    private Outcome<MountEntry> mount(Path target, String type, List<String> options) {
        return context.host().mounts().mount(context, target, new MountRequest(type, type, options, false));
    }

    private Outcome<PluginState> finished(Path target, int mode) {
        return context.host().files().open(target, LinkRule.FOLLOW).then(directory -> {
            try (directory) {
                return directory.setMode(mode).map(done -> new PluginState(SCHEMA, "mount"));
            }
        });
    }

    /**
     * Takes the directory away with all that is in it; done if there is none.
     *
     * @param state what making it answered; {@link PluginState#NONE} if that was lost
     * @return IN_USE while something is mounted inside; CORRUPT if another directory is in its place
     */
    public Outcome<Nothing> remove(Path target, PluginState state) {
        Path place = real(target);
        return context.host().mounts().mountedIn(place).then(mounted -> {
            Optional<MountEntry> top = mounted.top(place);
            return top.isPresent() ? unmount(target, top.get()) : removeTree(target, state);
        });
    }

    /** As the table writes it: without links in the host's own part of the path. */
    private Path real(Path target) {
        return openParent(target)
                .then(parent -> {
                    try (parent) {
                        return parent.resolved();
                    }
                })
                .result()
                .map(parent -> parent.resolve(nameOf(target)))
                .orElse(target);
    }

    private Outcome<Nothing> unmount(Path target, MountEntry top) {
        if (!Set.of(TMPFS, HUGETLBFS).contains(top.fsType()) || !top.source().equals(top.fsType())) {
            return Outcome.refused(Refusal.IN_USE, "a foreign mount is in the place: " + top);
        }
        MountExpectation ours = MountExpectationBuilder.builder()
                .source(top.source())
                .fsType(top.fsType())
                .build();
        return context.host().mounts().unmount(context, target, ours, UnmountForce.NONE);
    }

    private Outcome<Nothing> removeTree(Path target, PluginState state) {
        Outcome<PinnedPath> parent = openParent(target);
        if (parent.isRefused(Refusal.NOT_FOUND)) {
            return Outcome.done();
        }
        return parent.then(above -> {
            try (above) {
                String name = nameOf(target);
                Outcome<PinnedPath> found = above.child(name);
                if (found.isRefused(Refusal.NOT_FOUND)) {
                    return Outcome.done();
                }
                Outcome<EmptiedTree> emptied = found.then(directory -> empty(directory, state));
                return emptied.isRefused(Refusal.DENIED)
                        ? putAside(target, above, emptied.message())
                        : emptied.then(tree -> above.removeDirectory(name));
            }
        });
    }

    private Outcome<PinnedPath> openParent(Path target) {
        Path parent = target.getParent();
        return parent == null
                ? Outcome.refused(Refusal.INVALID, target + " is no path of a volume")
                : context.host().files().open(parent, LinkRule.FOLLOW);
    }

    private static String nameOf(Path target) {
        return String.valueOf(target.getFileName());
    }

    private Outcome<EmptiedTree> empty(PinnedPath directory, PluginState state) {
        try (directory) {
            return directory
                    .facts()
                    .then(facts ->
                            context.host().files().empty(context, directory, TreeRules.all(expected(facts, state))));
        }
    }

    private static FileIdentity expected(FileFacts found, PluginState state) {
        return isOnDisk(state)
                ? FileIdentity.parse(state.content().substring(ON_DISK.length()))
                        .orElse(found.identity())
                : found.identity();
    }

    /** What cannot be removed, such as an immutable file, shall not hold up the pod's end for ever. */
    private Outcome<Nothing> putAside(Path target, PinnedPath parent, String why) {
        if (target.getNameCount() <= DEPTH) {
            return Outcome.refused(Refusal.DENIED, why);
        }
        Path root = Path.of("/").resolve(target.subpath(0, target.getNameCount() - DEPTH));
        Path orphans = root.resolve("orphans");
        String newName = context.clock().millis() + "-" + nameOf(target);
        return context.host()
                .files()
                .openOrMake(orphans, LinkRule.FOLLOW, FileKind.DIRECTORY, 0700)
                .then(made -> {
                    try (PinnedPath directory = made.path()) {
                        return parent.rename(nameOf(target), directory, newName);
                    }
                })
                .map(done -> {
                    context.report(
                            Notice.warning("DataSetAside", why + "; what is left is now " + orphans.resolve(newName)));
                    return done;
                });
    }
}
