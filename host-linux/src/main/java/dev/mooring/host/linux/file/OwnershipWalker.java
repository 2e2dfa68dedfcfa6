// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.file;

import dev.mooring.host.linux.kernel.Descriptor;
import dev.mooring.host.linux.kernel.DirectoryReader;
import dev.mooring.host.linux.kernel.Errno;
import dev.mooring.host.linux.kernel.FileStatus;
import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.OwnedTree;
import dev.mooring.storage.spi.host.OwnershipRule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Gives a tree to a group by descriptors, children first (semantics/attach-and-mount §3.11). For one walk.
 *
 * <p>Each name is held once, never through a link, and what was looked at is what is changed, whatever has the name by then.
 */
final class OwnershipWalker {
    /** One descriptor for each level. */
    static final int MAX_DEPTH = 1000;

    private static final int CHECK_EVERY = 64;
    private static final Duration FIRST_NEWS = Duration.ofSeconds(30);
    private static final Duration FURTHER_NEWS = Duration.ofSeconds(60);

    private final Kernel kernel;
    private final OperationContext context;
    private final OwnershipRule rule;
    private final Deque<Frame> stack = new ArrayDeque<>();
    private Instant nextNews;
    private long changed;
    private long unchanged;
    private long mounts;
    private long stuckCount;
    private String firstStuck = "";
    private int untilCheck = CHECK_EVERY;

    /** A directory whose children are being given away. */
    private static final class Frame {
        final Descriptor directory;
        final byte[] name;
        final DirectoryReader reader;
        final Deque<byte[]> pending = new ArrayDeque<>();

        Frame(Kernel kernel, Descriptor directory, byte[] name) {
            this.directory = directory;
            this.name = name;
            this.reader = new DirectoryReader(kernel, directory);
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

    OwnershipWalker(Kernel kernel, OperationContext context, OwnershipRule rule) {
        this.kernel = kernel;
        this.context = context;
        this.rule = rule;
        this.nextNews = context.clock().instant().plus(FIRST_NEWS);
    }

    Outcome<OwnedTree> own(Descriptor root) {
        try {
            FileStatus status = kernel.status(root);
            if (!status.isDirectory()) {
                apply(root, status);
                return verdict();
            }
            if (rule.onlyIfRootDiffers() && rule.fits(LinuxPinnedPath.facts(kernel, root))) {
                unchanged++;
                return verdict();
            }
            checkTime();
            stack.push(new Frame(kernel, kernel.openDirectory(root), new byte[] {'.', 0}));
            while (!stack.isEmpty()) {
                step(stack.element());
            }
            return verdict();
        } catch (Stop stop) {
            return stop.answer;
        } catch (KernelException e) {
            return changed > 0 ? Outcome.uncertain(e.getMessage() + progress()) : e.outcome();
        } finally {
            stack.forEach(frame -> frame.directory.close());
        }
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
        Instant now = context.clock().instant();
        if (context.cancelled() || !now.isBefore(context.deadline())) {
            throw new Stop(
                    Outcome.uncertain("the change of ownership was interrupted and will be gone on with" + progress()));
        }
        if (!now.isBefore(nextNews)) {
            nextNews = now.plus(FURTHER_NEWS);
            context.progress("VolumePermissionChangeInProgress: the volume is being given to group "
                    + Integer.toUnsignedString(rule.group()) + progress());
        }
    }

    private void visit(Frame frame, byte[] name) throws KernelException, Stop {
        int flags = Kernel.O_PATH | kernel.noFollowFlag();
        try (Descriptor held = kernel.open(frame.directory.number(), name, flags, 0, Kernel.STRICTLY_BELOW)) {
            FileStatus status = kernel.status(held);
            if (status.isDirectory()) {
                enter(held, name);
            } else {
                applyOrCount(held, status, name);
            }
        } catch (KernelException e) {
            switch (e.errno()) {
                // removed meanwhile
                case Errno.ENOENT -> {}
                case Errno.EXDEV -> mounts++;
                case Errno.EACCES, Errno.EPERM -> stuck(name);
                default -> throw e;
            }
        }
    }

    private void enter(Descriptor held, byte[] name) throws KernelException, Stop {
        if (stack.size() >= MAX_DEPTH) {
            throw new Stop(Outcome.refused(
                    Refusal.EXHAUSTED, "the tree is more than " + MAX_DEPTH + " directories deep" + progress()));
        }
        stack.push(new Frame(kernel, kernel.openDirectory(held), name));
    }

    private void leave(Frame frame) throws KernelException {
        stack.pop();
        try (Descriptor directory = frame.directory) {
            // a root that looks right says that everything below is
            if (!stack.isEmpty() || stuckCount == 0) {
                applyOrCount(directory, kernel.status(directory), frame.name);
            }
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
