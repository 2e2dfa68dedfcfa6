// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath.local;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Notice;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.Command;
import dev.mooring.storage.spi.host.CommandResult;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * Removes all data from a device: passes over the whole of it in slices, each of them complete on the medium before it counts, so that
 * a call that runs out of time or a crash costs one slice. In the end the device is read again.
 */
final class Cleaner {
    static final long SLICE = 1L << 30;
    private static final long EDGE = 2L << 20;
    private static final long SAMPLE = 1L << 20;
    private static final int SAMPLES = 64;
    private static final long ALL_OF = 256L << 20;

    private static final Duration SLICE_LIMIT = Duration.ofMinutes(10);

    /** What came of a slice that has not failed. */
    private enum Slice {
        DONE,
        UNSUPPORTED
    }

    private final OperationContext context;
    private final BlockDevice device;
    private final Function<DiskEntry.Progress, Outcome<Nothing>> record;

    /**
     * A cleaner of one device.
     *
     * @param record makes durable how far it is
     */
    Cleaner(OperationContext context, BlockDevice device, Function<DiskEntry.Progress, Outcome<Nothing>> record) {
        this.context = context;
        this.device = device;
        this.record = record;
    }

    /** Goes on from where an earlier call ended; done only if the device reads as it should. */
    Outcome<Nothing> clean(CleanMethod method, DiskEntry.Progress from) {
        Outcome<Nothing> cleaned =
                method.kind() == CleanMethod.Kind.SIGNATURES ? signatures() : passes(method.passes(), from);
        return cleaned.then(nothing -> context.host().blockDevices().flush(context, device))
                .then(nothing -> forgetPartitions())
                .then(nothing -> isClean(method))
                .then(clean -> clean
                        ? Outcome.done()
                        // recorded as not begun, or the next attempt would only look again
                        : record.apply(DiskEntry.Progress.begun(method.toString()))
                                .then(nothing ->
                                        Outcome.uncertain(device.path() + " still holds data after it was cleaned")));
    }

    private Outcome<Nothing> passes(List<CleanMethod.Pass> passes, DiskEntry.Progress from) {
        DiskEntry.Progress at = from;
        while (at.pass() < passes.size()) {
            if (at.discarded() && at.offset() == 0) {
                // a device that reads as zeros after all of it was discarded needs no writing; samples of any other
                // prove nothing
                Outcome<Boolean> zero =
                        context.host().blockDevices().flush(context, device).then(nothing -> allZero());
                if (!zero.isDone() || zero.result().orElse(false)) {
                    return zero.map(nothing -> Nothing.NOTHING);
                }
            }
            Outcome<DiskEntry.Progress> next = pass(passes.get(at.pass()), at);
            if (!next.isDone()) {
                return next.map(nothing -> Nothing.NOTHING);
            }
            at = next.result().orElseThrow();
        }
        return Outcome.done();
    }

    private Outcome<DiskEntry.Progress> pass(CleanMethod.Pass pass, DiskEntry.Progress from) {
        context.report(Notice.normal(
                "VolumeCleaning",
                "cleaning " + device.path() + ": pass " + (from.pass() + 1) + " begins at "
                        + from.offset() * 100 / Math.max(1, device.sizeBytes()) + " %"));
        for (long offset = from.offset(); offset < device.sizeBytes(); offset += SLICE) {
            if (context.cancelled() || !context.clock().instant().isBefore(context.deadline())) {
                return Outcome.uncertain("cleaning " + device.path() + " goes on later: pass " + (from.pass() + 1)
                        + " has reached " + offset + " of " + device.sizeBytes() + " bytes");
            }
            long length = Math.min(SLICE, device.sizeBytes() - offset);
            Outcome<Slice> slice = slice(pass, offset, length);
            if (!slice.isDone()) {
                return slice.map(nothing -> from);
            }
            if (slice.equals(Outcome.done(Slice.UNSUPPORTED))) {
                return recorded(from.next(false)); // the pass that follows does not depend on it
            }
            Outcome<DiskEntry.Progress> recorded = recorded(from.at(offset + length));
            if (!recorded.isDone()) {
                return recorded;
            }
        }
        return recorded(from.next(pass.isDiscard()));
    }

    private Outcome<DiskEntry.Progress> recorded(DiskEntry.Progress reached) {
        return record.apply(reached).map(nothing -> reached);
    }

    private Outcome<Slice> slice(CleanMethod.Pass pass, long offset, long length) {
        return switch (pass) {
            case ZERO ->
                run("blkdiscard", List.of("-z", "-o", "" + offset, "-l", "" + length, path()))
                        .map(ok -> Slice.DONE);
            case RANDOM -> run("dd", random(offset, length)).map(ok -> Slice.DONE);
            case DISCARD -> discard(List.of("-o", "" + offset, "-l", "" + length, path()));
            case SECURE_DISCARD -> discard(List.of("-s", "-o", "" + offset, "-l", "" + length, path()));
        };
    }

    private List<String> random(long offset, long length) {
        return List.of(
                "if=/dev/urandom",
                "of=" + path(),
                "bs=1M",
                "iflag=fullblock,count_bytes",
                "count=" + length,
                "oflag=seek_bytes,direct",
                "seek=" + offset,
                "conv=notrunc,nocreat,fsync",
                "status=none");
    }

    private String path() {
        return device.path().toString();
    }

    /** A tool that says no, for whatever reason, leaves the device to be written over; one that was ended says nothing. */
    private Outcome<Slice> discard(List<String> arguments) {
        return result("blkdiscard", arguments).then(result -> {
            if (result.ending() != CommandResult.Ending.EXITED) {
                return failed("blkdiscard", result);
            }
            if (!result.succeeded()) {
                context.report(Notice.normal(
                        "DiscardUnsupported",
                        path() + " cannot be discarded and is written over instead: " + result.complaint()));
            }
            return Outcome.done(result.succeeded() ? Slice.DONE : Slice.UNSUPPORTED);
        });
    }

    private Outcome<Nothing> run(String tool, List<String> arguments) {
        return result(tool, arguments).then(result -> result.succeeded() ? Outcome.done() : failed(tool, result));
    }

    private <T> Outcome<T> failed(String tool, CommandResult result) {
        return Outcome.uncertain(tool + " on " + path() + ": " + result.ending() + ": " + result.complaint());
    }

    private Outcome<CommandResult> result(String tool, List<String> arguments) {
        return context.host().processes().run(context, Command.change(path(), SLICE_LIMIT, tool, arguments));
    }

    private Outcome<Nothing> signatures() {
        Outcome<Nothing> wiped = run("wipefs", List.of("-a", path()));
        long end = Math.max(0, device.sizeBytes() - EDGE) / 4096 * 4096;
        Outcome<Nothing> zeroed = wiped.then(nothing -> zero(0, Math.min(EDGE, device.sizeBytes())))
                .then(nothing -> zero(end, device.sizeBytes() - end));
        // what is left of them keeps the device from being formatted again
        for (long at : LocalDevices.superblockCopies(device)) {
            zeroed = zeroed.then(nothing -> zero(at, Math.min(LocalDevices.COPY, device.sizeBytes() - at)));
        }
        return zeroed;
    }

    private Outcome<Nothing> zero(long offset, long length) {
        return run("blkdiscard", List.of("-z", "-o", "" + offset, "-l", "" + length, path()));
    }

    /** The kernel still knows the partitions of a table that is gone. */
    private Outcome<Nothing> forgetPartitions() {
        return LocalDevices.partitions(context, device)
                .then(partitions ->
                        partitions.isEmpty() ? Outcome.done() : run("blockdev", List.of("--rereadpt", path())));
    }

    // ---- looking ----

    private Outcome<Boolean> isClean(CleanMethod method) {
        return method.kind() == CleanMethod.Kind.SIGNATURES ? LocalDevices.looksBlank(context, device) : allZero();
    }

    /** Whether a small device is all zeros, or a large one in its first and last part and in samples of all that is between. */
    private Outcome<Boolean> allZero() {
        long size = device.sizeBytes();
        if (size <= ALL_OF) {
            return context.host().blockDevices().isZero(context, device, 0, (size + 4095) / 4096 * 4096);
        }
        Outcome<Boolean> zero = LocalDevices.looksBlank(context, device);
        for (int i = 1; i <= SAMPLES; i++) {
            long at = size / (SAMPLES + 1) * i / 4096 * 4096;
            zero = zero.then(before -> before ? sample(at) : Outcome.done(false));
        }
        return zero;
    }

    private Outcome<Boolean> sample(long at) {
        return context.host().blockDevices().isZero(context, device, at, SAMPLE);
    }
}
