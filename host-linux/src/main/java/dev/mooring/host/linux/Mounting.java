// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import dev.mooring.host.linux.kernel.BoundedCalls;
import dev.mooring.host.linux.kernel.Descriptor;
import dev.mooring.host.linux.kernel.Errno;
import dev.mooring.host.linux.kernel.Guarded;
import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountRequest;
import dev.mooring.storage.spi.host.MountTable;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Mounts a file system by {@code mount(2)}: for a new mount it applies all flags at once, so that a read-only mount is read-only from its
 * first instant on every kernel, and by the descriptor of the mount point, so that no path can be exchanged. A crash leaves either nothing
 * or the finished mount, which the next call recognises.
 */
final class Mounting {
    private final Kernel kernel;
    private final Supplier<Outcome<MountTable>> table;
    private final Supplier<Optional<KnownMounts>> known;
    private final BoundedCalls calls;

    Mounting(
            Kernel kernel,
            Supplier<Outcome<MountTable>> table,
            Supplier<Optional<KnownMounts>> known,
            BoundedCalls calls) {
        this.kernel = kernel;
        this.table = table;
        this.known = known;
        this.calls = calls;
    }

    Outcome<MountEntry> mount(OperationContext context, Path target, MountRequest request) {
        Outcome<MountCallOptions> options = MountCallOptions.of(request.options(), request.readOnly());
        return options.then(bits -> Guarded.change(() -> {
            try (MountPoint point = MountPoint.of(kernel, target)) {
                if (known.get().filter(mounts -> mounts.isFree(point)).isPresent()) {
                    return make(context, point, request, bits);
                }
                return table.get()
                        .then(now -> now.top(point.path())
                                .map(there -> recognise(there, request, bits))
                                .orElseGet(() -> Guarded.change(() -> make(context, point, request, bits))));
            }
        }));
    }

    /** Something is mounted there already: ours, from an earlier attempt, or not. */
    private Outcome<MountEntry> recognise(MountEntry there, MountRequest request, MountCallOptions options) {
        if (!there.fsType().equals(request.type()) || !sameSource(there, request.source())) {
            return Outcome.refused(Refusal.IN_USE, "a foreign mount is in the place: " + there);
        }
        return there.readOnly() == options.readOnly()
                ? Outcome.done(there)
                : Outcome.refused(
                        Refusal.INCOMPATIBLE, "mounted already, but " + (there.readOnly() ? "" : "not ") + "read-only");
    }

    /** A device has many names: its numbers count, except where the file system has numbers of its own. */
    private boolean sameSource(MountEntry there, String source) {
        if (there.source().equals(source)) {
            return true;
        }
        return source.startsWith("/dev/")
                && numberOf(source)
                        .map(number -> there.device().startsWith("0:")
                                ? numberOf(there.source()).equals(Optional.of(number))
                                : there.device().equals(number))
                        .orElse(false);
    }

    private Optional<String> numberOf(String device) {
        try (Descriptor found = kernel.open(Kernel.CURRENT_DIRECTORY, Kernel.name(device), Kernel.O_PATH, 0)) {
            return Optional.of(kernel.status(found).special());
        } catch (KernelException notThere) {
            return Optional.empty();
        }
    }

    private Outcome<MountEntry> make(
            OperationContext context, MountPoint point, MountRequest request, MountCallOptions options)
            throws KernelException {
        boolean made = point.make(kernel, true);
        Descriptor place = point.open(kernel);
        if (!kernel.status(place).isDirectory()) {
            place.close();
            return Outcome.refused(Refusal.INCOMPATIBLE, point.path() + " is no directory");
        }
        String what = "the mount of " + request.source();
        Outcome<Boolean> mounted =
                calls.call(context, point.path().toString(), what, place::close, () -> mount(place, request, options));
        if (!mounted.isDone() && made) {
            // fails if the kernel did mount something there after all
            point.remove(kernel, true);
        }
        return mounted.then(nothing -> seen(point))
                .then(top -> top.map(there -> made(there, recognise(there, request, options)))
                        .orElseGet(() ->
                                Outcome.uncertain("the new mount at " + point.path() + " has disappeared again")));
    }

    /** What is on top at the place, where a file system of this machine has just been mounted. */
    private Outcome<Optional<MountEntry>> seen(MountPoint point) {
        Optional<MountEntry> single = known.get().flatMap(mounts -> mounts.top(point));
        return single.isPresent() ? Outcome.done(single) : table.get().map(now -> now.top(point.path()));
    }

    /** A file system may decide by itself to be read-only: then the wrong thing is mounted, and who calls that refused leaves it there. */
    private static Outcome<MountEntry> made(MountEntry there, Outcome<MountEntry> recognised) {
        return recognised.isDone()
                ? recognised
                : Outcome.uncertain("mounted, but not as asked for: " + there + ": " + recognised.message());
    }

    private Outcome<Boolean> mount(Descriptor place, MountRequest request, MountCallOptions options) {
        try {
            kernel.mount(
                    Kernel.name(request.source()),
                    Kernel.name(place.link()),
                    Kernel.name(request.type()),
                    options.flags(),
                    Kernel.name(options.data()));
            return Outcome.done(true);
        } catch (KernelException e) {
            // the kernel attaches a mount as its last step: a mount that failed is not there
            return switch (e.errno()) {
                case Errno.ENODEV ->
                    Outcome.refused(Refusal.UNSUPPORTED, "this kernel has no file system " + request.type());
                case Errno.ENOTBLK -> Outcome.refused(Refusal.INCOMPATIBLE, e.getMessage());
                case Errno.EUCLEAN -> Outcome.refused(Refusal.CORRUPT, e.getMessage());
                default -> e.outcome();
            };
        }
    }
}
