// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import dev.mooring.host.linux.file.NewFiles;
import dev.mooring.host.linux.kernel.Cloning;
import dev.mooring.host.linux.kernel.Descriptor;
import dev.mooring.host.linux.kernel.Guarded;
import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.host.linux.kernel.MountFlags;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.BindOptions;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * A bind mount on kernels before 5.12, where a mount cannot be given its restrictions before it is attached (semantics/plugins §1.3). It is
 * attached where nobody can see it, in a directory that only root may enter; there it is cut off from the original, restricted, and looked
 * at in the table; then it is moved to its place as a whole. The directory is a mount of its own without propagation, since a mount
 * below a shared one cannot be moved and would be seen elsewhere, and is left out of every other recursive bind.
 */
final class OldCloning implements Cloning {
    private static final int MODE = 0700;
    private static final byte[] NOTHING = Kernel.name("none");

    /** A remount replaces all of these: what the original has is given again. */
    private static final Map<String, Long> KEPT = Map.of(
            "ro", 1L,
            "nosuid", 2L,
            "nodev", 4L,
            "noexec", 8L,
            "nosymfollow", 256L,
            "noatime", 1L << 10,
            "nodiratime", 1L << 11,
            "relatime", 1L << 21);

    private final Kernel kernel;
    private final Supplier<Outcome<MountTable>> table;
    private final Path state;
    private final Path hidden;
    private final AtomicLong count = new AtomicLong();
    private boolean prepared;

    /**
     * @param state where the host keeps things; the directory is made in it
     */
    OldCloning(Kernel kernel, Supplier<Outcome<MountTable>> table, Path state) {
        this.kernel = kernel;
        this.table = table;
        this.state = state;
        this.hidden = state.resolve("binds");
    }

    @Override
    public Outcome<Attached> attach(Descriptor source, Descriptor place, boolean directory, BindOptions options) {
        return Guarded.change(() -> prepare()
                .then(ready -> Guarded.change(() -> {
                    try (MountPoint point = MountPoint.of(kernel, hidden.resolve("bind-" + count.incrementAndGet()))) {
                        point.make(kernel, directory);
                        try {
                            return restrictAndMove(source, place, point, options);
                        } finally {
                            clear(point, directory);
                        }
                    }
                })));
    }

    private Outcome<Attached> restrictAndMove(
            Descriptor source, Descriptor place, MountPoint point, BindOptions options) throws KernelException {
        try (Descriptor under = point.open(kernel)) {
            long depth = options.recursive() ? MountFlags.RECURSIVE : 0;
            mount(Kernel.name(source.link()), under, MountFlags.BIND | depth);
        }
        try (Descriptor top = point.open(kernel)) {
            long depth = options.recursive() ? MountFlags.RECURSIVE : 0;
            mount(NOTHING, top, (options.followsOriginal() ? MountFlags.SLAVE : MountFlags.PRIVATE) | depth);
        }
        return table.get()
                .then(now -> Guarded.change(() -> restrict(now, point, options)))
                .then(nothing -> table.get())
                .then(now -> Guarded.change(() -> verifyAndMove(now, place, point, options)));
    }

    private Outcome<Boolean> restrict(MountTable now, MountPoint point, BindOptions options) throws KernelException {
        for (MountEntry entry : tree(now, point)) {
            byte[] path = Kernel.name(entry.mountPoint());
            kernel.mount(
                    NOTHING,
                    path,
                    NOTHING,
                    MountFlags.REMOUNT | MountFlags.BIND | flags(entry, options),
                    Kernel.name(""));
        }
        return Outcome.done(true);
    }

    private static List<MountEntry> tree(MountTable now, MountPoint point) {
        List<MountEntry> tree = new ArrayList<>(now.top(point.path()).stream().toList());
        tree.addAll(now.below(point.path()));
        return tree;
    }

    /** What the original forbids stays forbidden. */
    static long flags(MountEntry entry, BindOptions options) {
        long wanted = (options.readOnly() ? 1 : 0)
                | (options.noSetuid() ? 2 : 0)
                | (options.noDevices() ? 4 : 0)
                | (options.noExecution() ? 8 : 0);
        return entry.options().stream()
                .map(option -> KEPT.getOrDefault(option, 0L))
                .reduce(wanted, (a, b) -> a | b);
    }

    private Outcome<Attached> verifyAndMove(MountTable now, Descriptor place, MountPoint point, BindOptions options)
            throws KernelException {
        for (MountEntry entry : tree(now, point)) {
            boolean restricted = (!options.readOnly() || entry.options().contains("ro"))
                    && (!options.noSetuid() || entry.options().contains("nosuid"))
                    && (!options.noDevices() || entry.options().contains("nodev"))
                    && (!options.noExecution() || entry.options().contains("noexec"))
                    && entry.peerGroup().isEmpty();
            if (!restricted) {
                return Outcome.uncertain("the kernel did not apply the restrictions to " + entry);
            }
        }
        Optional<MountEntry> top = now.top(point.path());
        if (top.isEmpty()) {
            return Outcome.uncertain("the bind mount at " + point.path() + " has gone");
        }
        mount(Kernel.name(top.get().mountPoint()), place, MountFlags.MOVE);
        return Outcome.done(new Attached(top.get().id(), OptionalLong.empty()));
    }

    /** On what an open descriptor denotes. */
    private void mount(byte[] source, Descriptor place, long flags) throws KernelException {
        kernel.mount(source, Kernel.name(place.link()), NOTHING, flags, Kernel.name(""));
    }

    /** What was moved away is not there any more; what was not, goes. */
    private void clear(MountPoint point, boolean directory) {
        table.get().result().map(now -> now.at(point.path())).orElse(List.of()).forEach(left -> {
            try {
                kernel.unmount(Kernel.name(point.path()), MountFlags.DETACH);
            } catch (KernelException gone) {
                // as it should be
                return;
            }
        });
        point.remove(kernel, directory);
    }

    /** Once per process: the directory, its mount, and nothing in it that an earlier process left. */
    private synchronized Outcome<Boolean> prepare() throws KernelException {
        if (prepared) {
            return Outcome.done(true);
        }
        try (MountPoint parent = MountPoint.of(kernel, state)) {
            NewFiles.makeDirectory(kernel, parent.parent(), parent.name(), MODE);
        }
        try (MountPoint point = MountPoint.of(kernel, hidden)) {
            if (NewFiles.makeDirectory(kernel, point.parent(), point.name(), MODE)) {
                try (Descriptor made = point.open(kernel)) {
                    kernel.changeMode(made, MODE);
                }
            }
            return table.get().then(now -> Guarded.change(() -> hide(now, point)));
        }
    }

    private Outcome<Boolean> hide(MountTable now, MountPoint point) throws KernelException {
        if (now.top(point.path()).isEmpty()) {
            try (Descriptor directory = point.open(kernel)) {
                mount(Kernel.name(directory.link()), directory, MountFlags.BIND);
            }
        }
        try (Descriptor mounted = point.open(kernel)) {
            mount(NOTHING, mounted, MountFlags.UNBINDABLE);
        }
        List<MountEntry> left = now.below(point.path());
        for (int i = left.size() - 1; i >= 0; i--) {
            kernel.unmount(Kernel.name(left.get(i).mountPoint()), MountFlags.DETACH);
        }
        prepared = true;
        return Outcome.done(true);
    }
}
