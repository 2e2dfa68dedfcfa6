// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountExpectation;
import dev.mooring.storage.spi.host.MountTable;
import dev.mooring.storage.spi.host.UnmountForce;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Unmounts layer by layer, each time by a fresh look at the table, and then removes the mount point (semantics/plugins §1.4). Every
 * step may be repeated; what is not expected is left alone.
 */
final class Unmounting {
    private static final int NO_FOLLOW = 8;
    private static final int FORCE = 1;
    private static final int DETACH = 2;
    /** For one mount: the kernel says that it is none, yet the table still has it, as for one that another namespace locked. */
    private static final int MAX_ATTEMPTS = 10;

    private final Kernel kernel;
    private final Supplier<Outcome<MountTable>> table;
    private final Quarantine quarantine;
    private final BoundedCalls calls;

    Unmounting(Kernel kernel, Supplier<Outcome<MountTable>> table, Quarantine quarantine, BoundedCalls calls) {
        this.kernel = kernel;
        this.table = table;
        this.quarantine = quarantine;
        this.calls = calls;
    }

    Outcome<Nothing> unmount(OperationContext context, Path target, MountExpectation expected, UnmountForce force) {
        return Guarded.change(() -> {
            try (MountPoint point = MountPoint.of(kernel, target)) {
                Outcome<Nothing> gone = layers(context, point, expected, force);
                return gone.then(nothing -> quarantine.removeMountPoint(point, context.clock()));
            } catch (KernelException e) {
                // without the directory there is nothing in it
                return e.is(Errno.ENOENT) ? Outcome.done() : e.outcome();
            }
        });
    }

    private Outcome<Nothing> layers(
            OperationContext context, MountPoint point, MountExpectation expected, UnmountForce force) {
        int last = -1;
        int attempts = 0;
        while (attempts < MAX_ATTEMPTS) {
            Outcome<Optional<MountEntry>> next = table.get().then(now -> nextToRemove(now, point.path(), expected));
            Optional<MountEntry> entry = next.result().flatMap(Function.identity());
            if (entry.isEmpty()) {
                return next.map(nothing -> Nothing.NOTHING);
            }
            attempts = entry.get().id() == last ? attempts + 1 : 0;
            last = entry.get().id();
            Optional<Outcome<Nothing>> answer = remove(context, point, entry.get(), force);
            if (answer.isPresent()) {
                return answer.get();
            }
        }
        return Outcome.uncertain("a mount at " + point.path() + " stays or keeps coming back");
    }

    /** The innermost mount that has to go next; empty if nothing is mounted at the path any more. */
    private static Outcome<Optional<MountEntry>> nextToRemove(MountTable now, Path path, MountExpectation expected) {
        Optional<MountEntry> top = now.top(path);
        if (top.isEmpty()) {
            return Outcome.done(Optional.empty());
        }
        if (!expected.fits(top.get())) {
            return Outcome.refused(Refusal.IN_USE, "a foreign mount is in the place: " + top.get());
        }
        List<MountEntry> below = now.below(path);
        if (below.isEmpty()) {
            return Outcome.done(top);
        }
        if (!expected.tree()) {
            return Outcome.refused(
                    Refusal.IN_USE,
                    "mounted below: " + below.stream().map(MountEntry::toString).collect(Collectors.joining("; ")));
        }
        return Outcome.done(Optional.of(below.get(below.size() - 1)));
    }

    /** Empty: look at the table again. */
    private Optional<Outcome<Nothing>> remove(
            OperationContext context, MountPoint point, MountEntry entry, UnmountForce force) {
        if (force != UnmountForce.NONE && onBlockDevice(entry)) {
            return Optional.of(Outcome.refused(
                    Refusal.INVALID, "a mount on a block device is never forced: data could be lost: " + entry));
        }
        try {
            MountPoint place = entry.mountPoint().equals(point.path()) ? again(point) : inside(point, entry);
            byte[] anchored = place.anchored();
            int flags = NO_FOLLOW
                    | (force == UnmountForce.ABORT_REQUESTS ? FORCE : 0)
                    | (force == UnmountForce.DETACH ? DETACH : 0);
            Outcome<Optional<Outcome<Nothing>>> called = calls.call(
                    context, "file system " + entry.device(), "the unmount of " + entry, place::close, () -> {
                        try {
                            kernel.unmount(anchored, flags);
                            return Outcome.done(Optional.empty());
                        } catch (KernelException e) {
                            return Outcome.done(classify(e, entry));
                        }
                    });
            return called.result().orElseGet(() -> Optional.of(called.map(nothing -> Nothing.NOTHING)));
        } catch (KernelException e) {
            return classify(e, entry);
        }
    }

    private static Optional<Outcome<Nothing>> classify(KernelException failure, MountEntry entry) {
        return switch (failure.errno()) {
            // gone meanwhile, or moved: the table tells
            case Errno.EINVAL, Errno.ENOENT -> Optional.empty();
            case Errno.EBUSY ->
                Optional.of(Outcome.refused(Refusal.IN_USE, entry + " is busy" + Holders.of(entry.mountPoint())));
            default -> Optional.of(failure.outcomeOfChange());
        };
    }

    private MountPoint again(MountPoint point) throws KernelException {
        return new MountPoint(
                kernel.open(point.parent().number(), Kernel.name("."), Kernel.O_PATH, 0), point.name(), point.path());
    }

    /**
     * A mount within the tree that is unmounted. Who owns the tree's files can exchange a directory on the way for a link, so the
     * way down is taken without following any.
     */
    private MountPoint inside(MountPoint point, MountEntry entry) throws KernelException {
        Path relative = point.path().getParent() == null
                ? entry.mountPoint()
                : point.path().getParent().relativize(entry.mountPoint());
        Path directory = relative.getParent();
        Path last = relative.getFileName();
        if (directory == null || last == null) {
            throw new KernelException(Errno.EINVAL, "mount point " + entry.mountPoint());
        }
        long rules = Kernel.BENEATH | Kernel.NO_LINKS | Kernel.NO_MAGIC_LINKS;
        Descriptor parent = kernel.open(point.parent().number(), Kernel.name(directory), Kernel.O_PATH, 0, rules);
        return new MountPoint(parent, Kernel.name(last), entry.mountPoint());
    }

    private static boolean onBlockDevice(MountEntry entry) {
        return !entry.device().startsWith("0:") || entry.source().startsWith("/dev/");
    }
}
