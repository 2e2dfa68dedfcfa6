// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.file;

import dev.mooring.host.linux.kernel.CopyCalls;
import dev.mooring.host.linux.kernel.Descriptor;
import dev.mooring.host.linux.kernel.DirectoryReader;
import dev.mooring.host.linux.kernel.Errno;
import dev.mooring.host.linux.kernel.FileStatus;
import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.CopiedTree;
import dev.mooring.storage.spi.host.FileKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Copies a directory by descriptors. For one walk.
 *
 * <p>Every name is opened below its parent's descriptor, never through a link and never onto another mount, and what was found is what is
 * copied, whatever the name means by then. The target is written by this walk alone.
 */
final class TreeCopier {
    private static final int MAX_DEPTH = 128;
    private static final long PIECE = 64L << 20;
    private static final int PRIVATE = 0700;
    private static final int PRIVATE_FILE = 0600;
    private static final int CHECK_EVERY = 64;

    private final Kernel kernel;
    private final CopyCalls calls;
    private final OperationContext context;
    private final Deque<Frame> stack = new ArrayDeque<>();
    private long files;
    private long directories;
    private long leftOut;
    private int untilCheck = CHECK_EVERY;

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

    TreeCopier(Kernel kernel, OperationContext context) {
        this.kernel = kernel;
        this.calls = new CopyCalls(kernel);
        this.context = context;
    }

    Outcome<CopiedTree> copy(Descriptor source, Descriptor target) {
        try {
            push(source, target, kernel.status(source));
            while (!stack.isEmpty()) {
                step(stack.element());
            }
            try (Descriptor readable = kernel.openDirectory(target)) {
                calls.flushFileSystem(readable);
            }
            return Outcome.done(new CopiedTree(files, directories, leftOut));
        } catch (Stop stop) {
            return stop.answer;
        } catch (KernelException e) {
            return e.outcomeOfChange();
        } finally {
            stack.forEach(Frame::close);
        }
    }

    /** Holds both anew, for reading. */
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
                    + directories + " directories copied)"));
        }
    }

    private void leave(Frame frame) throws KernelException {
        stack.pop();
        try (frame) {
            if (!stack.isEmpty()) {
                attributes(frame.target, frame.status);
                setTime(frame.source, frame.target);
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
        if (!NewFiles.makeDirectory(kernel, frame.target, name, PRIVATE)
                && !kernel.status(frame.target.number(), name).isDirectory()) {
            replace(frame, name);
            NewFiles.makeDirectory(kernel, frame.target, name, PRIVATE);
        }
        try (Descriptor made = opened(frame, name)) {
            push(held, made, status);
        }
    }

    private Descriptor opened(Frame frame, byte[] name) throws KernelException {
        int flags = Kernel.O_PATH | kernel.noFollowFlag();
        return kernel.open(frame.target.number(), name, flags, 0, Kernel.STRICTLY_BELOW);
    }

    /** Removes what an earlier attempt has left under the name. A directory that is none in the source any more has to be emptied first. */
    private void replace(Frame frame, byte[] name) throws KernelException {
        kernel.unlink(frame.target.number(), name, 0);
    }

    private void file(Frame frame, Descriptor held, FileStatus status, byte[] name) throws KernelException, Stop {
        if (isThere(frame, held, status, name)) {
            files++;
            return;
        }
        // the held file itself, of which the kind is known: a pipe would be waited for
        try (Descriptor from = kernel.open(Kernel.CURRENT_DIRECTORY, Kernel.name(held.link()), Kernel.O_RDONLY, 0);
                Descriptor to = NewFiles.makeFile(kernel, frame.target, name, PRIVATE_FILE)) {
            if (!calls.share(from, to)) {
                parts(from, to);
            }
            attributes(to, status);
            setTime(from, to);
        }
        files++;
    }

    /** Whether an earlier attempt has copied the file; what it has begun only is removed. */
    private boolean isThere(Frame frame, Descriptor held, FileStatus status, byte[] name) throws KernelException {
        try (Descriptor there = opened(frame, name)) {
            FileStatus copied = kernel.status(there);
            if (copied.kind() == FileKind.FILE
                    && copied.size() == status.size()
                    && copied.permissions() == status.permissions()
                    && timeOf(there).to(TimeUnit.MICROSECONDS)
                            == timeOf(held).to(TimeUnit.MICROSECONDS)) { // as fine as it can be set
                return true;
            }
        } catch (KernelException e) {
            if (e.is(Errno.ENOENT)) {
                return false;
            }
            throw e;
        }
        replace(frame, name);
        return false;
    }

    /** What was never written is not written in the copy either. */
    private void parts(Descriptor from, Descriptor to) throws KernelException, Stop {
        OptionalLong data = calls.data(from, 0);
        while (data.isPresent()) {
            long end = calls.hole(from, data.getAsLong()).orElse(data.getAsLong());
            calls.goTo(from, to, data.getAsLong());
            long left = end - data.getAsLong();
            while (left > 0) {
                long count = calls.copy(from, to, Math.min(left, PIECE));
                left = count == 0 ? 0 : left - count; // a file that has become shorter
                checkTime();
            }
            data = end > data.getAsLong() ? calls.data(from, end) : OptionalLong.empty();
        }
        calls.setLength(to, kernel.status(from).size());
    }

    private void link(Frame frame, Descriptor held, FileStatus status, byte[] name) throws KernelException {
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

    private static FileTime timeOf(Descriptor file) throws KernelException {
        try {
            return Files.getLastModifiedTime(Path.of(file.link()));
        } catch (IOException e) {
            throw new KernelException(Errno.EIO, "stat " + e.getMessage());
        }
    }

    /** Last, since by it a later attempt knows that the file is whole. */
    private static void setTime(Descriptor from, Descriptor to) throws KernelException {
        try {
            Files.setLastModifiedTime(Path.of(to.link()), timeOf(from));
        } catch (IOException e) {
            throw new KernelException(Errno.EIO, "utimensat " + e.getMessage());
        }
    }
}
