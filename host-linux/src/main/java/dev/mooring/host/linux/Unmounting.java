// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import dev.mooring.host.linux.kernel.Descriptor;
import dev.mooring.host.linux.kernel.Errno;
import dev.mooring.host.linux.kernel.Guarded;
import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountExpectation;
import dev.mooring.storage.spi.host.MountTable;
import dev.mooring.storage.spi.host.UnmountForce;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Unmounts layer by layer, each time by a fresh look at the place or the table, and then removes the mount point (semantics/plugins §1.4). Every
 * step may be repeated; what is not expected is left alone.
 */
final class Unmounting {
    /** For one mount: the kernel says that it is not a mount, but the table still has it, as for a mount that another namespace locked. */
    private static final int MAX_ATTEMPTS = 10;

    /** A process that is just being started has this one's descriptors, those within mounts too, until it runs its program. */
    private static final int TRIES_WHILE_BUSY = 5;

    private static final Duration FIRST_PAUSE_WHILE_BUSY = Duration.ofMillis(10);

    private final Kernel kernel;
    private final Supplier<Outcome<MountTable>> table;
    private final Supplier<Optional<KnownMounts>> known;
    private final Quarantine quarantine;
    private final UnmountCall call;

    /**
     * What has to go next.
     *
     * @param last whether no other mount of its file system is known, or of one that goes with it
     * @param tree whether all that is mounted below goes with it
     */
    private record Next(MountEntry entry, boolean last, boolean tree) {}

    Unmounting(
            Kernel kernel,
            Supplier<Outcome<MountTable>> table,
            Supplier<Optional<KnownMounts>> known,
            Quarantine quarantine,
            UnmountCall call) {
        this.kernel = kernel;
        this.table = table;
        this.known = known;
        this.quarantine = quarantine;
        this.call = call;
    }

    Outcome<Nothing> unmount(OperationContext context, Path target, MountExpectation expected, UnmountForce force) {
        return Guarded.change(() -> {
            try (MountPoint point = MountPoint.of(kernel, target)) {
                Outcome<Nothing> gone = layers(context, point, expected, force);
                return gone.then(nothing -> quarantine.removeMountPoint(point, context.clock(), table));
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
            Outcome<Optional<Next>> look = look(point, expected);
            Optional<Next> next = look.result().flatMap(Function.identity());
            if (next.isEmpty()) {
                return look.map(nothing -> Nothing.NOTHING);
            }
            int id = next.get().entry().id();
            attempts = id == last ? attempts + 1 : 0;
            last = id;
            Duration patience =
                    attempts < TRIES_WHILE_BUSY ? FIRST_PAUSE_WHILE_BUSY.multipliedBy(1L << attempts) : Duration.ZERO;
            Optional<Outcome<Nothing>> answer = remove(context, point, next.get(), force, patience);
            if (answer.isPresent()) {
                return answer.get();
            }
        }
        return Outcome.uncertain("a mount at " + point.path() + " stays or keeps coming back");
    }

    /** By the place alone where the kernel tells enough of it, else by the table. */
    private Outcome<Optional<Next>> look(MountPoint point, MountExpectation expected) {
        Optional<KnownMounts> single = known.get();
        if (single.filter(mounts -> mounts.isFree(point)).isPresent()) {
            return Outcome.done(Optional.empty());
        }
        Optional<KnownMounts.Alone> alone = single.flatMap(mounts -> mounts.alone(point));
        if (alone.isPresent()) {
            MountEntry entry = alone.get().entry();
            return expected.fits(entry)
                    ? Outcome.done(Optional.of(new Next(entry, alone.get().lastOfItsFileSystem(), false)))
                    : foreign(entry);
        }
        return table.get().then(now -> nextToRemove(now, point.path(), expected));
    }

    private static <T> Outcome<T> foreign(MountEntry entry) {
        return Outcome.refused(Refusal.IN_USE, "a foreign mount is in the place: " + entry);
    }

    /**
     * A tree goes by one call, however many mounts it has: it is a copy, and none of its mounts is the host's. Empty if nothing is mounted at
     * the path any more.
     */
    private static Outcome<Optional<Next>> nextToRemove(MountTable now, Path path, MountExpectation expected) {
        Optional<MountEntry> top = now.top(path);
        if (top.isEmpty()) {
            return Outcome.done(Optional.empty());
        }
        if (!expected.fits(top.get())) {
            return foreign(top.get());
        }
        List<MountEntry> below = now.below(path);
        if (below.isEmpty()) {
            return Outcome.done(Optional.of(new Next(top.get(), UnmountCall.isLast(top.get(), now), false)));
        }
        if (expected.tree()) {
            return Outcome.done(Optional.of(new Next(top.get(), UnmountCall.holdsLast(path, now), true)));
        }
        List<MountEntry> foreign =
                below.stream().filter(entry -> !Masks.isMask(entry)).toList();
        return foreign.isEmpty()
                ? Outcome.done(Optional.of(new Next(below.get(below.size() - 1), false, false)))
                : Outcome.refused(
                        Refusal.IN_USE,
                        "mounted below: "
                                + foreign.stream().map(MountEntry::toString).collect(Collectors.joining("; ")));
    }

    /**
     * Empty: look again.
     *
     * @param patience how long a busy mount is waited for before the next look; zero to say so at once
     */
    private Optional<Outcome<Nothing>> remove(
            OperationContext context, MountPoint point, Next next, UnmountForce force, Duration patience) {
        MountEntry entry = next.entry();
        if (force != UnmountForce.NONE && onBlockDevice(entry)) {
            return Optional.of(Outcome.refused(
                    Refusal.INVALID, "a mount on a block device is never forced: data could be lost: " + entry));
        }
        try {
            MountPoint place = entry.mountPoint().equals(point.path()) ? again(point) : inside(point, entry);
            Outcome<UnmountCall.Answer> asked =
                    call.unmount(context, place, entry, next.last(), next.tree() ? UnmountForce.DETACH : force);
            return asked.isDone() ? answer(context, asked.orThrow(), entry, patience) : Optional.of(asked.failed());
        } catch (KernelException e) {
            // the way to it has gone meanwhile: the table tells
            return e.is(Errno.ENOENT) ? Optional.empty() : Optional.of(e.outcomeOfChange());
        }
    }

    private static Optional<Outcome<Nothing>> answer(
            OperationContext context, UnmountCall.Answer answer, MountEntry entry, Duration patience) {
        return answer == UnmountCall.Answer.BUSY && !passes(context, patience)
                ? Optional.of(Outcome.refused(Refusal.IN_USE, entry + " is busy" + Holders.of(entry.mountPoint())))
                : Optional.empty();
    }

    /** Whether a moment could be waited; not if the call is to end before. */
    private static boolean passes(OperationContext context, Duration moment) {
        if (moment.isZero() || !context.clock().instant().plus(moment).isBefore(context.deadline())) {
            return false;
        }
        CountDownLatch cancelled = new CountDownLatch(1);
        context.onCancel(cancelled::countDown);
        try {
            return !cancelled.await(moment.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private MountPoint again(MountPoint point) throws KernelException {
        return new MountPoint(
                kernel.open(point.parent().number(), Kernel.name("."), Kernel.O_PATH, 0), point.name(), point.path());
    }

    /**
     * A mount within the tree that is unmounted. The owner of the tree's files can exchange a directory on the way for a link, so the
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
