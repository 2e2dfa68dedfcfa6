// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.file;

import dev.mooring.host.linux.kernel.Descriptor;
import dev.mooring.host.linux.kernel.DirectoryReader;
import dev.mooring.host.linux.kernel.Errno;
import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.host.linux.kernel.KernelText;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.EmptiedTree;
import dev.mooring.storage.spi.host.FileFacts;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountTable;
import dev.mooring.storage.spi.host.TreeRules;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Empties a directory by descriptors (semantics/plugins §1.8). For one walk.
 *
 * <p>Every name is first removed as if it were no directory; only what the kernel then calls a directory is opened, below its parent's
 * descriptor and never through a link or onto another mount. So whatever is exchanged for whatever else meanwhile, something is removed
 * that stood in the tree at that moment, and nothing else. Directories are taken from a stack, not by recursion; one that lies too deep
 * is moved up to the root, so that the number of open descriptors is bounded.
 */
final class TreeWalker {
    static final int MAX_DEPTH = 128;
    private static final int MAX_ROUNDS = 64;
    private static final int CHECK_EVERY = 256;
    private static final String MOVED = ".mooring-d";

    private final Kernel kernel;
    private final OperationContext context;
    private final TreeRules rules;
    private final Set<ByteBuffer> keptNames;
    private final Set<ByteBuffer> emptiedNames;
    private final Deque<Frame> stack = new ArrayDeque<>();
    private long files;
    private long directories;
    private long stuckCount;
    private String firstStuck = "";
    private int kept;
    private int moved;
    private int untilCheck = CHECK_EVERY;

    /** A directory that is being emptied. */
    private static final class Frame {
        final Descriptor directory;
        final byte[] name;
        final boolean keep;
        final DirectoryReader reader;
        /** Names by their bytes: two that are not UTF-8 may look the same to people. */
        final Set<ByteBuffer> left = new HashSet<>();

        final Deque<byte[]> pending = new ArrayDeque<>();
        int rounds;
        boolean removedInRound;

        Frame(Kernel kernel, Descriptor directory, byte[] name, boolean keep) {
            this.directory = directory;
            this.name = name;
            this.keep = keep;
            this.reader = new DirectoryReader(kernel, directory);
        }
    }

    /** Ends the walk with an answer. */
    private static final class Stop extends Exception {
        private static final long serialVersionUID = 1L;
        private final transient Outcome<EmptiedTree> answer;

        Stop(Outcome<EmptiedTree> answer) {
            super("", null, false, false);
            this.answer = answer;
        }
    }

    TreeWalker(Kernel kernel, OperationContext context, TreeRules rules) {
        this.kernel = kernel;
        this.context = context;
        this.rules = rules;
        this.keptNames = bytesOf(rules.keep());
        this.emptiedNames = bytesOf(rules.keepEmptied());
    }

    private static Set<ByteBuffer> bytesOf(Set<String> names) {
        return names.stream().map(name -> ByteBuffer.wrap(Kernel.name(name))).collect(Collectors.toUnmodifiableSet());
    }

    Outcome<EmptiedTree> empty(Descriptor root, MountTable table) {
        Optional<Outcome<EmptiedTree>> refusal;
        try {
            refusal = verify(root, table);
        } catch (KernelException e) {
            return e.outcomeOfLook();
        }
        return refusal.orElseGet(() -> walk(root));
    }

    private Optional<Outcome<EmptiedTree>> verify(Descriptor root, MountTable table) throws KernelException {
        FileFacts facts = LinuxPinnedPath.facts(kernel, root);
        if (facts.kind() != FileKind.DIRECTORY) {
            return Optional.of(Outcome.refused(Refusal.CORRUPT, "what should be emptied is no directory"));
        }
        if (!rules.identity().map(facts.identity()::equals).orElse(true)) {
            return Optional.of(
                    Outcome.refused(Refusal.CORRUPT, "another directory is in its place: " + facts.identity()));
        }
        if (rules.mountId().isPresent() && rules.mountId().getAsInt() != facts.mountId()) {
            return Optional.of(Outcome.refused(Refusal.CORRUPT, "the directory is not on the expected mount"));
        }
        // as the table has it, also where the locale cannot express it
        Path path = KernelText.path(kernel.readLink(Kernel.name(root.link())));
        // looked at before anything is removed: a walk that ends half-way at a mount would have removed the rest for
        // nothing
        List<MountEntry> inside = table.below(path);
        return inside.isEmpty()
                ? Optional.empty()
                : Optional.of(Outcome.refused(Refusal.IN_USE, "mounted inside: " + inside.get(0)));
    }

    private Outcome<EmptiedTree> walk(Descriptor root) {
        try {
            push(kernel.openDirectory(root), new byte[] {'.', 0}, true);
            while (!stack.isEmpty()) {
                step(stack.peek());
            }
            kernel.flushDirectory(root);
            return verdict();
        } catch (Stop stop) {
            return stop.answer;
        } catch (KernelException e) {
            return started() ? Outcome.uncertain(e.getMessage() + progress()) : e.outcome();
        } finally {
            stack.forEach(frame -> frame.directory.close());
        }
    }

    private Outcome<EmptiedTree> verdict() {
        return stuckCount == 0
                ? Outcome.done(new EmptiedTree(files, directories, kept))
                : Outcome.refused(
                        Refusal.DENIED,
                        "could not remove " + firstStuck + (stuckCount == 1 ? "" : " and " + (stuckCount - 1) + " more")
                                + progress());
    }

    private boolean started() {
        return files + directories > 0;
    }

    private String progress() {
        return " (" + files + " files and " + directories + " directories removed)";
    }

    /** Takes one name of the innermost directory, or closes it if there is none left. */
    private void step(Frame frame) throws KernelException, Stop {
        if (frame.pending.isEmpty()) {
            frame.pending.addAll(frame.reader.next());
            if (frame.pending.isEmpty()) {
                endOfListing(frame);
            }
            return;
        }
        byte[] name = frame.pending.poll();
        checkTime();
        if (!isKept(name)) {
            remove(frame, name);
        }
    }

    private void checkTime() throws Stop {
        if (--untilCheck > 0) {
            return;
        }
        untilCheck = CHECK_EVERY;
        if (context.cancelled() || !context.clock().instant().isBefore(context.deadline())) {
            throw new Stop(Outcome.uncertain("interrupted; it continues later" + progress()));
        }
    }

    private boolean isKept(byte[] name) {
        boolean keep = stack.size() == 1 && keptNames.contains(ByteBuffer.wrap(name));
        if (keep && stack.getLast().left.add(ByteBuffer.wrap(name))) {
            kept++;
        }
        return keep;
    }

    private void remove(Frame frame, byte[] name) throws KernelException, Stop {
        try {
            kernel.unlink(frame.directory.number(), name, 0);
            files++;
            frame.removedInRound = true;
        } catch (KernelException e) {
            switch (e.errno()) {
                case Errno.ENOENT -> {}
                // a directory; POSIX has EPERM for it, which also means that it may not be removed
                case Errno.EISDIR -> removeDirectory(frame, name);
                case Errno.EPERM -> {
                    if (isDirectory(frame, name)) {
                        removeDirectory(frame, name);
                    } else {
                        stuck(frame, name);
                    }
                }
                case Errno.EACCES, Errno.EROFS -> stuck(frame, name);
                case Errno.EBUSY -> throw mountInside(name);
                default -> throw e;
            }
        }
    }

    private boolean isDirectory(Frame frame, byte[] name) throws KernelException {
        try {
            return kernel.status(frame.directory.number(), name).isDirectory();
        } catch (KernelException e) {
            if (e.is(Errno.ENOENT)) {
                return false;
            }
            throw e;
        }
    }

    private void removeDirectory(Frame frame, byte[] name) throws KernelException, Stop {
        if (stack.size() == 1 && emptiedNames.contains(ByteBuffer.wrap(name))) {
            if (frame.left.add(ByteBuffer.wrap(name))) {
                kept++;
                enter(frame, name, true);
            }
            return;
        }
        try {
            kernel.unlink(frame.directory.number(), name, Kernel.REMOVE_DIRECTORY);
            directories++;
            frame.removedInRound = true;
        } catch (KernelException e) {
            switch (e.errno()) {
                case Errno.ENOTEMPTY, Errno.EEXIST -> enter(frame, name, false);
                // exchanged for something else meanwhile: the next listing shows what it is now
                case Errno.ENOENT, Errno.ENOTDIR -> frame.removedInRound = true;
                case Errno.EBUSY -> throw mountInside(name);
                case Errno.EPERM, Errno.EACCES, Errno.EROFS -> stuck(frame, name);
                default -> throw e;
            }
        }
    }

    private void enter(Frame frame, byte[] name, boolean keep) throws KernelException, Stop {
        if (frame.left.contains(ByteBuffer.wrap(name)) && !keep) {
            return;
        }
        try {
            if (stack.size() >= MAX_DEPTH && moveUp(frame, name)) {
                return;
            }
            int flags = Kernel.O_RDONLY | kernel.directoryFlag() | kernel.noFollowFlag();
            push(kernel.open(frame.directory.number(), name, flags, 0, Kernel.STRICTLY_BELOW), name, keep);
        } catch (KernelException e) {
            switch (e.errno()) {
                case Errno.EXDEV -> throw mountInside(name);
                case Errno.ENOENT, Errno.ENOTDIR, Errno.ELOOP -> frame.removedInRound = true;
                case Errno.EACCES, Errno.EPERM -> {
                    if (keep) {
                        // it counts as left already, since it is kept, but it was to be emptied
                        count(name);
                    } else {
                        stuck(frame, name);
                    }
                }
                default -> throw e;
            }
        }
    }

    /** Moves a directory to the root under a new name, where a later round finds it; false if that is not allowed. */
    private boolean moveUp(Frame frame, byte[] name) throws KernelException {
        while (true) {
            byte[] newName = Kernel.name(MOVED + moved++);
            try {
                kernel.renameToNew(
                        frame.directory.number(),
                        name,
                        stack.getLast().directory.number(),
                        newName);
                frame.removedInRound = true;
                stack.getLast().removedInRound = true;
                return true;
            } catch (KernelException e) {
                if (!e.is(Errno.EEXIST)) {
                    throw e;
                }
            }
        }
    }

    private void push(Descriptor directory, byte[] name, boolean keep) {
        stack.push(new Frame(kernel, directory, name, keep));
    }

    /** Lists again until a listing had nothing to remove, then removes the directory itself. */
    private void endOfListing(Frame frame) throws KernelException, Stop {
        if (frame.removedInRound) {
            // a tree of any depth needs one more round at the root for each piece that was moved there
            int allowed = MAX_ROUNDS + (stack.size() == 1 ? moved : 0);
            if (++frame.rounds > allowed) {
                throw new Stop(Outcome.refused(
                        Refusal.IN_USE, "a process keeps writing to " + pathOf(new byte[] {'.', 0}) + progress()));
            }
            frame.removedInRound = false;
            frame.reader.rewind();
            return;
        }
        stack.pop();
        frame.directory.close();
        if (!frame.keep) {
            removeEmptied(frame);
        }
    }

    private void removeEmptied(Frame frame) throws KernelException, Stop {
        Frame parent = stack.element();
        if (!frame.left.isEmpty()) {
            parent.left.add(ByteBuffer.wrap(frame.name));
            return;
        }
        // what stands there now may be another directory; if it is not empty the parent's next round goes into it
        parent.removedInRound = true;
        try {
            kernel.unlink(parent.directory.number(), frame.name, Kernel.REMOVE_DIRECTORY);
            directories++;
        } catch (KernelException e) {
            switch (e.errno()) {
                case Errno.ENOENT, Errno.ENOTDIR, Errno.ENOTEMPTY, Errno.EEXIST -> {}
                case Errno.EBUSY -> throw mountInside(frame.name);
                case Errno.EPERM, Errno.EACCES, Errno.EROFS -> stuck(parent, frame.name);
                default -> throw e;
            }
        }
    }

    private void stuck(Frame frame, byte[] name) {
        if (frame.left.add(ByteBuffer.wrap(name))) {
            count(name);
        }
    }

    private void count(byte[] name) {
        stuckCount++;
        if (firstStuck.isEmpty()) {
            firstStuck = pathOf(name);
        }
    }

    private Stop mountInside(byte[] name) {
        return new Stop(Outcome.refused(Refusal.IN_USE, "mounted inside: " + pathOf(name) + progress()));
    }

    /** Relative to the root; for people. */
    private String pathOf(byte[] name) {
        StringBuilder path = new StringBuilder();
        stack.descendingIterator().forEachRemaining(frame -> {
            if (frame != stack.getLast()) {
                path.append(Kernel.printable(frame.name)).append('/');
            }
        });
        return path.append(Kernel.printable(name)).toString();
    }
}
