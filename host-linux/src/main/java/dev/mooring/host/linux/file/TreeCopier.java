// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.file;

import dev.mooring.host.linux.kernel.CopyCalls;
import dev.mooring.host.linux.kernel.Descriptor;
import dev.mooring.host.linux.kernel.DirectoryReader;
import dev.mooring.host.linux.kernel.Errno;
import dev.mooring.host.linux.kernel.FileStatus;
import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.CopiedTree;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.MountTable;
import java.nio.file.attribute.FileTime;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Copies a directory by descriptors. For one walk.
 *
 * <p>Every name is opened below its parent's descriptor, never through a link and never onto another mount, and what was found is what is
 * copied, whatever the name means at that time. The target is written by this walk alone.
 *
 * <p>A walk that is stopped is repeated. What is whole has size, mode and time of its original. A file that was begun has a mode that
 * no whole one has, and the time that its original had then: as long as the original has that time, the file goes on where it ends.
 */
final class TreeCopier {
    private static final int MAX_DEPTH = 128;
    private static final long PIECE = 64L << 20;
    private static final int PRIVATE = 0700;
    private static final int PRIVATE_FILE = 0600;
    /** The sticky bit means nothing for files. */
    private static final int BEGUN_FILE = 01600;

    private static final int CHECK_EVERY = 64;

    private final Kernel kernel;
    private final CopyCalls calls;
    private final OperationContext context;
    private final UnsettledCopies unsettled;
    private final CopyLeftovers leftovers;
    private final Deque<Frame> stack = new ArrayDeque<>();
    private long files;
    private long directories;
    private long leftOut;
    private int untilCheck = CHECK_EVERY;
    private boolean hasAdvanced;
    private Optional<String> begunAnew = Optional.empty();

    /** What an earlier attempt has left of a file. */
    private enum Earlier {
        NOTHING,
        BEGUN,
        WHOLE
    }

    /** A directory that is being copied. */
    private static final class Frame implements AutoCloseable {
        final Descriptor source;
        final Descriptor target;
        final FileStatus status;
        final DirectoryReader reader;
        final Deque<byte[]> pending = new ArrayDeque<>();

        Frame(Kernel kernel, Descriptor source, Descriptor target, FileStatus status) {
            this.source = source;
            this.target = target;
            this.status = status;
            this.reader = new DirectoryReader(kernel, source);
        }

        @Override
        public void close() {
            source.close();
            target.close();
        }
    }

    /** Ends the walk with an answer. */
    private static final class Stop extends Exception {
        private static final long serialVersionUID = 1L;
        private final transient Outcome<CopiedTree> answer;

        Stop(Outcome<CopiedTree> answer) {
            super("", null, false, false);
            this.answer = answer;
        }
    }

    TreeCopier(Kernel kernel, OperationContext context, MountTable table) {
        this.kernel = kernel;
        this.calls = new CopyCalls(kernel);
        this.context = context;
        this.unsettled = new UnsettledCopies(kernel);
        this.leftovers = new CopyLeftovers(kernel, context, table);
    }

    Outcome<CopiedTree> copy(Descriptor source, Descriptor target) {
        try (unsettled) {
            Outcome<CopiedTree> answer = walk(source, target);
            try (Descriptor readable = kernel.openDirectory(target)) {
                unsettled.settle(readable);
                if (answer.isDone()) {
                    calls.flushFileSystem(readable);
                }
            }
            return answer;
        } catch (KernelException e) {
            return e.outcomeOfChange();
        } finally {
            stack.forEach(Frame::close);
        }
    }

    private Outcome<CopiedTree> walk(Descriptor source, Descriptor target) throws KernelException {
        try {
            push(source, target, kernel.status(source));
            removeLeftovers(stack.element());
            while (!stack.isEmpty()) {
                step(stack.element());
            }
            return Outcome.done(new CopiedTree(files, directories, leftOut));
        } catch (Stop stop) {
            return stop.answer;
        }
    }

    private void removeLeftovers(Frame frame) throws KernelException, Stop {
        goOnIf(leftovers.remove(frame.source, frame.target));
    }

    private void replace(Frame frame, byte[] name) throws KernelException, Stop {
        goOnIf(leftovers.remove(frame.target, name));
    }

    private static void goOnIf(Outcome<Nothing> removed) throws Stop {
        if (!removed.isDone()) {
            throw new Stop(removed.then(gone -> Outcome.uncertain("removed")));
        }
    }

    /** Holds both again, for reading. */
    private void push(Descriptor source, Descriptor target, FileStatus status) throws KernelException {
        Descriptor read = kernel.openDirectory(source);
        try {
            stack.push(new Frame(kernel, read, kernel.openDirectory(target), status));
        } catch (KernelException e) {
            read.close();
            throw e;
        }
    }

    private void step(Frame frame) throws KernelException, Stop {
        if (frame.pending.isEmpty()) {
            frame.pending.addAll(frame.reader.next());
            if (frame.pending.isEmpty()) {
                leave(frame);
            }
            return;
        }
        if (--untilCheck <= 0) {
            checkTime();
        }
        visit(frame, frame.pending.remove());
    }

    private void checkTime() throws Stop {
        untilCheck = CHECK_EVERY;
        if (context.cancelled() || !context.clock().instant().isBefore(context.deadline())) {
            throw new Stop(Outcome.uncertain("the copying was interrupted; it continues later (" + files + " files and "
                    + directories + " directories copied"
                    + begunAnew
                            .map(name -> "; " + name + " was changed meanwhile and is copied again")
                            .orElse("")
                    + ")"));
        }
    }

    private void leave(Frame frame) throws KernelException {
        stack.pop();
        try (frame) {
            if (!stack.isEmpty()) {
                attributes(frame.target, frame.status);
                UnsettledCopies.setTime(frame.target, UnsettledCopies.timeOf(frame.source));
                directories++;
            }
        }
    }

    private void attributes(Descriptor target, FileStatus status) throws KernelException {
        kernel.changeOwner(target, status.owner(), status.group());
        // afterwards: the kernel takes set-id bits away with a new owner
        kernel.changeMode(target, status.permissions());
    }

    private void visit(Frame frame, byte[] name) throws KernelException, Stop {
        int flags = Kernel.O_PATH | kernel.noFollowFlag();
        try (Descriptor held = kernel.open(frame.source.number(), name, flags, 0, Kernel.STRICTLY_BELOW)) {
            FileStatus status = kernel.status(held);
            switch (status.kind()) {
                case DIRECTORY -> enter(frame, held, status, name);
                case FILE -> file(frame, held, status, name);
                case LINK -> link(frame, held, status, name);
                default -> leftOut++;
            }
        } catch (KernelException e) {
            switch (e.errno()) {
                // removed meanwhile
                case Errno.ENOENT -> {}
                case Errno.EXDEV ->
                    throw new Stop(Outcome.refused(
                            Refusal.IN_USE, "something is mounted inside, at " + Kernel.printable(name)));
                default -> throw e;
            }
        }
    }

    private void enter(Frame frame, Descriptor held, FileStatus status, byte[] name) throws KernelException, Stop {
        if (stack.size() >= MAX_DEPTH) {
            throw new Stop(
                    Outcome.refused(Refusal.EXHAUSTED, "the tree is more than " + MAX_DEPTH + " directories deep"));
        }
        boolean isNew = NewFiles.makeDirectory(kernel, frame.target, name, PRIVATE);
        if (!isNew && !kernel.status(frame.target.number(), name).isDirectory()) {
            replace(frame, name);
            isNew = NewFiles.makeDirectory(kernel, frame.target, name, PRIVATE);
        }
        try (Descriptor made = opened(frame, name)) {
            push(held, made, status);
        }
        if (!isNew) {
            removeLeftovers(stack.element());
        }
    }

    private Descriptor opened(Frame frame, byte[] name) throws KernelException {
        int flags = Kernel.O_PATH | kernel.noFollowFlag();
        return kernel.open(frame.target.number(), name, flags, 0, Kernel.STRICTLY_BELOW);
    }

    private void file(Frame frame, Descriptor held, FileStatus status, byte[] name) throws KernelException, Stop {
        Earlier earlier = earlier(frame, held, status, name);
        if (earlier != Earlier.WHOLE) {
            boolean begun = earlier == Earlier.BEGUN;
            // the held file itself, of which the kind is known: a pipe would be waited for
            try (Descriptor from = kernel.open(Kernel.CURRENT_DIRECTORY, Kernel.name(held.link()), Kernel.O_RDONLY, 0);
                    Descriptor to = begun
                            ? openBegun(frame, name)
                            : NewFiles.makeFile(kernel, frame.target, name, PRIVATE_FILE)) {
                fill(from, to, status, begun);
            }
        }
        files++;
    }

    private Descriptor openBegun(Frame frame, byte[] name) throws KernelException {
        int flags = Kernel.O_WRONLY | kernel.noFollowFlag();
        return kernel.open(frame.target.number(), name, flags, 0, Kernel.STRICTLY_BELOW);
    }

    private void fill(Descriptor from, Descriptor to, FileStatus status, boolean begun) throws KernelException, Stop {
        if (!begun && calls.share(from, to)) {
            attributes(to, status);
            UnsettledCopies.setTime(to, UnsettledCopies.timeOf(from));
            return;
        }
        // of the original when the first part was copied
        FileTime time = UnsettledCopies.timeOf(begun ? to : from);
        long unflushed;
        try {
            unflushed = parts(from, to, begun ? kernel.status(to).size() : 0);
        } catch (Stop stop) {
            kernel.flush(to);
            kernel.changeMode(to, BEGUN_FILE);
            UnsettledCopies.setTime(to, time);
            throw stop;
        }
        attributes(to, status);
        unsettled.add(stack.getLast().target, to, UnsettledCopies.timeOf(from), unflushed);
    }

    /** What is there and cannot go on is removed. */
    private Earlier earlier(Frame frame, Descriptor held, FileStatus status, byte[] name) throws KernelException, Stop {
        try (Descriptor there = opened(frame, name)) {
            FileStatus copied = kernel.status(there);
            boolean begun = copied.permissions() == BEGUN_FILE && copied.size() < status.size();
            boolean whole = copied.permissions() == status.permissions() && copied.size() == status.size();
            if (copied.kind() == FileKind.FILE && (begun || whole)) {
                if (sameTime(there, held)) {
                    return whole ? Earlier.WHOLE : Earlier.BEGUN;
                }
                begunAnew = begun ? Optional.of(Kernel.printable(name)) : begunAnew;
            }
        } catch (KernelException e) {
            if (e.is(Errno.ENOENT)) {
                return Earlier.NOTHING;
            }
            throw e;
        }
        replace(frame, name);
        return Earlier.NOTHING;
    }

    /** As fine as a time can be set. */
    private static boolean sameTime(Descriptor one, Descriptor other) throws KernelException {
        return UnsettledCopies.timeOf(one).to(TimeUnit.MICROSECONDS)
                == UnsettledCopies.timeOf(other).to(TimeUnit.MICROSECONDS);
    }

    /**
     * Copies from an offset on. What was never written is not written in the copy either. Each walk copies one part at least, however little
     * time it has: a file of which an attempt copies nothing would never be whole.
     *
     * @return how many bytes may not be on the disk
     */
    private long parts(Descriptor from, Descriptor to, long start) throws KernelException, Stop {
        long unflushed = 0;
        OptionalLong data = calls.data(from, start);
        while (data.isPresent()) {
            long end = calls.hole(from, data.getAsLong()).orElse(data.getAsLong());
            calls.goTo(from, to, data.getAsLong());
            long left = end - data.getAsLong();
            while (left > 0) {
                if (hasAdvanced) {
                    checkTime();
                }
                long count = calls.copy(from, to, Math.min(left, PIECE));
                hasAdvanced = true;
                left = count == 0 ? 0 : left - count; // a file that has become shorter
                unflushed += count;
                if (unflushed >= PIECE) {
                    kernel.flush(to);
                    unflushed = 0;
                }
            }
            data = end > data.getAsLong() ? calls.data(from, end) : OptionalLong.empty();
        }
        calls.setLength(to, kernel.status(from).size());
        return unflushed;
    }

    private void link(Frame frame, Descriptor held, FileStatus status, byte[] name) throws KernelException, Stop {
        byte[] target = calls.target(held);
        try {
            calls.makeLink(target, frame.target, name);
        } catch (KernelException e) {
            if (!e.is(Errno.EEXIST)) {
                throw e;
            }
            replace(frame, name);
            calls.makeLink(target, frame.target, name);
        }
        try (Descriptor made = opened(frame, name)) {
            kernel.changeOwner(made, status.owner(), status.group());
        }
        files++;
    }
}
