// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.file;

import dev.mooring.host.linux.kernel.Descriptor;
import dev.mooring.host.linux.kernel.Errno;
import dev.mooring.host.linux.kernel.Guarded;
import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.CopiedTree;
import dev.mooring.storage.spi.host.EmptiedTree;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.HostFiles;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.Made;
import dev.mooring.storage.spi.host.Mounts;
import dev.mooring.storage.spi.host.OwnedTree;
import dev.mooring.storage.spi.host.OwnershipRule;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.storage.spi.host.TreeRules;
import java.nio.file.Path;
import java.util.Optional;

/** Files by descriptor. */
public final class LinuxFiles implements HostFiles {
    private static final int ATTEMPTS = 3;

    private final Kernel kernel;
    private final Mounts mounts;
    private final CutOffWalks cutOffWalks;
    private final PathGuard guard;

    /** The host's own, which may do everything. */
    public LinuxFiles(Kernel kernel, Mounts mounts) {
        this(kernel, mounts, new CutOffWalks(), PathGuard.NONE);
    }

    private LinuxFiles(Kernel kernel, Mounts mounts, CutOffWalks cutOffWalks, PathGuard guard) {
        this.kernel = kernel;
        this.mounts = mounts;
        this.cutOffWalks = cutOffWalks;
        this.guard = guard;
    }

    /** The same for a caller who may not do everything. */
    public LinuxFiles guardedBy(PathGuard other) {
        return new LinuxFiles(kernel, mounts, cutOffWalks, other);
    }

    @Override
    public Outcome<PinnedPath> open(Path path, LinkRule links) {
        if (!path.isAbsolute()) {
            return notAbsolute(path);
        }
        return Guarded.look(() -> find(path, links).map(found -> new LinuxPinnedPath(kernel, guard, found)));
    }

    private Outcome<Descriptor> find(Path path, LinkRule links) throws KernelException {
        return links == LinkRule.FOLLOW && guard.asksOnTheWay()
                ? LinkWalk.to(kernel, guard, path)
                : Outcome.done(step(Kernel.CURRENT_DIRECTORY, Kernel.name(path), links));
    }

    private Descriptor step(int at, byte[] name, LinkRule links) throws KernelException {
        return links == LinkRule.FOLLOW
                ? kernel.open(at, name, Kernel.O_PATH, 0)
                : kernel.open(at, name, Kernel.O_PATH, 0, Kernel.NO_LINKS | Kernel.NO_MAGIC_LINKS);
    }

    private static <T> Outcome<T> notAbsolute(Path path) {
        return Outcome.refused(Refusal.INVALID, "'" + path + "' is not an absolute path");
    }

    @Override
    public Outcome<Made> openOrMake(Path path, LinkRule links, FileKind kind, int mode) {
        if (!path.isAbsolute() || path.getNameCount() == 0) {
            return notAbsolute(path);
        }
        if (kind != FileKind.DIRECTORY && kind != FileKind.FILE) {
            return Outcome.refused(Refusal.INVALID, "only directories and files can be made, not a " + kind);
        }
        return Guarded.look(() -> {
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                Optional<Outcome<Made>> answer = findOrMake(path, links, kind, mode);
                if (answer.isPresent()) {
                    return answer.get();
                }
            }
            // a link that leads to nothing: the name is taken, yet nothing is there
            return Outcome.refused(
                    Refusal.INCOMPATIBLE, path + " is a link that leads to nothing, or it kept changing");
        });
    }

    /** Walks down and makes what is missing; empty if another process made it at the same moment. */
    private Optional<Outcome<Made>> findOrMake(Path path, LinkRule links, FileKind kind, int mode)
            throws KernelException {
        Descriptor here = kernel.open(Kernel.CURRENT_DIRECTORY, Kernel.name("/"), Kernel.O_PATH, 0);
        boolean isNew = false;
        for (int i = 0; i < path.getNameCount(); i++) {
            try (Descriptor parent = here) {
                byte[] name = Kernel.name(path.getName(i));
                boolean last = i == path.getNameCount() - 1;
                Optional<Outcome<Descriptor>> step = stepIfThere(parent, path.getName(i), links);
                if (step.isPresent() && !step.get().isDone()) {
                    return step.map(refused -> refused.map(never -> new Made(held(never), false)));
                }
                Optional<Descriptor> there = step.flatMap(Outcome::result);
                if (there.isEmpty() && !last && kind == FileKind.FILE) {
                    String why = "the directory of " + path + " does not exist";
                    return Optional.of(Outcome.refused(Refusal.NOT_FOUND, why));
                }
                if (there.isEmpty()) {
                    Outcome<Nothing> allowed = last ? guard.entry(parent, name) : guard.way(parent, name);
                    if (!allowed.isDone()) {
                        return Optional.of(allowed.map(never -> new Made(held(parent), false)));
                    }
                    there = make(parent, name, kind, mode);
                    isNew = true;
                }
                if (there.isEmpty()) {
                    return Optional.empty();
                }
                here = there.get();
            }
        }
        return Optional.of(Outcome.done(new Made(held(here), isNew)));
    }

    private PinnedPath held(Descriptor descriptor) {
        return new LinuxPinnedPath(kernel, guard, descriptor);
    }

    private Optional<Outcome<Descriptor>> stepIfThere(Descriptor here, Path name, LinkRule links)
            throws KernelException {
        try {
            return Optional.of(
                    links == LinkRule.FOLLOW && guard.asksOnTheWay()
                            ? LinkWalk.from(kernel, guard, here, name)
                            : Outcome.done(step(here.number(), Kernel.name(name), links)));
        } catch (KernelException e) {
            if (e.is(Errno.ENOENT)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Makes one element; empty if the name was taken meanwhile. */
    private Optional<Descriptor> make(Descriptor parent, byte[] name, FileKind kind, int mode) throws KernelException {
        if (kind == FileKind.FILE) {
            return makeFile(parent, name, mode);
        }
        if (!NewFiles.makeDirectory(kernel, parent, name, mode)) {
            return Optional.empty();
        }
        Descriptor made = kernel.open(parent.number(), name, Kernel.O_PATH, 0, Kernel.STRICTLY_BELOW);
        if (!isSettled(made, mode)) {
            made.close();
            return Optional.empty();
        }
        return Optional.of(made);
    }

    private boolean isSettled(Descriptor made, int mode) throws KernelException {
        try {
            return NewFiles.settle(kernel, made, true, mode).equals(Outcome.done(true));
        } catch (KernelException e) {
            made.close();
            throw e;
        }
    }

    private Optional<Descriptor> makeFile(Descriptor parent, byte[] name, int mode) throws KernelException {
        try (Descriptor file = NewFiles.makeFile(kernel, parent, name, mode)) {
            // what is given out only denotes the file: an open descriptor for writing would keep it busy
            return Optional.of(kernel.open(Kernel.CURRENT_DIRECTORY, Kernel.name(file.link()), Kernel.O_PATH, 0));
        } catch (KernelException e) {
            if (e.is(Errno.EEXIST)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    @Override
    public Outcome<EmptiedTree> empty(OperationContext context, PinnedPath root, TreeRules rules) {
        Optional<Descriptor> held = LinuxPinnedPath.descriptorOf(root);
        if (held.isEmpty()) {
            return LinuxPinnedPath.foreign();
        }
        return guard.whole(held.get())
                .then(allowed -> mounts.table())
                .then(table -> new TreeWalker(kernel, context, rules).empty(held.get(), table));
    }

    @Override
    public Outcome<OwnedTree> own(OperationContext context, PinnedPath root, OwnershipRule rule) {
        Optional<Descriptor> held = LinuxPinnedPath.descriptorOf(root);
        return held.isEmpty()
                ? LinuxPinnedPath.foreign()
                : guard.whole(held.get())
                        .then(allowed -> new OwnershipWalker(kernel, context, rule, cutOffWalks).own(held.get()));
    }

    @Override
    public Outcome<CopiedTree> copy(OperationContext context, PinnedPath from, PinnedPath to) {
        Optional<Descriptor> source = LinuxPinnedPath.descriptorOf(from);
        Optional<Descriptor> target = LinuxPinnedPath.descriptorOf(to);
        return source.isEmpty() || target.isEmpty()
                ? LinuxPinnedPath.foreign()
                : guard.whole(source.get())
                        .then(allowed -> guard.whole(target.get()))
                        .then(allowed -> mounts.table())
                        .then(table -> new TreeCopier(kernel, context, table).copy(source.get(), target.get()));
    }
}
