// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The file of a server's socket. It is made in a directory that only its owner may enter, gets its permissions there, and is then
 * renamed: so it is never open to more than it should be, and a stale socket is replaced at once. Only the file that was made here is
 * removed at the end, not the one of a successor.
 */
final class ServerSocketFile {
    private static final int NAMES = 36 * 36 * 36;

    private final Path socket;
    private final Path birthplace;
    private @Nullable Object identity;

    private ServerSocketFile(Path socket, Path birthplace) {
        this.socket = socket;
        this.birthplace = birthplace;
    }

    /** Makes the place in which the socket is to be bound. */
    static ServerSocketFile prepare(CsiEndpoint endpoint) throws IOException {
        Path socket = endpoint.socket();
        requireFree(socket);
        // Hidden, so that programs which watch for sockets ignore it; short, as the socket's path is limited.
        String name = "." + Integer.toString(Math.floorMod(socket.hashCode(), NAMES), 36);
        Path directory = socket.resolveSibling(name);
        Path birthplace = directory.resolve("s");
        if (CsiEndpoint.length(birthplace) > CsiEndpoint.MAX_BYTES) {
            throw new IOException("socket " + socket + ": its directory is too deep, as " + birthplace
                    + " has to be made first and a socket's path may have at most " + CsiEndpoint.MAX_BYTES + " bytes");
        }
        ServerSocketFile file = new ServerSocketFile(socket, birthplace);
        file.abandon();
        try {
            Files.createDirectory(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (NoSuchFileException e) {
            throw new IOException("socket " + socket + ": there is no directory " + socket.getParent(), e);
        }
        return file;
    }

    private static void requireFree(Path socket) throws IOException {
        try {
            if (!CsiEndpoint.isSocket(socket)) {
                throw new IOException(
                        "socket " + socket + ": there is a file of this name that is no socket; remove it");
            }
        } catch (NoSuchFileException e) {
            return;
        }
        boolean answers;
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            answers = channel.isConnected();
        } catch (IOException stale) {
            answers = false;
        }
        if (answers) {
            throw new IOException("socket " + socket + ": another process listens on it; end that process first");
        }
    }

    /** Where to bind. */
    Path birthplace() {
        return birthplace;
    }

    /** Gives the bound socket its permissions and its name. */
    void publish(Set<PosixFilePermission> permissions) throws IOException {
        Files.setPosixFilePermissions(birthplace, permissions);
        identity = identity(birthplace);
        Files.move(birthplace, socket, StandardCopyOption.ATOMIC_MOVE);
        abandon();
    }

    /** Removes what {@link #prepare} made. */
    void abandon() throws IOException {
        Files.deleteIfExists(birthplace);
        Path directory = birthplace.getParent();
        if (directory != null) {
            Files.deleteIfExists(directory);
        }
    }

    /** Removes the socket, unless a successor has replaced it. */
    void remove() {
        try {
            if (identity != null && identity.equals(identity(socket))) {
                Files.deleteIfExists(socket);
            }
        } catch (IOException gone) {
            // It was removed before, or the directory with it: the server ends all the same.
        }
    }

    private static @Nullable Object identity(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .fileKey();
    }
}
