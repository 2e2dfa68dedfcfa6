// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.file;

import dev.mooring.host.linux.kernel.Descriptor;
import dev.mooring.host.linux.kernel.Errno;
import dev.mooring.host.linux.kernel.FileStatus;
import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.FileKind;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Finds a file element by element, following links as the kernel does, and asks the guard of every directory on the way: where a link of
 * {@code /proc} leads to is not told by the path that remains. What is held stays the same object, so nothing can be exchanged between
 * the question and the step. For one walk.
 */
final class LinkWalk {
    private static final int MOST_LINKS = 40; // as in the kernel

    private final Kernel kernel;
    private final PathGuard guard;
    private final Deque<Path> rest = new ArrayDeque<>();
    private int links;
    private Descriptor here;

    private LinkWalk(Kernel kernel, PathGuard guard, Descriptor start) {
        this.kernel = kernel;
        this.guard = guard;
        this.here = start;
    }

    /**
     * Walks on from a directory.
     *
     * @param start stays open
     * @param relative the way from there
     * @return what was found, to be closed by the caller, or what the guard says
     */
    static Outcome<Descriptor> from(Kernel kernel, PathGuard guard, Descriptor start, Path relative)
            throws KernelException {
        return new LinkWalk(kernel, guard, kernel.open(start.number(), Kernel.name("."), Kernel.O_PATH, 0))
                .walk(relative);
    }

    /** The same from the root. */
    static Outcome<Descriptor> to(Kernel kernel, PathGuard guard, Path absolute) throws KernelException {
        return new LinkWalk(kernel, guard, root(kernel)).walk(Path.of("/").relativize(absolute));
    }

    private static Descriptor root(Kernel kernel) throws KernelException {
        return kernel.open(Kernel.CURRENT_DIRECTORY, Kernel.name("/"), Kernel.O_PATH, 0);
    }

    private Outcome<Descriptor> walk(Path way) throws KernelException {
        boolean found = false;
        try {
            push(way);
            Outcome<Nothing> allowed = Outcome.done();
            while (allowed.isDone() && !rest.isEmpty()) {
                allowed = step(rest.removeFirst());
            }
            Outcome<Descriptor> answer = allowed.map(done -> here);
            found = answer.isDone();
            return answer;
        } finally {
            if (!found) {
                here.close();
            }
        }
    }

    private Outcome<Nothing> step(Path name) throws KernelException {
        Outcome<Nothing> allowed = guard.onTheWay(here);
        if (!allowed.isDone()) {
            return allowed;
        }
        Descriptor next = kernel.open(here.number(), Kernel.name(name), Kernel.O_PATH | kernel.noFollowFlag(), 0);
        FileStatus status;
        try {
            status = kernel.knownStatus(next);
        } catch (KernelException e) {
            next.close();
            throw e;
        }
        if (status.kind() == FileKind.LINK) {
            follow(next, name);
        } else {
            become(status.isDirectory() && !rest.isEmpty() ? mountedOnDemand(next, name) : next);
        }
        return rest.isEmpty() ? guard.onTheWay(here) : Outcome.done();
    }

    /** The kernel mounts an automount point only when a path goes on into it; asking for a directory says so. */
    private Descriptor mountedOnDemand(Descriptor found, Path name) throws KernelException {
        try (found) {
            int directory = Kernel.O_PATH | kernel.noFollowFlag() | kernel.directoryFlag();
            return kernel.open(here.number(), Kernel.name(name), directory, 0);
        }
    }

    private void follow(Descriptor link, Path name) throws KernelException {
        String text;
        try (link) {
            text = kernel.readLink(link.number(), Kernel.name(""));
        }
        if (++links > MOST_LINKS) {
            throw new KernelException(Errno.ELOOP, "open " + name);
        }
        if (guard.leadsByItself(here)) {
            // its text is no path: only the kernel knows where it leads
            become(kernel.open(here.number(), Kernel.name(name), Kernel.O_PATH, 0));
            return;
        }
        Path target = Path.of(text);
        if (target.isAbsolute()) {
            become(root(kernel));
            push(Path.of("/").relativize(target));
        } else {
            push(target);
        }
    }

    private void become(Descriptor next) {
        here.close();
        here = next;
    }

    private void push(Path way) {
        for (int i = way.getNameCount() - 1; i >= 0; i--) {
            if (!way.getName(i).toString().isEmpty()) {
                rest.addFirst(way.getName(i));
            }
        }
    }
}
