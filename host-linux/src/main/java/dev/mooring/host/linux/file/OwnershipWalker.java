// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.file;

import dev.mooring.host.linux.kernel.Descriptor;
import dev.mooring.host.linux.kernel.DirectoryReader;
import dev.mooring.host.linux.kernel.Errno;
import dev.mooring.host.linux.kernel.FileStatus;
import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.storage.spi.Notice;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.OwnedTree;
import dev.mooring.storage.spi.host.OwnershipRule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Gives a tree to a group by descriptors, children first (semantics/attach-and-mount §3.11). For one walk.
 *
 * <p>Each name is held once, never through a link, and what was looked at is what is changed, whatever has the name at that time. A walk whose
 * time is over is gone on with by the next attempt of the same call ({@link CutOffWalks}).
 */
final class OwnershipWalker {
    static final int MAX_DEPTH = 1000;

    /** A process has 1,024 descriptors, and several walks at once. The root's own counts beside these. */
    private static final int MOST_OPEN = 32;

    private static final int REOPENED_AT_ONCE = MOST_OPEN / 2;

    private static final byte[] NO_NAME = {};
    private static final int CHECK_EVERY = 64;
    private static final Duration FIRST_NEWS = Duration.ofSeconds(30);
    private static final Duration FURTHER_NEWS = Duration.ofSeconds(60);

    private final Kernel kernel;
    private final OperationContext context;
    private final OwnershipRule rule;
    private final CutOffWalks cutOff;
    private final Deque<Frame> stack = new ArrayDeque<>();
    /** Those of the stack below the root that have a descriptor now: the innermost, the outermost of them first. */
    private final Deque<Frame> open = new ArrayDeque<>();
    /** Names still to be found again, each in the directory of the one before. */
    private final Deque<byte[]> wayBack = new ArrayDeque<>();

    private String call = "";
    private Instant nextNews;
    private long changed;
    private long unchanged;
    private long mounts;
    private long stuckCount;
    private String firstStuck = "";
    private int untilCheck = CHECK_EVERY;

    /** A directory whose children are being given away. */
    private static final class Frame {
        final FileStatus status;
        final byte[] name;
        final Deque<byte[]> pending = new ArrayDeque<>();
        /** Whether everything before the next name of the way back is skipped. */
        boolean skips;
        /** The last name that was read before the descriptor was closed; empty if it was not closed since. */
        byte[] readUntil = NO_NAME;

        private @Nullable Descriptor directory;
        private @Nullable DirectoryReader reader;

        Frame(Kernel kernel, Descriptor directory, FileStatus status, byte[] name) {
            this.status = status;
            this.name = name;
            open(kernel, directory);
        }

        void open(Kernel kernel, Descriptor opened) {
            directory = opened;
            reader = new DirectoryReader(kernel, opened);
        }

        Descriptor directory() {
            return Objects.requireNonNull(directory, "closed");
        }

        DirectoryReader reader() {
            return Objects.requireNonNull(reader, "closed");
        }

        boolean isSeeking() {
            return skips || readUntil.length > 0;
        }

        boolean isOpen() {
            return directory != null;
        }

        /**
         * Gives the descriptor back while a child is walked.
         *
         * @param child its name
         */
        void close(byte[] child) {
            readUntil = pending.isEmpty() ? child : pending.getLast();
            close();
        }

        void close() {
            if (directory != null) {
                directory.close();
            }
            directory = null;
            reader = null;
        }
    }

    /** Ends the walk with an answer. */
    private static final class Stop extends Exception {
        private static final long serialVersionUID = 1L;
        private final transient Outcome<OwnedTree> answer;

        Stop(Outcome<OwnedTree> answer) {
            super("", null, false, false);
            this.answer = answer;
        }
    }

    OwnershipWalker(Kernel kernel, OperationContext context, OwnershipRule rule, CutOffWalks cutOff) {
        this.kernel = kernel;
        this.context = context;
        this.rule = rule;
        this.cutOff = cutOff;
        this.nextNews = context.clock().instant().plus(FIRST_NEWS);
    }

    Outcome<OwnedTree> own(Descriptor root) {
        try {
            FileStatus status = kernel.status(root);
            call = context.idempotencyKey() + " " + status.inode() + " " + rule;
            if (!status.isDirectory()) {
                requireAwaited();
                apply(root, status);
                return verdict();
            }
            if (rule.onlyIfRootDiffers() && rule.fits(LinuxPinnedPath.facts(kernel, root))) {
                unchanged++;
                return verdict();
            }
            goOnFrom(cutOff.take(call, context.clock().instant()));
            checkTime();
            push(kernel.openDirectory(root), status, new byte[] {'.', 0});
            while (!stack.isEmpty()) {
                step(stack.element());
            }
            return verdict();
        } catch (Stop stop) {
            return stop.answer;
        } catch (KernelException e) {
            return changed > 0 ? Outcome.uncertain(e.getMessage() + progress()) : e.outcome();
        } finally {
            stack.forEach(Frame::close);
        }
    }

    private void goOnFrom(CutOffWalks.Cursor cursor) {
        wayBack.addAll(cursor.way());
        changed = cursor.changed();
        unchanged = cursor.unchanged();
        mounts = cursor.mounts();
        stuckCount = cursor.stuckCount();
        firstStuck = cursor.firstStuck();
    }

    /** On the way down to what comes next; where that is not known, the walk begins again. */
    private CutOffWalks.Cursor cursor() {
        List<byte[]> way = new ArrayList<>();
        stack.descendingIterator().forEachRemaining(frame -> way.add(frame.name));
        if (!way.isEmpty()) {
            way.remove(0);
        }
        if (stack.isEmpty() || stack.element().skips) {
            way.addAll(wayBack);
        } else if (!stack.element().pending.isEmpty()) {
            way.add(stack.element().pending.element());
        } else if (stack.element().readUntil.length > 0) {
            way.add(stack.element().readUntil);
        }
        return new CutOffWalks.Cursor(way, changed, unchanged, mounts, stuckCount, firstStuck);
    }

    private void push(Descriptor directory, FileStatus status, byte[] name) {
        Frame frame = new Frame(kernel, directory, status, name);
        frame.skips = !wayBack.isEmpty();
        if (!stack.isEmpty()) {
            open.add(frame);
        }
        stack.push(frame);
        if (open.size() > MOST_OPEN) {
            open.remove().close(open.element().name);
        }
    }

    /** Goes down again from the root to the innermost directory, which was closed, and keeps the last of the way open. */
    private void reopen() throws KernelException, Stop {
        List<Frame> way = new ArrayList<>();
        stack.descendingIterator().forEachRemaining(way::add);
        Descriptor current = way.get(0).directory();
        Descriptor passing = null;
        try {
            for (int i = 1; i < way.size(); i++) {
                Frame frame = way.get(i);
                Descriptor next = again(current, frame);
                if (passing != null) {
                    passing.close();
                }
                boolean stays = i >= way.size() - REOPENED_AT_ONCE;
                if (stays) {
                    frame.open(kernel, next);
                    open.add(frame);
                }
                passing = stays ? null : next;
                current = next;
            }
        } finally {
            if (passing != null) {
                passing.close();
            }
        }
    }

    private Descriptor again(Descriptor parent, Frame frame) throws KernelException, Stop {
        int flags = Kernel.O_PATH | kernel.noFollowFlag();
        try (Descriptor held = kernel.open(parent.number(), frame.name, flags, 0, Kernel.STRICTLY_BELOW)) {
            if (kernel.status(held).sameFileAs(frame.status)) {
                return kernel.openDirectory(held);
            }
        } catch (KernelException e) {
            if (!e.is(Errno.ENOENT) && !e.is(Errno.EXDEV) && !e.is(Errno.ENOTDIR)) {
                throw e;
            }
        }
        throw new Stop(Outcome.uncertain("directories were moved during the change of ownership" + progress()));
    }

    private Outcome<OwnedTree> verdict() {
        return stuckCount == 0 ? Outcome.done(new OwnedTree(changed, unchanged, mounts)) : denied();
    }

    private Outcome<OwnedTree> denied() {
        String more = stuckCount == 1 ? "" : " and " + (stuckCount - 1) + " more";
        return Outcome.refused(
                Refusal.DENIED,
                "could not give " + firstStuck + more + " to group " + Integer.toUnsignedString(rule.group())
                        + progress());
    }

    private String progress() {
        return " (" + changed + " changed, " + unchanged + " right already)";
    }

    private void step(Frame frame) throws KernelException, Stop {
        if (!frame.pending.isEmpty()) {
            countDown();
            visit(frame, frame.pending.remove());
            return;
        }
        if (frame.isSeeking()) {
            countDown();
        }
        frame.pending.addAll(frame.reader().next());
        if (frame.readUntil.length > 0) {
            skipRead(frame);
        } else if (frame.skips) {
            skip(frame);
        } else if (frame.pending.isEmpty()) {
            leave(frame);
        }
    }

    private void countDown() throws Stop {
        if (--untilCheck <= 0) {
            checkTime();
        }
    }

    /** Before each change: a server may have kept the walk so long that the volume is another's now. */
    private void requireAwaited() throws Stop {
        if (context.cancelled()) {
            checkTime();
        }
    }

    /** After the directory was opened again: drops what was read before. */
    private void skipRead(Frame frame) throws KernelException {
        if (isFound(frame, frame.readUntil)) {
            frame.pending.poll();
            frame.readUntil = NO_NAME;
        }
    }

    /** Drops what an earlier walk has done. */
    private void skip(Frame frame) throws KernelException {
        if (isFound(frame, wayBack.element())) {
            frame.skips = false;
            if (frame.pending.isEmpty()) {
                wayBack.clear();
            } else {
                wayBack.remove();
            }
        }
    }

    /**
     * Drops the names before one that is looked for.
     *
     * @return whether it is the next; also true, without a next name, if it was removed meanwhile: then all of the directory is looked at
     *     again
     */
    private static boolean isFound(Frame frame, byte[] wanted) throws KernelException {
        if (frame.pending.isEmpty()) {
            frame.reader().rewind();
            return true;
        }
        while (!frame.pending.isEmpty() && !Arrays.equals(frame.pending.element(), wanted)) {
            frame.pending.remove();
        }
        return !frame.pending.isEmpty();
    }

    private void checkTime() throws Stop {
        untilCheck = CHECK_EVERY;
        Instant now = context.clock().instant();
        if (context.cancelled() || !now.isBefore(context.deadline())) {
            cutOff.keep(call, cursor(), now);
            throw new Stop(
                    Outcome.uncertain("the change of ownership was interrupted; it continues later" + progress()));
        }
        if (!now.isBefore(nextNews)) {
            nextNews = now.plus(FURTHER_NEWS);
            context.report(Notice.normal(
                    "VolumePermissionChangeInProgress",
                    "the volume is being given to group " + Integer.toUnsignedString(rule.group()) + progress()));
        }
    }

    private void visit(Frame frame, byte[] name) throws KernelException, Stop {
        int flags = Kernel.O_PATH | kernel.noFollowFlag();
        try (Descriptor held = kernel.open(frame.directory().number(), name, flags, 0, Kernel.STRICTLY_BELOW)) {
            FileStatus status = kernel.status(held);
            if (status.isDirectory()) {
                enter(held, status, name);
            } else {
                wayBack.clear(); // what was a directory is not one now
                applyTo(frame, held, status, name);
            }
        } catch (KernelException e) {
            wayBack.clear();
            switch (e.errno()) {
                // removed meanwhile
                case Errno.ENOENT -> {}
                case Errno.EXDEV -> mounts++;
                case Errno.EACCES, Errno.EPERM -> stuck(name);
                default -> throw e;
            }
        }
    }

    private void applyTo(Frame frame, Descriptor held, FileStatus status, byte[] name) throws KernelException, Stop {
        frame.pending.addFirst(name); // where a walk that is cut off goes on
        requireAwaited();
        frame.pending.remove();
        applyOrCount(held, status, name);
    }

    private void enter(Descriptor held, FileStatus status, byte[] name) throws KernelException, Stop {
        if (stack.size() >= MAX_DEPTH) {
            throw new Stop(Outcome.refused(
                    Refusal.EXHAUSTED, "the tree is more than " + MAX_DEPTH + " directories deep" + progress()));
        }
        push(kernel.openDirectory(held), status, name);
    }

    private void leave(Frame frame) throws KernelException, Stop {
        FileStatus status = kernel.status(frame.directory());
        requireAwaited();
        stack.pop();
        open.pollLast();
        try (Descriptor directory = frame.directory()) {
            // a root that looks right says that everything below is
            if (!stack.isEmpty() || stuckCount == 0) {
                applyOrCount(directory, status, frame.name);
            }
        }
        if (!stack.isEmpty() && !stack.element().isOpen()) {
            reopen();
        }
    }

    private void applyOrCount(Descriptor held, FileStatus status, byte[] name) throws KernelException {
        try {
            apply(held, status);
        } catch (KernelException e) {
            switch (e.errno()) {
                case Errno.EACCES, Errno.EPERM, Errno.EROFS -> stuck(name);
                default -> throw e;
            }
        }
    }

    private void apply(Descriptor held, FileStatus status) throws KernelException {
        boolean link = status.kind() == FileKind.LINK;
        int wanted = status.permissions() | (status.isDirectory() ? rule.directoryBits() : rule.fileBits());
        boolean sameGroup = status.group() == rule.group();
        boolean sameMode = link || wanted == status.permissions();
        if (sameGroup && sameMode) {
            unchanged++;
            return;
        }
        if (!sameGroup) {
            kernel.changeOwner(held, -1, rule.group());
        }
        // again after a new group even if the bits were right: the kernel takes set-id bits away with the change
        if (!link && (!sameMode || !sameGroup)) {
            kernel.changeMode(held, wanted);
        }
        changed++;
    }

    private void stuck(byte[] name) {
        stuckCount++;
        if (firstStuck.isEmpty()) {
            StringBuilder path = new StringBuilder();
            stack.descendingIterator().forEachRemaining(frame -> {
                if (frame != stack.getLast()) {
                    path.append(Kernel.printable(frame.name)).append('/');
                }
            });
            firstStuck = path.append(Kernel.printable(name)).toString();
        }
    }
}
