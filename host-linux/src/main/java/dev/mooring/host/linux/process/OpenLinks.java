// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.process;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * What the processes of a machine hold, as the links in {@code /proc} tell: descriptors, working directory and root. Links are read, never
 * followed: a look at a file may wait for its server.
 *
 * @param proc {@code /proc}
 */
public record OpenLinks(Path proc) {
    /**
     * One thing that a process holds.
     *
     * @param path the link itself
     * @param target what it names
     */
    public record Link(Path path, Path target) {}

    /**
     * The directories of the processes that hold what is asked for. A process that ends meanwhile is left out. So is one whose links this
     * process has no right to read.
     *
     * @param most how many are looked for
     * @throws IOException if the processes cannot be listed
     */
    public List<Path> holders(Predicate<Link> wanted, int most) throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[0-9]*")) {
            for (Path process : processes) {
                if (found.size() < most && holds(process, wanted)) {
                    found.add(process);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return found;
    }

    private static boolean holds(Path process, Predicate<Link> wanted) {
        if (matches(process.resolve("cwd"), wanted) || matches(process.resolve("root"), wanted)) {
            return true;
        }
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(process.resolve("fd"))) {
            for (Path descriptor : descriptors) {
                if (matches(descriptor, wanted)) {
                    return true;
                }
            }
        } catch (IOException | DirectoryIteratorException endedOrForbidden) {
            return false;
        }
        return false;
    }

    private static boolean matches(Path link, Predicate<Link> wanted) {
        try {
            return wanted.test(new Link(link, Files.readSymbolicLink(link)));
        } catch (IOException closed) {
            return false;
        }
    }
}
