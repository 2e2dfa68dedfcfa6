// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.registration;

import dev.mooring.csi.CsiEndpoint;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The sockets below the directory in which drivers register, as they are now (semantics/csi §4.1): names that begin with a dot and what is
 * no socket are passed over.
 *
 * @param sockets what distinguishes a socket from one that takes its place, by path
 * @param directories the directory and all below it
 */
record RegistrySockets(Map<Path, String> sockets, Set<Path> directories) {
    /** Looks; what vanishes meanwhile is not there. */
    static RegistrySockets in(Path directory) throws IOException {
        Map<Path, String> sockets = new TreeMap<>();
        Set<Path> directories = new TreeSet<>();
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path found, BasicFileAttributes attributes) {
                if (!found.equals(directory) && isHidden(found)) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                directories.add(found);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path found, BasicFileAttributes attributes) {
                if (attributes.isOther() && !isHidden(found)) {
                    sockets.put(
                            found,
                            Objects.requireNonNullElse(attributes.fileKey(), "?") + " "
                                    + attributes.creationTime().toMillis() + " "
                                    + attributes.lastModifiedTime().toMillis());
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path found, IOException gone) {
                return FileVisitResult.CONTINUE;
            }
        });
        return new RegistrySockets(sockets, directories);
    }

    private static boolean isHidden(Path path) {
        return Objects.toString(path.getFileName(), "").startsWith(".");
    }

    /** Why a socket may not be called; empty if it may. A user who can write to it can pretend to be the driver. */
    static Optional<String> problem(Path socket) {
        List<String> problems = new ArrayList<>();
        if (socket.toString().getBytes(StandardCharsets.UTF_8).length > CsiEndpoint.MAX_BYTES) {
            problems.add("its path is longer than " + CsiEndpoint.MAX_BYTES + " bytes");
        }
        PosixFileAttributeView view = Files.getFileAttributeView(socket, PosixFileAttributeView.class);
        try {
            if (view.readAttributes().permissions().contains(PosixFilePermission.OTHERS_WRITE)) {
                problems.add("every user of the machine can write to it; take that right away (chmod o-w)");
            }
        } catch (IOException gone) {
            problems.add("it cannot be looked at");
        }
        return problems.stream().findFirst();
    }
}
